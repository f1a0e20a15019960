#!/usr/bin/env python3
"""Priorities of data ports, without hosts: what is wanted, compared, set, checked and put back."""

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ansible/roles/guard/files"))

from gradwire_host import kernel, ports, qos  # noqa: E402

SETTINGS = {"provider": "dcb", "lossless": True, "priority": 3, "share": 60, "dscp": 26, "cnp_dscp": 48, "tos": 106}
DRIVERS_OWN = {"tc_tsa": ["vendor"] * 8, "prio_tc": list(range(8)), "tc_bw": [100] * 8}  # mlx5's, as `dcb` shows it


class Driver:
    """Stands for `dcb` and a driver like mlx5's: keeps what it is told, and says 100 for every class that is not ETS."""

    def __init__(self, refuses=()):
        self.ets, self.pfc, self.entries = dict(DRIVERS_OWN), [False] * 8, []
        self.dcbx = {"host": True, "ieee": True}
        self.refuses, self.told, self.lldpad = refuses, [], "inactive"

    def run_json(self, *words):
        ets = {**self.ets, "tc_bw": [share if tsa == "ets" else 100
                                     for share, tsa in zip(self.ets["tc_bw"], self.ets["tc_tsa"])]}
        return {"app": {"dscp_prio": self.entries}, "pfc": self.pfc and {"prio_pfc": self.pfc, "delay": 7}, "ets": ets,
                "dcbx": self.dcbx}[words[2]]

    def run(self, *words):
        if words[0] == "systemctl":
            return CompletedProcess(words, 0 if self.lldpad == "active" else 3, self.lldpad + "\n", "")
        self.told.append(words)
        if words[1] in self.refuses:
            return CompletedProcess(words, 1, "", "not supported")
        {"app": self.set_entry, "pfc": self.set_pfc, "ets": self.set_ets, "dcbx": self.set_dcbx}[words[1]](words)
        return CompletedProcess(words, 0, "", "")

    def set_entry(self, words):
        entry = [int(number) for number in words[-1].split(":")]
        self.entries = [one for one in self.entries if one != entry] + ([entry] if words[2] == "add" else [])

    def set_dcbx(self, words):
        self.dcbx = {word.replace("-", "_"): True for word in words[5:]}

    def set_pfc(self, words):
        self.pfc = [word.endswith(":on") for word in words[6:]]

    def set_ets(self, words):
        parts = [[word.split(":")[1] for word in words[at + 1:at + 9]] for at in (5, 14, 23)]
        self.ets = {"tc_tsa": parts[0], "prio_tc": list(map(int, parts[1])), "tc_bw": list(map(int, parts[2]))}
        assert sum(self.ets["tc_bw"]) == (100 if "ets" in parts[0] else 0), words  # as iproute2 has it


class Host(unittest.TestCase):
    def use(self, driver):
        """Has the programs ask and tell this driver."""
        self.replace(kernel, "run_json", driver.run_json)
        self.replace(kernel, "run", driver.run)
        self.replace(qos, "run", driver.run)
        return driver

    def replace(self, where, name, what):
        patch = mock.patch.object(where, name, what)
        patch.start()
        self.addCleanup(patch.stop)


