#!/usr/bin/env python3
"""Priorities of data ports, without hosts: what is wanted, compared, set, checked and put back."""

import sys
import unittest
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "ansible/roles/guard/files"))

from gradwire_host import kernel, qos  # noqa: E402

SETTINGS = {"provider": "dcb", "lossless": True, "priority": 3, "share": 60, "dscp": 26, "cnp_dscp": 48, "tos": 106}
DRIVERS_OWN = {"tc_tsa": ["vendor"] * 8, "prio_tc": list(range(8)), "tc_bw": [100] * 8}  # mlx5's, as `dcb` shows it


class Driver:
    """Stands for `dcb` and a driver like mlx5's: keeps what it is told, and says 100 for every class that is not ETS."""

    def __init__(self, refuses=()):
        self.ets, self.pfc, self.entries = dict(DRIVERS_OWN), [False] * 8, []
        self.refuses, self.told = refuses, []

    def run_json(self, *words):
        ets = {**self.ets, "tc_bw": [share if tsa == "ets" else 100
                                     for share, tsa in zip(self.ets["tc_bw"], self.ets["tc_tsa"])]}
        return {"app": {"dscp_prio": self.entries}, "pfc": {"prio_pfc": self.pfc, "delay": 7}, "ets": ets}.get(words[2], [])

    def run(self, *words):
        self.told.append(words)
        if words[1] in self.refuses:
            return CompletedProcess(words, 1, "", "not supported")
        {"app": self.set_entry, "pfc": self.set_pfc, "ets": self.set_ets}[words[1]](words)
        return CompletedProcess(words, 0, "", "")

    def set_entry(self, words):
        entry = [int(number) for number in words[-1].split(":")]
        self.entries = [one for one in self.entries if one != entry] + ([entry] if words[2] == "add" else [])

    def set_pfc(self, words):
        self.pfc = [word.endswith(":on") for word in words[6:]]

    def set_ets(self, words):
        parts = [[word.split(":")[1] for word in words[at + 1:at + 9]] for at in (5, 14, 23)]
        self.ets = {"tc_tsa": parts[0], "prio_tc": list(map(int, parts[1])), "tc_bw": list(map(int, parts[2]))}
        assert sum(self.ets["tc_bw"]) == (100 if "ets" in parts[0] else 0), words  # as iproute2 has it


class Priorities(unittest.TestCase):
    def use(self, driver):
        """Has the programs ask and tell this driver."""
        for where, name, what in ((kernel, "run_json", driver.run_json), (kernel, "run", driver.run), (qos, "run", driver.run)):
            patch = mock.patch.object(where, name, what)
            patch.start()
            self.addCleanup(patch.stop)
        return driver

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

    def test_mlnx_qos_is_told_trust_and_priority_one_after_the_other(self):
        told = []
        with mock.patch.object(qos, "run", lambda *words: told.append(words) or CompletedProcess(words, 0, "", "")):
            qos.apply_mlnx_qos("bc0", SETTINGS)
        self.assertEqual([" ".join(words) for words in told], [
            "mlnx_qos -i bc0 --trust dscp --pfc 0,0,0,1,0,0,0,0 --prio_tc 0,0,0,3,0,0,0,0 "
            "--tsa ets,strict,strict,ets,strict,strict,strict,strict --tcbw 40,0,0,60,0,0,0,0",
            "mlnx_qos -i bc0 --dscp2prio set,26,3"])


if __name__ == "__main__":
    unittest.main()
