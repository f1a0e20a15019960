#!/usr/bin/env python3
"""Interfaces and RDMA devices as guard finds, describes and names them, without hosts."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

sys.dont_write_bytecode = True

import programs  # noqa: E402, F401

from gradwire_host import checks, devices, main, network, ports, protect  # noqa: E402
from gradwire_host.system import Refused  # noqa: E402


class Interfaces(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        self.net = self.root / "class/net"
        for name, pci, mac in (("eth0", "0000:00:03.0", "02:00:00:00:00:01"), ("eth1", "0000:3b:00.0", "02:00:00:00:00:02")):
            device = self.root / "devices/pci0000:00" / pci / "virtio0"
            device.mkdir(parents=True)
            (self.net / name).mkdir(parents=True)
            (self.net / name / "device").symlink_to(device)
            (self.net / name / "address").write_text(mac + "\n")
        bond = self.net / "bond0"
        (bond / "lower_eth1").mkdir(parents=True)
        (bond / "address").write_text("02:00:00:00:00:02\n")

    def test_found(self):
        for port in ({"pci": "3b:00.0"}, {"mac": "02:00:00:00:00:02"}, {"interface": "eth1"}):
            self.assertEqual(ports.find_interface(port, self.net), "eth1")

    def test_absent(self):
        with self.assertRaisesRegex(Refused, "no interface with PCI address 4c:00.0"):
            ports.find_interface({"pci": "4c:00.0"}, self.net)

    def test_what_is_below_ssh_is_protected(self):
        self.assertEqual(protect.lower_interfaces("bond0", self.net), ["eth1"])

    def test_rdma_device_by_its_first_gid_or_any(self):
        for device, owners in (("rbc0", ("eth0", "", "eth1", "vlan7")), ("rbc1", ("eth1", ""))):
            folder = self.root / f"rdma/{device}/ports/1/gid_attrs/ndevs"
            folder.mkdir(parents=True)
            for number, owner in enumerate(owners):
                (folder / str(number)).write_text(owner + "\n")
        found = [ports.rdma_device(interface, self.root / "rdma") for interface in ("eth0", "eth1", "vlan7", "eth2")]
        self.assertEqual(found, [("rbc0", 1), ("rbc1", 1), ("rbc0", 1), None])
        self.assertIsNone(ports.rdma_device("eth0", self.root / "no RDMA here"))

    def test_gid_by_type_interface_and_address(self):
        folder = self.root / "rdma/rbc0/ports/1"
        rows = [("fe80:0000:0000:0000:0000:00ff:fe00:0001", "RoCE v2", "eth1"),
                ("0000:0000:0000:0000:0000:ffff:0a64:0001", "IB/RoCE v1", "eth1"),
                ("0000:0000:0000:0000:0000:ffff:0a64:0001", "RoCE v2", "eth1")]
        for part in ("gids", "gid_attrs/types", "gid_attrs/ndevs"):
            (folder / part).mkdir(parents=True)
        for index, (gid, kind, interface) in enumerate(rows):
            (folder / "gids" / str(index)).write_text(gid + "\n")
            (folder / "gid_attrs/types" / str(index)).write_text(kind + "\n")
            (folder / "gid_attrs/ndevs" / str(index)).write_text(interface + "\n")
        self.assertEqual(checks.gid_index(("rbc0", 1), "eth1", "10.100.0.1", self.root / "rdma"), 2)
        self.assertIsNone(checks.gid_index(("rbc0", 1), "eth1", "10.100.0.2", self.root / "rdma"))


class Devices(unittest.TestCase):
    """A host with two ports: bc0 is a NIC that describes itself fully, bc1 a virtio device with Soft-RoCE."""

    plan = {"host": "red", "rank": 0, "mtu": 4200, "ports": [{"device": "bc0"}, {"device": "bc1"}]}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for number, name in enumerate(("bc0", "bc1")):
            self.write(f"net/{name}/mtu", "4200")
            self.write(f"net/{name}/speed", "100000")
            self.write(f"infiniband/r{name}/ports/1/gid_attrs/ndevs/0", name)
            self.write(f"infiniband/r{name}/fw_ver", ("28.39.1002", "")[number])
        for name, text in (("current_link_speed", "16.0 GT/s PCIe"), ("max_link_speed", "16.0 GT/s PCIe"),
                           ("current_link_width", "16"), ("max_link_width", "16")):
            self.write(f"net/bc0/device/{name}", text)
        self.active = {"rbc0": "4096 (5)", "rbc1": "4096 (5)"}
        for where, name, what in ((ports, "NET", self.root / "net"), (devices, "run", self.run_program)):
            patch = mock.patch.object(where, name, what)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text + "\n")

    def run_program(self, *words):
        said = self.active.get(words[2])
        text = f"\t\t\tmax_mtu:\t\t4096 (5)\n\t\t\tactive_mtu:\t\t{said}\n"
        return subprocess.CompletedProcess(words, 0 if said else 127, text if said else "", "")

    def failures(self, check):
        return [one["message"] for one in check(self.plan) if not one["passed"]]

    def test_identity(self):
        first, second = checks.identity(self.plan)["ports"]
        self.assertEqual(first, {"port": 0, "device": "bc0", "rdma": "rbc0", "firmware": "28.39.1002",
                                 "pcie_current_link_speed": "16.0 GT/s PCIe", "pcie_max_link_speed": "16.0 GT/s PCIe",
                                 "pcie_current_link_width": "16", "pcie_max_link_width": "16"})
        self.assertEqual((second["rdma"], second["firmware"], second["pcie_max_link_width"]), ("rbc1", None, None))

    def test_pcie_that_carries_less_than_the_port(self):
        """x8 at 16 GT/s carries 126 Gbit/s (128 bits take 130), x4 carries 63, and x8 at 5 GT/s 32 (8 bits take 10)."""
        for width, speed, failures in (("8", "16.0 GT/s PCIe", []), ("8", "Unknown", []),
                                       ("4", "16.0 GT/s PCIe", ["PCIe x4 at 16 GT/s carries 63 Gbit/s, the port 100"]),
                                       ("8", "5.0 GT/s PCIe", ["PCIe x8 at 5 GT/s carries 32 Gbit/s, the port 100"])):
            self.write("net/bc0/device/current_link_width", width)
            self.write("net/bc0/device/current_link_speed", speed)
            self.assertEqual(self.failures(checks.check_speed), [f"red port 0 (bc0): {one}" for one in failures])

    def test_active_mtu(self):
        self.assertEqual(self.failures(checks.check_mtu), [])
        self.active["rbc1"] = "1024 (3)"
        self.assertEqual(self.failures(checks.check_mtu), ["red port 1 (bc1): RDMA device rbc1 has active MTU 1024, "
                                                           "MTU 4200 of the interface gives 4096"])
        self.active = {"rbc0": "invalid MTU (0)"}  # rbc1 has no active MTU
        self.assertEqual(len(checks.check_mtu(self.plan)), 2)

    def test_packets_that_fit(self):
        for mtu, fits in ((1500, {1024}), (9000, {4096}), (4200, {4096}), (4160, {4096, 2048}), (4150, {2048}), (200, {0})):
            self.assertEqual(devices.possible_mtus(mtu), fits)


class Renamed(unittest.TestCase):
    """Stands for `rdma` and `ip`, which refuse a name that is in use, and for what the kernel knows of the names."""

    def setUp(self):
        self.devices = {"0000:3b:00.0": "rbc0", "0000:5e:00.0": "rbc1"}  # {place: name}
        self.interfaces = {"0000:3b:00.0": "bc0", "0000:5e:00.0": "bc1"}
        for name, stand_in in (("run", self.run_program), ("rdma_device", self.rdma_device),
                               ("find_interface", lambda port, net=None: self.interfaces[port["pci"]])):
            patch = mock.patch.object(ports, name, stand_in)
            patch.start()
            self.addCleanup(patch.stop)

    def run_program(self, *words):
        names = self.devices if words[0] == "rdma" else self.interfaces
        if "name" in words:
            now, then = words[words.index("name") - 1], words[-1]
            place = next((place for place, name in names.items() if name == now), None)
            if place is None or then in names.values() or then == "taken":
                return CompletedProcess(words, 1, "", "error: No such device\n" if place is None else "error: File exists\n")
            names[place] = then
        return CompletedProcess(words, 0, "", "")

    def rdma_device(self, interface):
        return next(((self.devices[place], 1) for place, name in self.interfaces.items()
                     if name == interface and place in self.devices), None)

    def plan(self, *rdma):
        return {"ports": [{"device": name, "pci": pci, "rdma": device} for device, (pci, name)
                          in zip(rdma, self.interfaces.items())]}

    def test_devices_that_have_each_others_names(self):
        with mock.patch("builtins.print") as printed:
            with mock.patch.object(main, "read_plan", lambda _: self.plan("rbc1", "rbc0")):
                main.change(main.parse(["name", "--rdma"]))
        printed.assert_called_once_with("RDMA device rbc0 is rbc1\nRDMA device rbc1 is rbc0")
        self.assertEqual(list(self.devices.values()), ["rbc1", "rbc0"])
        self.assertEqual(ports.give_rdma_names(self.plan("rbc1", "rbc0")), [])

    def test_a_refusal_is_told_and_the_others_get_their_names(self):
        with self.assertRaisesRegex(Refused, "^RDMA device rbc0 could not be called taken: error: File exists$"):
            ports.give_rdma_names(self.plan("taken", "mlx5_1"))
        self.assertEqual(list(self.devices.values()), ["rbc0", "mlx5_1"])

    def test_ports_without_a_device_or_a_name_for_it(self):
        del self.devices["0000:3b:00.0"]
        plan = self.plan("rbc7", "rbc8")
        del plan["ports"][1]["rdma"]
        self.assertEqual(ports.give_rdma_names(plan), [])

    def snapshot(self, *rdma):
        """A snapshot from a time when both ports' interfaces had each other's names."""
        return {"ports": [{"device": "x", "pci": pci, "found": name, "rdma_found": [device, 1]} for pci, name, device
                          in zip(self.interfaces, reversed(self.interfaces.values()), rdma)],
                "links": {"bc0": {}, "bc1": {}}}

    def roll_back(self, was):
        with mock.patch.object(network, "same_port", lambda was, name, now: name == now):
            with mock.patch.object(network, "rescue", lambda was, restored: [f"the rest of {len(restored)}"]):
                return network.restore(was)

    def test_rolling_back_ports_that_change_places(self):
        self.assertEqual(self.roll_back(self.snapshot("rbc1", "rbc0")),
                         ["bc0 is bc1", "bc1 is bc0", "RDMA device rbc0 is rbc1", "RDMA device rbc1 is rbc0", "the rest of 2"])
        self.assertEqual(list(self.interfaces.values()), ["bc1", "bc0"])
        self.assertEqual(list(self.devices.values()), ["rbc1", "rbc0"])

    def test_rolling_back_goes_on_and_says_what_was_refused(self):
        done = self.roll_back(self.snapshot("taken", "mlx5_1"))
        self.assertIn("RDMA device rbc0 could not be called taken: error: File exists", done)
        self.assertIn("RDMA device rbc1 is mlx5_1", done)
        self.assertEqual(done[-1], "the rest of 2")
        self.assertEqual(list(self.devices.values()), ["rbc0", "mlx5_1"])


if __name__ == "__main__":
    unittest.main()
