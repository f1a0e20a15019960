"""Hosts as containers: systemd-nspawn over make-tree's tree."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from lab.hosts import CONTROL, MTU, USER, Host
from lab.sandbox import die_with_parent, run


class Container(Host):
    """Its ports are found by their MAC addresses, or, when `by_name`, keep their names: no udev in a container names them
    after a boot."""

    by_name = ()

    def __init__(self, lab, number, name, cables):
        super().__init__(lab, number, name, cables)
        self.boots = 0
        self.root = self.folder / "root"
        self.interfaces = [f"data{port}" for port in range(len(self.cables))]
        run("mount", "-t", "tmpfs", "-o", "mode=755", "hosts", self.folder)
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir()
        options = f"lowerdir={lab.cache}/tree,upperdir={self.folder}/upper,workdir={self.folder}/work"
        run("mount", "-t", "overlay", "-o", options, name, self.root)
        (self.root / "etc/hostname").write_text(name + "\n")
        (self.root / "etc/hosts").write_text(f"127.0.0.1 localhost\n127.0.1.1 {name}\n")
        (self.root / "etc/machine-id").write_text(f"{number + 1:032x}\n")
        self._authorize()

    def _authorize(self):
        home = self.root / "home" / USER / ".ssh"
        home.mkdir(mode=0o700)
        shutil.copy(self.lab.key.with_suffix(".pub"), home / "authorized_keys")
        status = home.parent.stat()
        for path in (home, home / "authorized_keys"):
            os.chown(path, status.st_uid, status.st_gid)

    def nic(self, port):
        """How the inventory tells a port's interface from others."""
        return {"interface": self.interfaces[port]} if self.name in self.by_name else {"mac": self.mac(port)}

    def boot(self):
        """Starts it with fresh network ports, as a machine that is switched on. Call wait for it to be there."""
        self._plug_in()
        self.boots += 1
        words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "bash", "-c", START, "start", self.name,
                 self.root, self.folder, self.lab.cache / "debs", f"{self.lab.scratch.name}-{self.name}-{self.boots}"]
        with open(self.console, "ab") as log:
            self.process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            preexec_fn=die_with_parent)

    def _plug_in(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True, check=False)
        run("ip", "netns", "add", self.name)
        self._cable(self.outside("c"), "control0", "control", 1500, f"02:00:00:01:{self.number:02x}:00")
        for port, switch in enumerate(self.cables):
            self._cable(self.outside(port), self.interfaces[port], switch, MTU, self.mac(port))
        run("ip", "-n", self.name, "link", "set", "lo", "up")
        run("ip", "-n", self.name, "address", "add", f"{self.address}/24", "dev", "control0")
        run("ip", "-n", self.name, "link", "set", "control0", "up")
        run("ip", "-n", self.name, "route", "add", "default", "via", f"{CONTROL}.1")

    def _cable(self, outside, inside, switch, largest, mac):
        subprocess.run(["ip", "link", "del", outside], capture_output=True, check=False)
        run("ip", "link", "add", outside, "mtu", largest, "type", "veth", "peer", "name", inside, "netns", self.name,
            "address", mac)
        run("ip", "link", "set", outside, "master", switch, "up")

    def reboot_when_down(self):
        """Boots again once it has gone down by itself."""
        self.process.wait(self.boot_seconds)
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


# In a mount namespace of its own: nspawn wants a cgroup2 tree, and a file for the network namespace. In a control group of its
# own: in one and the same, hosts would remove each other's, and units fail. The first process is killed with this one, and
# takes all others along. Ends when the host goes down, to reboot or not.
START = r"""
set -eu
mount --make-rprivate /
mkdir -p "$3/outside"; touch "$3/outside/net"
mount --bind "/run/netns/$1" "$3/outside/net"
mount -t tmpfs run /run
mount -t cgroup2 none /sys/fs/cgroup
own=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/$5
mkdir -p "$own"; echo 0 >"$own/cgroup.procs"
export SYSTEMD_NSPAWN_API_VFS_WRITABLE=network
exec systemd-nspawn --quiet --directory "$2" --boot --register=no --keep-unit --console=pipe --machine "$1" \
  --network-namespace-path="$3/outside/net" --capability=CAP_NET_ADMIN --bind-ro="$4:/srv/debs" \
  --resolv-conf=off --kill-signal=SIGKILL
"""