class Priorities(Host):
    def test_shares_are_of_one_line(self):
        ets = qos.wanted_ets(SETTINGS)
        self.assertEqual(sum(ets["tc_bw"]), 100)
        self.assertEqual((ets["tc_bw"][3], ets["prio_tc"][3], ets["prio_tc"][4]), (60, 3, 0))

    def test_words(self):
        self.assertEqual(kernel.dcb_words("pfc", {"prio_pfc": qos.wanted_pfc(SETTINGS)}),
                         ["prio-pfc", "0:off", "1:off", "2:off", "3:on", "4:off", "5:off", "6:off", "7:off"])

    def test_only_classes_of_ets_have_a_share(self):
        self.use(Driver())
        self.assertEqual(kernel.dcb_state("bc0")["ets"]["tc_bw"], [0] * 8)

    def test_set_once_and_put_back(self):
        driver = self.use(Driver())
        before = kernel.dcb_state("bc0")
        self.assertEqual(len(qos.apply_dcb("bc0", SETTINGS)), 3)
        self.assertEqual(qos.apply_dcb("bc0", SETTINGS), [])
        self.assertEqual(kernel.restore_dcb("bc0", before), ["bc0: no DSCP 26:3", "bc0: pfc as before", "bc0: ets as before"])
        self.assertEqual(kernel.dcb_state("bc0"), before)
        self.assertEqual(driver.ets["tc_tsa"], ["vendor"] * 8)
        self.assertEqual(kernel.restore_dcb("bc0", before), [])

    def test_what_the_driver_refuses_is_not_called_restored(self):
        driver = self.use(Driver())
        before = kernel.dcb_state("bc0")
        qos.apply_dcb("bc0", SETTINGS)
        driver.refuses = ("ets",)
        self.assertEqual(kernel.restore_dcb("bc0", before)[-1], "bc0: ets could not be restored")

    def test_the_host_decides_instead_of_the_firmware_until_it_is_put_back(self):
        driver = self.use(Driver())
        driver.dcbx = {"lld_managed": True, "cee": True, "ieee": True}
        before = kernel.dcb_state("bc0")
        done = qos.apply_dcb("bc0", SETTINGS)
        self.assertEqual(done[0], "bc0: DCBX by = the host")  # first: such a driver takes nothing else before
        self.assertEqual((driver.dcbx, len(done)), ({"host": True, "ieee": True}, 4))
        self.assertEqual(qos.apply_dcb("bc0", SETTINGS), [])
        self.assertEqual(kernel.restore_dcb("bc0", before)[-1], "bc0: dcbx as before")
        self.assertEqual(driver.dcbx, before["dcbx"])

    def test_who_may_overrule_the_host(self):
        def found(**state):
            return [one.found for one in qos.compare_dcbx("bc0", {"dcbx": state})]

        self.assertEqual(qos.compare_dcbx("bc0", {}), [])  # not said
        self.assertEqual((found(host=True, cee=True), found(static=True)), ([], []))
        self.assertEqual(found(cee=True, ieee=True), ["the firmware (cee ieee)"])
        self.assertEqual(found(host=True, lld_managed=True), ["the firmware (host lld-managed)"])

    def test_mlnx_qos_takes_the_word_from_the_firmware_first(self):
        driver = self.use(Driver())
        driver.dcbx = {"cee": True, "ieee": True}
        told = []
        with mock.patch.object(qos, "run", lambda *words: told.append(words) or CompletedProcess(words, 0, "", "")):
            qos.apply_mlnx_qos("bc0", SETTINGS)
        self.assertEqual(told[0], ("dcb", "dcbx", "set", "dev", "bc0", "host", "ieee"))

    def test_mlnx_qos_is_told_trust_and_priority_one_after_the_other(self):
        driver = self.use(Driver())
        told = []
        with mock.patch.object(qos, "run", lambda *words: told.append(words) or CompletedProcess(words, 0, "", "")):
            self.assertEqual(len(qos.apply_mlnx_qos("bc0", SETTINGS)), 3)
            self.assertEqual([" ".join(words) for words in told], [
                "mlnx_qos -i bc0 --trust dscp --pfc 0,0,0,1,0,0,0,0 --prio_tc 0,0,0,3,0,0,0,0 "
                "--tsa ets,strict,strict,ets,strict,strict,strict,strict --tcbw 40,0,0,60,0,0,0,0",
                "mlnx_qos -i bc0 --dscp2prio set,26,3"])
        qos.apply_dcb("bc0", SETTINGS)
        self.assertEqual((qos.apply_mlnx_qos("bc0", SETTINGS), len(told)), ([], 2))
        self.assertEqual(len(driver.told), 3)


