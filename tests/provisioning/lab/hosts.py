"""Hosts as containers: systemd-nspawn over one tree, each with data ports cabled to bridges, and a port for control.

Made for a process that has network, mount and process namespaces of its own (see enter): whatever it makes goes with it.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONTROL = "10.77.0"
USER = "bench"
BOOT_SECONDS = 60
MTU = 9216  # of cables and switches


def enter(cache):
    """Goes on in namespaces of its own, by running this program again; everything in them ends with it. Returns a folder of
    its own in `cache`, which is empty again once it has ended."""
    if "GRADWIRE_LAB" in os.environ:
        return Path(os.environ["GRADWIRE_LAB"])
    scratch = Path(tempfile.mkdtemp(prefix="run-", dir=cache))
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, *sys.argv]
    inside = subprocess.Popen(words, env={**os.environ, "GRADWIRE_LAB": str(scratch)}, preexec_fn=die_with_parent)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: inside.kill())
    ended = inside.wait()
    scratch.rmdir()
    sys.exit(ended if ended >= 0 else 1)


def run(*words, seconds=60, **more):
    return subprocess.run([str(word) for word in words], check=True, timeout=seconds, capture_output=True, text=True, **more)


def die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Host:
    """One container. `cables`: by port, the switch it is plugged into."""

    def __init__(self, lab, number, name, cables):
        self.lab = lab
        self.number = number
        self.name = name
        self.cables = list(cables)
        self.address = f"{CONTROL}.{number + 11}"
        self.folder = lab.scratch / name
        self.process = None
        self.interfaces = [f"data{port}" for port in range(len(cables))]
        self._prepare()

    @property
    def root(self):
        return self.folder / "root"

    def _prepare(self):
        self.folder.mkdir()
        run("mount", "-t", "tmpfs", "-o", "mode=755", "hosts", self.folder)
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir()
        options = f"lowerdir={self.lab.tree},upperdir={self.folder}/upper,workdir={self.folder}/work"
        run("mount", "-t", "overlay", "-o", options, self.name, self.root)
        (self.root / "etc/hostname").write_text(self.name + "\n")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {self.name}\n")
        (self.root / "etc/machine-id").write_text(f"{self.number + 1:032x}\n")
        home = self.root / "home" / USER / ".ssh"
        home.mkdir(mode=0o700)
        shutil.copy(self.lab.key.with_suffix(".pub"), home / "authorized_keys")
        status = home.parent.stat()
        for path in (home, home / "authorized_keys"):
            os.chown(path, status.st_uid, status.st_gid)

    def boot(self):
        """Starts it with fresh network ports, as a machine that is switched on. Call wait for it to be there."""
        self._plug_in()
        log = open(self.folder / "console", "ab")
        self.process = subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
                                         "bash", "-c", START, "start", self.name, str(self.root),
                                         str(self.folder), str(self.lab.debs)],
                                        stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_parent)

    def _plug_in(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True, check=False)
        run("ip", "netns", "add", self.name)
        self._cable(f"{self.name}-c", "control0", "control", 1500, f"02:00:00:01:{self.number:02x}:00")
        for port, switch in enumerate(self.cables):
            self._cable(f"{self.name}-{port}", self.interfaces[port], switch, MTU, self.mac(port))
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "control0")
        run("ip", "-n", self.name, "link", "set", "control0", "up")
        run("ip", "-n", self.name, "route", "add", "default", "via", f"{CONTROL}.1")

    def mac(self, port):
        return f"02:00:00:00:{self.number:02x}:{port:02x}"

    def _cable(self, outside, inside, switch, largest, mac=None):
        subprocess.run(["ip", "link", "del", outside], capture_output=True, check=False)
        run("ip", "link", "add", outside, "mtu", largest, "type", "veth", "peer", "name", inside, "netns", self.name,
            *(["address", mac] if mac else []))
        run("ip", "link", "set", outside, "master", switch, "up")

    def plug(self, port, switch):
        """Puts the cable of a port into another switch."""
        self.cables[port] = switch
        run("ip", "link", "set", f"{self.name}-{port}", "master", switch)

    def wait(self, seconds=BOOT_SECONDS):
        """Until one can log in."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"{self.name} ended: {(self.folder / 'console').read_text()[-2000:]}")
            if self.can_log_in():
                return
            time.sleep(0.2)
        raise RuntimeError(f"{self.name}: no login within {seconds} s: {(self.folder / 'console').read_text()[-2000:]}")

    def can_log_in(self, seconds=3):
        return self.ssh("true", seconds=seconds).returncode == 0

    def ssh(self, command, seconds=30):
        words = ["ssh", "-i", str(self.lab.key), *SSH_OPTIONS, f"-oConnectTimeout={seconds}", f"{USER}@{self.address}",
                 command]
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

    def reboot_when_down(self, seconds=BOOT_SECONDS):
        """Boots again once it has gone down by itself."""
        self.process.wait(seconds)
        self.boot()

    def kill(self):
        """Pulls the plug: what runs in it dies at once, and its network ports go."""
        if self.process is None:
            return
        inside = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        for pid in inside:  # the first process of the host's own process namespace: nobody in it outlives it
            os.kill(int(pid), signal.SIGKILL)
        self.process.wait(20)
        self.process = None
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True, check=False)


