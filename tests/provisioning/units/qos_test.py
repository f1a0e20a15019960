#!/usr/bin/env python3
"""Priorities of data ports: what is wanted, compared, set and checked."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

sys.dont_write_bytecode = True

from qos_host import SETTINGS, Driver, Host  # noqa: E402

from gradwire_host import kernel, ports, qos  # noqa: E402


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
        self.assertEqual(done[0], "bc0: DCBX by = the host")  # the driver refuses all else before this
        self.assertEqual((driver.dcbx, len(done)), ({"host": True, "ieee": True}, 4))
        self.assertEqual(qos.apply_dcb("bc0", SETTINGS), [])
        self.assertEqual(kernel.restore_dcb("bc0", before)[-1], "bc0: dcbx as before")
        self.assertEqual(driver.dcbx, before["dcbx"])

    def test_who_may_overrule_the_host(self):
        def found(**state):
            return [one.found for one in qos.compare_dcbx("bc0", {"dcbx": state})]

        self.assertEqual(qos.compare_dcbx("bc0", {}), [])  # the driver does not say
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
    """Runs the check `qos` on a host whose files are in a folder."""

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
        self.write("sys/class/infiniband/rbc0/tc/1/traffic_class", "Global tclass=106")  # the driver's words for 106
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


if __name__ == "__main__":
    unittest.main()
