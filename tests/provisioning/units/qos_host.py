"""A host whose `dcb` and driver are stand-ins, for tests of the priorities of its data ports."""

import unittest
from subprocess import CompletedProcess
from unittest import mock

import programs  # noqa: F401

from gradwire_host import kernel, qos

SETTINGS = {"provider": "dcb", "lossless": True, "priority": 3, "share": 60, "dscp": 26, "cnp_dscp": 48, "tos": 106}
DRIVERS_OWN = {"tc_tsa": ["vendor"] * 8, "prio_tc": list(range(8)), "tc_bw": [100] * 8}  # as `dcb` shows those of mlx5


class Driver:
    """Stands for `dcb` and a driver like mlx5's, which says a share of 100 for every class that is not ETS."""

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
        assert sum(self.ets["tc_bw"]) == (100 if "ets" in parts[0] else 0), words  # iproute2 wants this sum


class Host(unittest.TestCase):
    """A test whose replacements of functions end with it."""

    def use(self, driver):
        """Replaces the host's `dcb` with the driver's, and returns the driver."""
        self.replace(kernel, "run_json", driver.run_json)
        self.replace(kernel, "run", driver.run)
        self.replace(qos, "run", driver.run)
        return driver

    def replace(self, where, name, what):
        patch = mock.patch.object(where, name, what)
        patch.start()
        self.addCleanup(patch.stop)
