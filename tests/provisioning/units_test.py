#!/usr/bin/env python3
"""The programs on hosts, and the judge of their answers, without hosts."""

import base64
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROLES = Path(__file__).resolve().parents[2] / "ansible/roles"
sys.dont_write_bytecode = True
sys.path[:0] = [str(ROLES / "guard/files"), str(ROLES / "verify/files")]

import wiring  # noqa: E402
from gradwire_host import files, kernel, neighbours, pairs, ports, reach, schedule, tuning  # noqa: E402
from gradwire_host.system import Refused  # noqa: E402


def bcube(n, k):
    """{host: plan} of BCube(n,k), hosts by digits: port l is on switch L<l>-<digits without digit l>."""
    def digit(rank, level):
        return rank // n**level % n

    def switch(rank, level):
        return f"L{level}-{rank % n**level + rank // n**(level + 1) * n**level}"

    names = [f"h{rank}" for rank in range(n**k)]
    plans = {}
    for rank, name in enumerate(names):
        own = []
        for level in range(k):
            near = [other for other in range(n**k) if other != rank and switch(other, level) == switch(rank, level)]
            own.append({"device": f"bc{level}", "switch": switch(rank, level), "switch_port": digit(rank, level),
                        "address": f"10.{100 + level}.{switch(rank, level).split('-')[1]}.{digit(rank, level) + 1}",
                        "prefix_length": 24,
                        "neighbours": [{"host": names[other], "port": level,
                                        "address": f"10.{100 + level}.{switch(other, level).split('-')[1]}."
                                                   f"{digit(other, level) + 1}"} for other in near]})
        plans[name] = {"host": name, "rank": rank, "wiring": f"bcube({n},{k})", "ports": own}
    return plans


def listen(plans, moved):
    """What `guard neighbours` prints on every host when the ports of `moved` are in other switches."""
    place = {(name, number): moved.get((name, number), port["switch"])
             for name, plan in plans.items() for number, port in enumerate(plan["ports"])}
    return {name: {"host": name, "ports": [
        {"port": number, "lldp": None,
         "heard": [{"host": other, "port": there} for (other, there), switch in place.items()
                   if switch == place[name, number] and switch and (other, there) != (name, number)]}
        for number in range(len(plan["ports"]))]} for name, plan in plans.items()}


def named(found):
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


class Reach(unittest.TestCase):
    def test_behind_routes(self):
        """In BCube(3,2) four hosts share no switch with h0; what is behind its routes, and not near, is asked."""
        plan = bcube(3, 2)["h0"]
        plan["others"] = {f"h{rank}": [f"10.100.{rank // 3}.{rank % 3 + 1}", f"10.101.{rank % 3}.{rank // 3 + 1}"]
                          for rank in range(1, 9)}
        plan["routes"] = [{"to": "10.100.1.0/24", "device": "bc1"}, {"to": "10.101.2.0/24", "device": "bc0"}]
        found = [(number, one["host"], one["port"]) for number, one in reach.routed(plan)]
        self.assertEqual(found, [(1, "h3", 0), (1, "h4", 0), (1, "h5", 0), (0, "h2", 1), (0, "h5", 1), (0, "h8", 1)])

    def test_some_for_each_host(self):
        """Of 99 behind a route each host asks about as many as EACH_ROUTE; all hosts together ask everyone."""
        others = {f"h{rank}": [f"10.5.0.{rank}"] for rank in range(1, 100)}
        asked = [[one["host"] for _, one in reach.routed({"rank": rank, "ports": [{"device": "data0"}], "others": others,
                                                          "routes": [{"to": "10.5.0.0/16", "device": "data0"}]})]
                 for rank in range(12)]
        self.assertTrue(all(reach.EACH_ROUTE <= len(hosts) <= 2 * reach.EACH_ROUTE for hosts in asked))
        self.assertEqual({host for hosts in asked for host in hosts}, set(others))


class Judge(unittest.TestCase):
    def ask(self, hosts):
        asked = {"wiring": "bcube(2,2)", "settings": {}, "wanted": ["program"], "hosts": hosts}
        done = subprocess.run([sys.executable, ROLES / "verify/files/judge"], input=json.dumps(asked), text=True,
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
        self.assertEqual(neighbours.receive(Opened(said + good), "bcube(2,2)"), ("red", 1))
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
        for number, governors in ((0, "performance powersave"), (1, "")):  # which cannot be read of one that is off
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
