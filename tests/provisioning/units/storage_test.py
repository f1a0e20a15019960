#!/usr/bin/env python3
"""The servers that a host's disks and file systems are on, and the interfaces to them, which are protected."""

import ipaddress
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

import programs  # noqa: E402, F401

from gradwire_host import protect, storage  # noqa: E402

MOUNTS = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /home rw,relatime shared:20 - nfs4 files:/home rw,vers=4.2,clientaddr=10.0.0.9,local_lock=none,addr=10.0.0.5
41 22 0:36 / /old rw,relatime - nfs 10.0.0.6:/old rw,vers=3,mountaddr=10.0.0.6,mountport=2049,addr=10.0.0.6
42 22 0:37 / /six rw - nfs4 [2001:db8::5]:/six rw,clientaddr=2001:db8::9,addr=2001:db8::5
43 22 0:38 / /ceph rw - ceph 10.1.0.1:6789,10.1.0.2:6789:/ rw,name=admin
44 22 0:39 / /share rw - cifs //files/share rw,vers=3.1.1,addr=10.0.0.7
45 22 0:40 / /tmp rw - tmpfs tmpfs rw,addr=10.9.9.9
46 22 0:41 / /broken rw
"""


def sockets(*rows):
    """As /proc/net/tcp has them: (remote address, remote port, state)."""
    def number(address):
        return ipaddress.ip_address(address).packed[::-1].hex().upper()

    lines = ["  sl  local_address rem_address   st tx_queue"]
    lines += [f"   {i}: {number('10.0.0.9')}:8000 {number(address)}:{port:04X} {state} 00000000:00000000"
              for i, (address, port, state) in enumerate(rows)]
    return "\n".join(lines) + "\n"


class Servers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def test_nothing_is_known(self):
        self.assertEqual(storage.servers(self.root), {})

    def test_mounted(self):
        self.write("proc/self/mountinfo", MOUNTS)
        self.assertEqual(storage.servers(self.root), {
            "10.0.0.5": "nfs4 of /home", "10.0.0.6": "nfs of /old", "2001:db8::5": "nfs4 of /six", "10.1.0.1": "ceph of /ceph",
            "10.1.0.2": "ceph of /ceph", "10.0.0.7": "cifs of /share"})

    def test_disks(self):
        self.write("sys/class/iscsi_connection/connection1:0/address", "10.0.0.8\n")
        self.write("sys/class/nvme/nvme0/address", "0000:3b:00.0\n")
        self.write("sys/class/nvme/nvme1/address", "traddr=10.0.0.4,trsvcid=4420,src_addr=10.0.0.9\n")
        self.assertEqual(storage.servers(self.root), {"10.0.0.8": "iSCSI connection1:0", "10.0.0.4": "NVMe nvme1"})

    def test_network_block_devices(self):
        self.write("proc/net/tcp", sockets(("10.0.0.3", 10809, "01"), ("10.0.0.2", 22, "01"), ("10.0.0.1", 10809, "06")))
        self.assertEqual(storage.servers(self.root), {})
        self.write("sys/block/nbd0/pid", "17\n")
        self.assertEqual(storage.servers(self.root), {"10.0.0.3": "a network block device"})

    def test_the_way_to_them_is_protected(self):
        self.write("proc/self/mountinfo", MOUNTS)
        (self.root / "net/bond0/lower_eth1").mkdir(parents=True)

        def answer(*words):
            if words[:4] == ("ip", "-j", "route", "get"):
                return [{"dst": words[4], "dev": "bond0"}] if words[4] == "10.0.0.5" else []
            return [{"ifname": "bond0"}] if words[2] == "address" else []

        with mock.patch.object(storage, "run_json", answer), mock.patch.object(protect, "run_json", answer):
            found = protect.protected_interfaces([], net=self.root / "net", root=self.root)
        self.assertEqual(found, {"bond0": "nfs4 of /home (10.0.0.5)", "eth1": "nfs4 of /home (10.0.0.5) (below bond0)"})


if __name__ == "__main__":
    unittest.main()
