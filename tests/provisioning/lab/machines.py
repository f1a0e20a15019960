"""Hosts as virtual machines, with kernels of their own: QEMU on copies of make-disk's disk, without hardware support."""

import os
import subprocess

from lab.hosts import MTU, Host
from lab.sandbox import die_with_parent, run

CONTROL_SLOT = 3
FIRST_SLOT = 5  # on the PCI bus, of port 0
MEGABYTES = 512
# What the kernel does against leaks between programs takes a tenth of an emulated processor's time.
KERNEL = "console=ttyS0 quiet panic=-1 mitigations=off"
BOOT_ID = "cat /proc/sys/kernel/random/boot_id"


class Machine(Host):
    """What it writes goes to a file that has no name and ends with it: a machine that is killed has not been.

    `disk` is what make-disk prints; `mbps` the rate of its data ports, which they have and say."""

    boot_seconds = 240
    login_seconds = 20
    control_device = f"ens{CONTROL_SLOT}"
    disk = ()
    mbps = 1000

    def __init__(self, lab, number, name, cables):
        super().__init__(lab, number, name, cables)
        self.boot_before = ""
        self._cable(self.outside("c"), "control", 1500)
        for port, switch in enumerate(self.cables):
            self._cable(self.outside(port), switch, MTU)

    def _cable(self, outside, switch, mtu):
        run("ip", "tuntap", "add", "dev", outside, "mode", "tap")
        run("ip", "link", "set", outside, "mtu", mtu, "master", switch, "up")
        if switch != "control":  # what comes to the port; what it sends comes to another one
            run("tc", "qdisc", "add", "dev", outside, "root", "tbf", "rate", f"{self.mbps}mbit", "burst", "20kb",
                "limit", "32mb")

    def nic(self, port):
        """How the inventory tells a port's interface from others."""
        return {"pci": f"0000:00:{FIRST_SLOT + port:02x}.0"}

    def boot(self):
        disk, kernel, initramfs = self.disk
        key = self.lab.key.with_suffix(".pub").read_text().split()[1]
        words = ["qemu-system-x86_64", "-accel", "tcg,thread=multi,tb-size=512", "-cpu", "qemu64,-svm", "-smp", "1",
                 "-m", str(MEGABYTES), "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none",
                 "-serial", f"file:{self.console}", "-device", "virtio-rng-pci",
                 "-drive", f"file={disk},if=virtio,format=raw,snapshot=on,cache=unsafe",
                 "-kernel", kernel, "-initrd", initramfs, "-append", f"{KERNEL} name={self.name} address={self.address} key={key}"]
        words += self._nic("c", CONTROL_SLOT, f"02:00:00:01:{self.number:02x}:00")
        for port in range(len(self.cables)):
            words += self._nic(port, FIRST_SLOT + port, self.mac(port), f"host_mtu={MTU},speed={self.mbps},duplex=full")
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent,
                                        env={**os.environ, "TMPDIR": str(self.lab.cache)})

    def _nic(self, port, slot, mac, more=""):
        name = f"net{port}"
        return ["-netdev", f"tap,id={name},ifname={self.outside(port)},script=no,downscript=no",
                "-device", f"virtio-net-pci,netdev={name},mac={mac},addr={slot:#x},romfile=" + (f",{more}" if more else "")]

    def reboot(self):
        """Begins to; call wait for it to be there again."""
        self.boot_before = self.root_ssh(BOOT_ID)
        self.ssh("sudo systemctl reboot")

    def can_log_in(self):
        found = self.ssh(BOOT_ID, seconds=self.login_seconds)
        return found.returncode == 0 and found.stdout != self.boot_before

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)
            self.process = None