class Check(Host):
    """The check `qos`, on a host whose files are in a folder."""

    plan = {"host": "red", "ports": [{"device": "bc0"}], "qos": SETTINGS}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name, text in (("sys/class/net/bc0/carrier", "1"), ("sys/class/net/bc0/ecn/roce_np/enable/3", "0"),
                           ("sys/class/net/bc0/ecn/roce_rp/enable/3", "0"), ("sys/class/net/bc0/ecn/roce_np/cnp_dscp", "0"),
                           ("sys/class/infiniband/rbc0/ports/1/gid_attrs/ndevs/0", "bc0"),
                           ("sys/class/infiniband/rbc0/tc/1/traffic_class", ""),
                           ("sys/kernel/config/rdma_cm/rbc0/ports/1/default_roce_tos", "0")):
            self.write(name, text)
        self.write("host-qos.json", json.dumps(SETTINGS))
        self.replace(ports, "NET", self.root / "sys/class/net")
        self.replace(qos, "SETTINGS", self.root / "host-qos.json")
        self.replace(qos, "TOGGLE_SECONDS", 0)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text + "\n")

    def failures(self, plan=None):
        return [one["message"] for one in qos.check_qos(plan or self.plan, self.root) if not one["passed"]]

    def set_all(self):
        driver = self.use(Driver())
        qos.apply_dcb("bc0", SETTINGS)
        self.assertEqual(len(qos.set_values("bc0", SETTINGS, self.root)), 5)
        self.write("sys/class/infiniband/rbc0/tc/1/traffic_class", "Global tclass=106")  # what the driver makes of it
        return driver

    def test_right(self):
        self.set_all()
        self.assertEqual(qos.set_values("bc0", SETTINGS, self.root), [])
        found = qos.check_qos(self.plan, self.root)
        self.assertEqual([(one["passed"], one["port"], one["found"]) for one in found], [(True, 0, "lossless")])

    def without(self, *names):
        for name in names:
            (self.root / name).unlink()

    def test_what_this_driver_has_no_file_for_is_not_called_right(self):
        self.set_all()
        self.without("sys/class/net/bc0/ecn/roce_rp/enable/3", "sys/class/infiniband/rbc0/tc/1/traffic_class")
        found = qos.check_qos(self.plan, self.root)
        self.assertEqual([(one["passed"], one["message"]) for one in found], [(True,
                         "red port 0 (bc0): trust, PFC, ETS, answers to marks, DSCP of CNP, type of service by rdma_cm as "
                         "wanted: lossless; not settable by this driver: heed of answers, forced traffic class")])
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(qos.set_values("bc0", SETTINGS, self.root), [])
        self.assertEqual(said.getvalue(), "bc0: not settable by this driver: heed of answers, forced traffic class\n")

    def test_lossless_fails_where_trust_or_pauses_cannot_be_seen(self):
        driver = self.set_all()
        driver.pfc = []
        self.assertEqual(self.failures(), ["red port 0 (bc0): PFC unknown, wanted on 3"])
        driver.pfc, driver.entries = qos.wanted_pfc(SETTINGS), []
        self.assertEqual(self.failures(), ["red port 0 (bc0): priority of DSCP 26 none, wanted 3"])

    def test_a_folder_of_rdma_cm_whose_device_is_gone(self):
        self.set_all()
        self.without("sys/kernel/config/rdma_cm/rbc0/ports/1/default_roce_tos")
        self.assertEqual(self.failures(), ["red port 0 (bc0): type of service by rdma_cm none, wanted 106"])

    def test_others_who_set_priorities(self):
        driver = self.set_all()
        driver.lldpad, driver.dcbx = "active", {"lld_managed": True}
        self.assertEqual(self.failures(), ["red: lldpad is active, which overwrites these priorities",
                                           "red port 0 (bc0): DCBX by the firmware (lld-managed), wanted the host"])

    def test_wrong_pauses(self):
        driver = self.set_all()
        driver.pfc = [False] * 8
        self.assertEqual(self.failures(), ["red port 0 (bc0): PFC on nothing, wanted on 3"])

    def test_all_that_was_never_set(self):
        self.use(Driver())
        texts = self.failures()
        self.assertEqual(len(texts), 8)
        self.assertIn("red port 0 (bc0): priority of DSCP 26 none, wanted 3", texts)
        self.assertTrue(any(text.endswith("default_roce_tos 0, wanted 106") for text in texts))

    def test_no_dcb_and_no_rdma_device(self):
        self.use(Driver())
        self.replace(kernel, "run_json", lambda *words: [])
        self.write("sys/class/infiniband/rbc0/ports/1/gid_attrs/ndevs/0", "other")
        texts = " ".join(self.failures())
        self.assertIn("dcb cannot say", texts)
        self.assertIn("type of service of RDMA unknown (no RDMA device), wanted 106", texts)

    def test_file_of_another_plan(self):
        self.set_all()
        texts = self.failures({**self.plan, "qos": {**SETTINGS, "lossless": False}})
        self.assertEqual(texts, [f"red: {qos.SETTINGS} says lossless True, plan says lossless False"])

    def test_left_as_they_are(self):
        self.write("host-qos.json", json.dumps({**SETTINGS, "provider": "none"}))
        found = qos.check_qos({**self.plan, "qos": {"provider": "none"}}, self.root)
        self.assertEqual([(one["passed"], one["message"]) for one in found], [(True, "red: priorities are left as they are")])

    def test_only_an_interface_that_is_to_have_an_rdma_device_waits_for_it(self):
        self.replace(qos, "run", lambda *words: None)
        self.write("sys/class/infiniband/rbc0/ports/1/gid_attrs/ndevs/0", "other")
        self.assertTrue(qos.wait_for_rdma("bc0", 0, self.root))
        for driver, found in (("virtio_net", True), ("mlx5_core", False)):
            (self.root / "drivers" / driver).mkdir(parents=True)
            device = self.root / "sys/class/net/bc0/device"
            device.mkdir(exist_ok=True)
            (device / "driver").unlink(missing_ok=True)
            (device / "driver").symlink_to(self.root / "drivers" / driver)
            self.assertEqual(bool(qos.wait_for_rdma("bc0", 0, self.root)), found)
        self.write("sys/class/infiniband/rbc0/ports/1/gid_attrs/ndevs/0", "bc0")
        self.assertTrue(qos.wait_for_rdma("bc0", 0, self.root))

    def test_waits_for_the_carrier_that_was_there(self):
        looks = iter(["1", "0", "0", "1"])
        self.replace(qos, "read_text", lambda path: next(looks))
        self.replace(qos.time, "sleep", lambda seconds: None)
        with qos.carrier_kept("bc0"):
            pass
        self.assertEqual(list(looks), [])


