#!/usr/bin/env python3
"""The judge of what hosts answer: cables, switches that say their names, hosts that answer wrongly or not at all."""

import json
import subprocess
import sys
import unittest

sys.dont_write_bytecode = True

from programs import JUDGE  # noqa: E402
from plans import bcube, listen  # noqa: E402

import wiring  # noqa: E402
from gradwire_host import neighbours  # noqa: E402


def named(found):
    """The ports, as (host, number), that findings fail."""
    return {(one["host"], one["port"]) for one in found if not one["passed"]}


class Wiring(unittest.TestCase):
    def test_right_cables(self):
        plans = bcube(3, 2)
        self.assertEqual(named(wiring.judge(listen(plans, {}), plans)), set())

    def test_every_pair_of_swapped_cables_is_named(self):
        for n, k in ((3, 2), (4, 2), (3, 3)):
            plans = bcube(n, k)
            ends = [(name, number) for name, plan in plans.items() for number in range(k)]
            where = {(name, number): plans[name]["ports"][number]["switch"] for name, number in ends}
            for one in ends[:6]:
                for other in ends:
                    if where[one] == where[other]:
                        continue
                    found = wiring.judge(listen(plans, {one: where[other], other: where[one]}), plans)
                    self.assertEqual(named(found), {one, other})
                    texts = " ".join(entry["message"] for entry in found if not entry["passed"])
                    self.assertIn(f"{one[0]} port {one[1]} (bc{one[1]}): is on switch {where[other]}, "
                                  f"plan says {where[one]}", texts)

    def test_two_hosts_a_switch_names_both_possibilities(self):
        plans = bcube(2, 2)
        found = wiring.judge(listen(plans, {("h0", 1): "L1-1", ("h1", 1): "L1-0"}), plans)
        text = " ".join(entry["message"] for entry in found if not entry["passed"])
        for name in ("h0", "h1", "h2", "h3"):
            self.assertIn(f"{name} port 1", text)

    def test_unplugged(self):
        plans = bcube(3, 2)
        found = wiring.judge(listen(plans, {("h4", 1): None}), plans)
        self.assertEqual(named(found), {("h4", 1)})

    def test_one_switch_where_two_are_planned(self):
        plans = bcube(3, 2)
        merged = {(name, 1): "L1-0" for name, plan in plans.items() if plan["ports"][1]["switch"] == "L1-2"}
        self.assertTrue(named(wiring.judge(listen(plans, merged), plans)))

    def with_addresses(self, plans):
        """What hosts hear of each other, every port by an address of its own."""
        def address(host, port):
            return f"02:00:00:00:{list(plans).index(host):02x}:{port:02x}"
        told = listen(plans, {})
        for name, answer in told.items():
            for entry in answer["ports"]:
                entry["address"] = address(name, entry["port"])
                for other in entry["heard"]:
                    other["addresses"] = [address(other["host"], other["port"])]
        return told

    def test_a_port_has_one_address(self):
        plans = bcube(3, 2)
        self.assertEqual(wiring.contradictions(self.with_addresses(plans)), {})
        self.assertEqual(named(wiring.judge(self.with_addresses(plans), plans)), set())

    # A stranger on switch L0-0 says that it is h8 port 1, which is on another: the switches would be one.
    def test_a_stranger_that_claims_a_port_is_counted_and_decides_nothing(self):
        plans = bcube(3, 2)
        told = self.with_addresses(plans)
        for name in ("h0", "h1", "h2"):
            told[name]["ports"][0]["heard"].append({"host": "h8", "port": 1, "addresses": ["06:00:00:00:00:01"]})
        self.assertEqual(wiring.contradictions(told), {("h8", 1): ["02:00:00:00:08:01", "06:00:00:00:00:01"]})
        found = wiring.judge(told, plans)
        self.assertEqual(named(found), {("h8", 1)})
        self.assertIn("h8 port 1 (bc1): 2 stations say that they are this port: 02:00:00:00:08:01, 06:00:00:00:00:01",
                      [one["message"] for one in found])

    # A port hears a stranger that says it is that very port.
    def test_a_stranger_that_claims_to_be_who_hears_it(self):
        plans = bcube(2, 2)
        told = self.with_addresses(plans)
        told["h0"]["ports"][0]["heard"].append({"host": "h0", "port": 0, "addresses": ["06:00:00:00:00:01"]})
        self.assertEqual(named(wiring.judge(told, plans)), {("h0", 0)})

    def test_switches_that_say_their_name(self):
        plans = bcube(2, 2)
        told = listen(plans, {})
        for name, plan in plans.items():
            plan |= {"all_switches": ["L0-0", "L0-1", "L1-0", "L1-1"], "switch_names": {"L1-1": "leaf3"},
                     "switch_port_name": "swp{next}"}
            for entry in told[name]["ports"]:
                port = plan["ports"][entry["port"]]
                entry["lldp"] = {"switch": plan["switch_names"].get(port["switch"], port["switch"]),
                                 "ports": ["02:00:00:00:00:01", f"swp{port['switch_port'] + 1}"]}
        self.assertEqual(named(wiring.judge(told, plans)), set())
        told["h0"]["ports"][1]["lldp"] = {"switch": "leaf3", "ports": ["swp1"]}
        told["h3"]["ports"][0]["lldp"]["ports"] = ["swp7"]
        found = wiring.judge(told, plans)
        self.assertEqual(named(found), {("h0", 1), ("h3", 0)})
        self.assertIn("h0 port 1 (bc1): is on switch L1-1, plan says L1-0 (LLDP)", [one["message"] for one in found])