class Lab:
    """Switches (bridges), and the hosts on them. cabling: {host: [switch of port 0, ...]}, in the order of ranks."""

    def __init__(self, tree, debs, scratch, cabling):
        self.tree = Path(tree).resolve()
        self.debs = Path(debs).resolve()
        self.scratch = Path(scratch).resolve()
        self.key = self.scratch / "key"
        run("mount", "--make-rprivate", "/")
        run("mount", "-t", "tmpfs", "run", "/run")
        run("mount", "-t", "tmpfs", "-o", "mode=755", "scratch", self.scratch)
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        run("ip", "link", "set", "lo", "up")
        Path("/proc/sys/net/ipv4/conf/all/arp_ignore").write_text("1")  # switches do not answer for the controller
        for switch in ["control", *sorted({switch for switches in cabling.values() for switch in switches})]:
            run("ip", "link", "add", switch, "type", "bridge")
            run("ip", "link", "set", switch, "up")
        run("ip", "address", "add", f"{CONTROL}.1/24", "dev", "control")
        self.hosts = {name: Host(self, number, name, switches)
                      for number, (name, switches) in enumerate(cabling.items())}

    def boot(self):
        for host in self.hosts.values():
            host.boot()
        for host in self.hosts.values():
            try:
                host.wait()
            except RuntimeError as error:  # seen once, on a machine with a load of 11: it did not get anywhere
                print(f"booting {host.name} again: {error}\n{run('ps', 'axf').stdout[-3000:]}", flush=True)
                host.kill()
                host.boot()
                host.wait()

    def end(self):
        for host in self.hosts.values():
            host.kill()


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


SSH_OPTIONS = ("-oBatchMode=yes", "-oStrictHostKeyChecking=no", "-oUserKnownHostsFile=/dev/null", "-oLogLevel=ERROR")

# In a mount namespace of its own: nspawn wants a cgroup2 tree, and a file for the network namespace. The first process is
# killed with this one, and takes all others along. Ends when the host goes down, to reboot or not.
START = r"""
set -eu
mount --make-rprivate /
mkdir -p "$3/outside"; touch "$3/outside/net"
mount --bind "/run/netns/$1" "$3/outside/net"
mount -t tmpfs run /run
mount -t cgroup2 none /sys/fs/cgroup
export SYSTEMD_NSPAWN_API_VFS_WRITABLE=network
exec systemd-nspawn --quiet --directory "$2" --boot --register=no --keep-unit --console=pipe --machine "$1" \
  --network-namespace-path="$3/outside/net" --capability=CAP_NET_ADMIN --bind-ro="$4:/srv/debs" \
  --resolv-conf=off --kill-signal=SIGKILL
"""
