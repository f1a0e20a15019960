"""Hosts on switches (bridges): what containers and virtual machines have in common.

Made for a process that has namespaces of its own (sandbox.enter): whatever it makes goes with it.
"""

import subprocess
import time
from pathlib import Path

from lab.sandbox import quoted, run

CONTROL = "10.77.0"
USER = "bench"
MTU = 9216  # of cables and switches
SSH_CONFIG = Path("/etc/ssh/ssh_config.d")
SSH_OPTIONS = ("BatchMode yes", "StrictHostKeyChecking no", "UserKnownHostsFile /dev/null", "LogLevel ERROR")


class Host:
    """One host. `cables`: by port, the switch it is plugged into. A kind of host defines boot, kill and nic, keeps
    `process`, and writes what it has to say to the file `console`."""

    boot_seconds = 60
    login_seconds = 3
    control_device = "control0"

    def __init__(self, lab, number, name, cables):
        self.lab = lab
        self.number = number
        self.name = name
        self.cables = list(cables)
        self.address = f"{CONTROL}.{number + 11}"
        self.folder = lab.scratch / name
        self.console = self.folder / "console"
        self.process = None
        self.folder.mkdir()

    def outside(self, port):
        """The end of a port's cable at the switch."""
        return f"{self.name}-{port}"

    def mac(self, port):
        return f"02:00:00:00:{self.number:02x}:{port:02x}"

    def plug(self, port, switch):
        """Puts the cable of a port into another switch."""
        self.cables[port] = switch
        run("ip", "link", "set", self.outside(port), "master", switch)

    def wait(self, seconds=None):
        """Until one can log in."""
        seconds = seconds or self.boot_seconds
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: {self.said()}")
            if self.can_log_in():
                return
            time.sleep(0.2)
        raise RuntimeError(f"{self.name}: no login within {seconds} s: {self.said()}")

    def said(self):
        return self.console.read_text(errors="replace")[-2000:]

    def can_log_in(self):
        return self.ssh("true", seconds=self.login_seconds).returncode == 0

    def ssh(self, command, seconds=30):
        words = ["ssh", f"-oConnectTimeout={seconds}", f"{USER}@{self.address}", command]
        try:
            return subprocess.run(words, capture_output=True, text=True, timeout=seconds + 5, check=False,
                                  stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, 255, "", "timeout")

    def root_ssh(self, command, seconds=30):
        """Runs a command as root and returns what it printed; throws when it fails."""
        done = self.ssh(f"sudo -n bash -c {quoted(command)}", seconds)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {command}: {done.stdout}{done.stderr}")
        return done.stdout


class Lab:
    """Switches, and the hosts on them: `kind` is their class. cabling: {host: [switch of port 0, ...]}, in the order of ranks.
    `cache` has what make-tree and make-disk leave."""

    def __init__(self, kind, cache, scratch, cabling):
        self.cache = Path(cache).resolve()
        self.scratch = Path(scratch).resolve()
        self.key = self.scratch / "key"
        run("mount", "--make-rprivate", "/")
        run("mount", "-t", "tmpfs", "run", "/run")
        run("mount", "-t", "tmpfs", "-o", "mode=755", "scratch", self.scratch)
        self._set_up_ssh()
        run("ip", "link", "set", "lo", "up")
        Path("/proc/sys/net/ipv4/conf/all/arp_ignore").write_text("1")  # switches do not answer for the controller
        for switch in ["control", *sorted({switch for switches in cabling.values() for switch in switches})]:
            run("ip", "link", "add", switch, "type", "bridge")
            run("ip", "link", "set", switch, "up")
        run("ip", "address", "add", f"{CONTROL}.1/24", "dev", "control")
        self.hosts = {name: kind(self, number, name, switches)
                      for number, (name, switches) in enumerate(cabling.items())}

    def _set_up_ssh(self):
        """A key for all hosts, which are new every time: for whatever calls ssh here."""
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        run("mount", "-t", "tmpfs", "ssh", SSH_CONFIG)
        options = [*SSH_OPTIONS, f"IdentityFile {self.key}"]
        (SSH_CONFIG / "lab.conf").write_text("\n".join(["Host *", *options]) + "\n")

    def boot(self):
        for host in self.hosts.values():
            host.boot()
        for host in self.hosts.values():
            host.wait()

    def end(self):
        for host in self.hosts.values():
            host.kill()
