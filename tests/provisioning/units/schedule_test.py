#!/usr/bin/env python3
"""Whom a host asks for an answer, and with whom it measures in which turn."""

import sys
import unittest

sys.dont_write_bytecode = True

import programs  # noqa: E402, F401
from plans import bcube  # noqa: E402

from gradwire_host import reach, schedule  # noqa: E402


class Reach(unittest.TestCase):
    def test_behind_routes(self):
        """h0 asks the addresses behind its routes that are on none of its switches: four hosts' in BCube(3,2)."""
        plan = bcube(3, 2)["h0"]
        plan["others"] = {f"h{rank}": [f"10.100.{rank // 3}.{rank % 3 + 1}", f"10.101.{rank % 3}.{rank // 3 + 1}"]
                          for rank in range(1, 9)}
        plan["routes"] = [{"to": "10.100.1.0/24", "device": "bc1"}, {"to": "10.101.2.0/24", "device": "bc0"}]
        found = [(number, one["host"], one["port"]) for number, one in reach.routed(plan)]
        self.assertEqual(found, [(1, "h3", 0), (1, "h4", 0), (1, "h5", 0), (0, "h2", 1), (0, "h5", 1), (0, "h8", 1)])

    def test_some_for_each_host(self):
        """Each of 12 hosts asks EACH_ROUTE to twice as many of 99 addresses behind a route; together they ask all."""
        others = {f"h{rank}": [f"10.5.0.{rank}"] for rank in range(1, 100)}
        asked = [[one["host"] for _, one in reach.routed({"rank": rank, "ports": [{"device": "data0"}], "others": others,
                                                          "routes": [{"to": "10.5.0.0/16", "device": "data0"}]})]
                 for rank in range(12)]
        self.assertTrue(all(reach.EACH_ROUTE <= len(hosts) <= 2 * reach.EACH_ROUTE for hosts in asked))
        self.assertEqual({host for hosts in asked for host in hosts}, set(others))


class Schedule(unittest.TestCase):
    def test_rounds_are_disjoint_and_complete(self):
        for count in range(1, 12):
            rounds = schedule.circle(count)
            met = [pair for pairs_of in rounds for pair in pairs_of]
            self.assertEqual(sorted(met), [(a, b) for a in range(count) for b in range(a + 1, count)])
            for pairs_of in rounds:
                seats = [seat for pair in pairs_of for seat in pair]
                self.assertEqual(len(seats), len(set(seats)))

    def test_both_ends_agree(self):
        for kind in (schedule.pair_turns, schedule.incast_turns, schedule.full_turns):
            for plans in (bcube(3, 2), bcube(2, 2)):
                for name, plan in plans.items():
                    for number in range(2):
                        for index, turns in enumerate(kind(plan, number)):
                            for turn in turns:
                                others = kind(plans[turn.peer], turn.peer_port)[index]
                                mirror = [(one.serves, one.service) for one in others
                                          if (one.peer, one.peer_port) == (name, number)]
                                self.assertEqual(mirror.count((not turn.serves, turn.service)), 1)

    def test_everyone_sends_and_receives_once_with_everyone(self):
        plan = bcube(4, 2)["h5"]
        for kind in (schedule.pair_turns, schedule.full_turns):
            turns = [turn for turns in kind(plan, 1) for turn in turns]
            self.assertEqual(sorted((turn.peer, turn.serves) for turn in turns),
                             sorted((one["host"], serves) for one in plan["ports"][1]["neighbours"]
                                    for serves in (False, True)))

    def test_every_port_sends_and_receives_at_once(self):
        for plan in bcube(3, 2).values():
            for number in range(2):
                for turns in schedule.full_turns(plan, number):
                    self.assertEqual(sorted(turn.serves for turn in turns), [False, True])


if __name__ == "__main__":
    unittest.main()