class Lldp(unittest.TestCase):
    def test_one_neighbour_and_two(self):
        said = {"bc0": {"chassis": {"leaf1": {}}, "port": {"id": {"type": "local", "value": "etp1"}, "descr": "Ethernet0"}}}
        wanted = {"bc0": {"switch": "leaf1", "ports": ["etp1", "Ethernet0"]}}
        self.assertEqual(neighbours.read_lldp({"lldp": {"interface": said}}), wanted)
        more = {"bc1": {"chassis": {"leaf2": {}}, "port": {"descr": "swp7"}}}
        self.assertEqual(neighbours.read_lldp({"lldp": {"interface": [said, more]}}),
                         {**wanted, "bc1": {"switch": "leaf2", "ports": ["swp7"]}})
        self.assertEqual(neighbours.read_lldp({}), {})

    def test_a_name_of_two_switches_proves_nothing(self):
        plans = bcube(3, 2)
        told = listen(plans, {("h4", 1): None})
        for name, plan in plans.items():
            switches = [f"L{level}-{index}" for level in (0, 1) for index in range(3)]
            plan |= {"all_switches": switches, "switch_names": dict.fromkeys(switches, "box")}
            for entry in told[name]["ports"]:
                entry["lldp"] = {"switch": "box", "ports": []}
        self.assertEqual(named(wiring.judge(told, plans)), {("h4", 1)})


class Judge(unittest.TestCase):
    def ask(self, hosts):
        asked = {"wiring": "bcube(2,2)", "settings": {}, "wanted": ["program"], "hosts": hosts}
        done = subprocess.run([sys.executable, JUDGE], input=json.dumps(asked), text=True,
                              capture_output=True, check=True, timeout=30)
        return json.loads(done.stdout)

    def test_other_program_unreachable_and_broken(self):
        hosts = {}
        for rank, (name, plan) in enumerate(bcube(2, 2).items()):
            told = {"host": {"name": name, "rank": rank, "boot_id": "b", "kernel": "k",
                             "program_digest": "f" * 64 if name == "h2" else "0" * 64}, "checks": []}
            hosts[name] = {"plan": plan, "reached": True, "answers": {"check": {"rc": 0, "stdout": json.dumps(told)}}}
        hosts["h1"] |= {"reached": False, "why": "", "answers": {}}
        hosts["h3"]["answers"]["rping"] = {"rc": 1, "stdout": "", "stderr": "Traceback\nKeyError: 'x'"}
        found = self.ask(hosts)
        failed = [one["message"] for one in found["checks"] if not one["passed"]]
        self.assertEqual(len(failed), 3)
        self.assertFalse(found["passed"])
        self.assertIn("h1: cannot be logged in to", failed)
        self.assertIn("h3: rping: KeyError: 'x'", failed)
        self.assertTrue(any(text.startswith("h2: program has SHA-256 ffff") for text in failed))
        self.assertEqual([one["name"] for one in found["hosts"]], ["h0", "h1", "h2", "h3"])

    def test_why_nobody_could_log_in(self):
        why = ["timed out waiting for ping module test: Missing sudo password",
               "Timeout (12s) waiting for privilege escalation prompt: ",
               "Failed to connect to the host via ssh: Warning: added.\r\nred@192.0.2.11: Permission denied (publickey,password)."]
        found = self.ask({name: {"plan": plan, "reached": False, "why": words, "answers": {}}
                          for words, (name, plan) in zip(why, bcube(2, 2).items())})
        self.assertEqual([one["message"] for one in found["checks"]], [
            "h0: cannot be logged in to: timed out waiting for ping module test: Missing sudo password "
            "(-K asks for the password of sudo)",
            "h1: cannot be logged in to: Timeout (12s) waiting for privilege escalation prompt: "
            "(-K asks for the password of sudo)",
            "h2: cannot be logged in to: Failed to connect to the host via ssh: Warning: added. "
            "red@192.0.2.11: Permission denied (publickey,password)."])


if __name__ == "__main__":
    unittest.main()