class Back(Host):
    """The types of service of RDMA, put back on a host whose files are in a folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.replace(kernel, "run_json", lambda *words: [])
        self.replace(kernel, "restore_rdma", lambda was: [])
        self.replace(Path, "mkdir", lambda path, exist_ok: self.make(path))
        self.replace(Path, "rmdir", lambda path: self.remove(path))
        self.tos = {}  # of devices: rdma_cm keeps it without a folder, too
        self.write("sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0", "eth1")

    def write(self, name, text):
        os.makedirs((self.root / name).parent, exist_ok=True)
        (self.root / name).write_text(text)

    def file(self, device):
        return self.root / f"sys/kernel/config/rdma_cm/{device}/ports/1/default_roce_tos"

    def make(self, path):
        """As configfs does: with the folder comes what the device has."""
        if not path.is_dir():
            self.write(self.file(path.name).relative_to(self.root), self.tos[path.name])

    def remove(self, path):
        if self.file(path.name).is_file():
            self.tos[path.name] = self.file(path.name).read_text()
        shutil.rmtree(path)

    def capture(self):
        return {f"/{path.relative_to(self.root)}": path.read_text() for pattern in kernel.VALUES
                for path in self.root.glob(pattern)}

    def restore(self, values):
        was = {"sysctls": {}, "values": values, "dcb": {}, "modules": [], "rdma_links": {}}
        return kernel.restore(was, set(), ["eth1", None], True, self.root)

    def test_a_folder_that_was_not_there_goes_and_the_device_forgets(self):
        was = self.capture()
        self.write(self.file("mlx5_0").relative_to(self.root), "106")
        folder = self.root / "sys/kernel/config/rdma_cm/mlx5_0"
        self.assertEqual(self.restore(was), ["type of service of mlx5_0 = 0", f"removed {folder}"])
        self.assertEqual((folder.exists(), self.tos), (False, {"mlx5_0": "0"}))
        self.assertEqual(self.restore(was), [])

    def test_a_device_that_has_its_old_name_again(self):
        was = self.capture()
        self.tos["mlx5_0"] = "106"  # set when it was rbc0
        os.makedirs(self.root / "sys/kernel/config/rdma_cm/rbc0")
        self.restore(was)
        self.assertEqual(self.tos, {"mlx5_0": "0"})
        self.assertEqual(list((self.root / "sys/kernel/config/rdma_cm").iterdir()), [])

    def test_a_folder_that_was_there_stays_with_its_value(self):
        self.write(self.file("mlx5_0").relative_to(self.root), "32")
        was = self.capture()
        self.file("mlx5_0").write_text("106")
        self.assertEqual(self.restore(was), ["/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos = 32"])
        self.assertEqual(self.file("mlx5_0").read_text(), "32")

    def test_a_folder_that_stays_is_named(self):
        os.makedirs(self.root / "sys/kernel/config/rdma_cm/rbc0")
        self.tos["mlx5_0"] = "0"
        with mock.patch.object(Path, "rmdir", mock.Mock(side_effect=OSError(16, "busy"))):
            self.assertIn("rbc0 could not be removed: busy", " ".join(self.restore({})))

    def test_a_value_that_the_kernel_refuses_is_named(self):
        self.write("sys/class/net/eth1/ecn/roce_np/cnp_dscp", "48")
        with mock.patch.object(kernel, "write_text", lambda path, text: False):
            self.assertEqual(self.restore({"/sys/class/net/eth1/ecn/roce_np/cnp_dscp": "0"}),
                             ["/sys/class/net/eth1/ecn/roce_np/cnp_dscp could not be set to 0"])

    def test_forced_traffic_class(self):
        """The driver takes a number, and shows it with words; none is -1."""
        for was, told in (("Global tclass=32\n", "32"), ("", "-1")):
            self.write("sys/class/infiniband/mlx5_0/tc/2/traffic_class", was)
            values = self.capture()
            self.write("sys/class/infiniband/mlx5_0/tc/2/traffic_class", "Global tclass=106\n")
            self.restore(values)
            self.assertEqual((self.root / "sys/class/infiniband/mlx5_0/tc/2/traffic_class").read_text(), told)


if __name__ == "__main__":
    unittest.main()
