#!/usr/bin/env python3
"""What guard reads of other programs and of the kernel, what it tunes, and the files that it puts back."""

import base64
import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import programs  # noqa: E402, F401

from gradwire_host import files, kernel, neighbours, pairs, ports, tuning  # noqa: E402
from gradwire_host.system import Refused  # noqa: E402


class Parsing(unittest.TestCase):
    def test_bandwidth(self):
        text = """\
---------------------------------------------------------------------------------------
 local address: LID 0000 QPN 0x0011 PSN 0x1c6e5c RKey 0x000204 VAddr 0x007f0a1b
---------------------------------------------------------------------------------------
 #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]
 1048576    5722             0.00               11446.00           0.011446
---------------------------------------------------------------------------------------
"""
        self.assertAlmostEqual(pairs.average_gbps(text), 96.016, 3)  # 11446 MiB/s * 8 * 2^20
        self.assertIsNone(pairs.average_gbps("Couldn't connect to 10.0.0.1:18600"))

    def test_message_fits_the_link(self):
        for gbps, size in ((100, 1 << 20), (1, 1 << 20), (0.004, 1 << 14), (0.0001, 1 << 12), (0, 1 << 12)):
            self.assertEqual(pairs.message_bytes(gbps), size)

    def test_frames(self):
        class Opened:
            def __init__(self, content):
                self.content = content

            def recvfrom(self, _):
                return self.content, ("bc0", 0x88B5, 1, 1, b"")

        said = b"\xff" * 6 + b"\x02" * 6 + b"\x88\xb5"
        good = json.dumps({"gradwire": "bcube(2,2)", "host": "red", "port": 1}).encode().ljust(80)
        self.assertEqual(neighbours.receive(Opened(said + good), "bcube(2,2)"), ("red", 1, "02:02:02:02:02:02"))
        for bad in (b"", b"{", b"[]", b"\xff\xfe", b"{}", b'{"gradwire": "bcube(2,2)", "host": "x", "port": "y"}'):
            self.assertIsNone(neighbours.receive(Opened(said + bad), "bcube(2,2)"))
        self.assertIsNone(neighbours.receive(Opened(said + good), "bcube(3,2)"))

    def test_sysctls(self):
        self.assertEqual(kernel.assigned(["# a.b = 1\n net.ipv4.ip_forward=1\n-net/core/x = 2\n;c = 3\n"]),
                         {"net/ipv4/ip_forward", "net/core/x"})

    def test_cpu_lists(self):
        self.assertEqual(tuning.cpu_list("0-2,8\n"), [0, 1, 2, 8])
        self.assertEqual(tuning.cpu_list(""), [])

    def test_pci(self):
        self.assertEqual(ports.full_pci("3B:00.0"), "0000:3b:00.0")
        self.assertEqual(ports.full_pci("0001:3b:00.0"), "0001:3b:00.0")


class Tuning(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text + "\n")

    def test_processors_that_are_off_have_no_governor(self):
        for number, governors in ((0, "performance powersave"), (1, "")):  # unreadable where a processor is off
            self.write(f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_governor", "powersave")
            self.write(f"sys/devices/system/cpu/cpu{number}/cpufreq/scaling_available_governors", governors)
        self.write("sys/devices/system/cpu/cpu1/online", "0")
        self.assertEqual(len(tuning.set_governor("performance", self.root)), 1)
        self.write("sys/devices/system/cpu/cpu1/online", "1")
        with self.assertRaisesRegex(Refused, "cpu1 has no governor performance"):
            tuning.set_governor("performance", self.root)

    def test_interrupts_of_an_earlier_boot_are_not_put_back(self):
        self.write("proc/irq/40/smp_affinity_list", "3")
        self.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance")
        was = {"/proc/irq/40/smp_affinity_list": "0-7", "/proc/irq/41/smp_affinity_list": "0-7",
               "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave"}
        self.assertEqual(kernel.restore_values(was, False, self.root),
                         ["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor = powersave"])
        self.assertEqual(kernel.restore_values(was, True, self.root), ["/proc/irq/40/smp_affinity_list = 0-7"])


class Files(unittest.TestCase):
    def test_back_as_they_were(self):
        with tempfile.TemporaryDirectory() as folder:
            root, store = Path(folder) / "root", Path(folder) / "store"
            for name in ("etc/sysctl.d/60-gradwire-a.conf", "etc/sysctl.d/99-mine.conf", "usr/local/bin/gradwire"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(name * (1 if name.startswith("etc") else 4000))
            (root / "usr/local/bin/gradwire").chmod(0o755)
            was = files.capture(store, root)
            self.assertEqual(len(was), 2)
            self.assertIn("content", was[str(root / "etc/sysctl.d/60-gradwire-a.conf")])
            self.assertIn("copy", was[str(root / "usr/local/bin/gradwire")])
            (root / "etc/sysctl.d/60-gradwire-a.conf").write_text("changed")
            (root / "etc/sysctl.d/61-gradwire-new.conf").write_text("new")
            (root / "etc/sysctl.d/99-mine.conf").write_text("mine, changed")
            (root / "usr/local/bin/gradwire").unlink()
            (root / "etc/systemd/system/ssh.service.d").mkdir(parents=True)
            (root / "etc/systemd/system/mine.service.d").mkdir()
            (root / "etc/systemd/system/mine.service.d/mine.conf").write_text("mine")
            done = files.restore(was, store, root)
            self.assertEqual(len(done), 3)
            self.assertEqual(files.remove_folders([], root), [f"removed {root}/etc/systemd/system/ssh.service.d"])
            self.assertEqual((root / "etc/sysctl.d/99-mine.conf").read_text(), "mine, changed")
            self.assertEqual((root / "usr/local/bin/gradwire").stat().st_mode & 0o777, 0o755)
            self.assertEqual(files.capture(store, root), was)
            self.assertEqual(files.restore(was, store, root), [])
            self.assertEqual(base64.b64decode(was[str(root / "etc/sysctl.d/60-gradwire-a.conf")]["content"]),
                             b"etc/sysctl.d/60-gradwire-a.conf")


if __name__ == "__main__":
    unittest.main()
