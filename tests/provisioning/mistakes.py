#!/usr/bin/env python3
"""mistakes.py CACHE PROGRAM [COUNT [FIRST]]: COUNT plays (default 10), each with a mistake or a blow; none may lock us out.

After each play the host must let us log in, and be what it was before. Prints a line for each, and how many locked us out.
CACHE is make-tree's folder, PROGRAM the gradwire that writes the inventory, FIRST which of KINDS comes first.
"""

import copy
import json
import random
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lab.sandbox import enter  # noqa: E402
from lab.testbed import differences, of_containers, state  # noqa: E402

GUARD_SECONDS = 25
VICTIM = "red"  # the canary
GUARD = "/usr/local/lib/gradwire/guard"
CUT = str(Path(__file__).resolve().parent / "cut.yml")


class Mistakes:
    """Each makes one mistake, plays, and returns what the play's output must name ("" where a blow ends it anyhow)."""

    def __init__(self, bed, chance):
        self.bed = bed
        self.host = bed.lab.hosts[VICTIM]
        self.chance = chance
        self.right = bed.read_inventory()

    def play(self, playbook="site.yml", **extra):
        extra = {"guard_seconds": GUARD_SECONDS, **extra}
        return self.bed.play(playbook, "--limit", VICTIM, "--tags", "network", **extra).output

    def with_ports(self, change, *named, **extra):
        wrong = copy.deepcopy(self.right)
        change(wrong["all"]["children"]["testbed"]["hosts"][VICTIM])
        self.bed.write_inventory(wrong)
        return self.play(**extra), named

    def port_carries_ssh(self):
        def change(host):
            del host["gradwire_ports"][1]["mac"]
            host["gradwire_ports"][1] |= {"interface": "control0", "device": "control0"}
        return self.with_ports(change, "red port 1", "control0 carries")

    def address_of_control(self):
        return self.with_ports(lambda host: host["gradwire_ports"][0].update(address="10.77.0.50"),
                               "red port 0", "10.77.0.50/24 overlaps 10.77.0.11/24 of control0")

    def address_of_another(self):
        return self.with_ports(lambda host: host["gradwire_ports"][0].update(address="10.100.0.2"),
                               "red port 0", "address 10.100.0.2 is also that of green port 0")

    def route_over_control(self):
        return self.with_ports(lambda host: host["gradwire_routes"][0].update(to="10.0.0.0/8"),
                               "red (bc1): route to 10.0.0.0/8 covers 10.77.0.1")

    def nic_that_is_not_there(self):
        return self.with_ports(lambda host: host["gradwire_ports"][1].update(mac="02:00:00:00:99:99"),
                               "red port 1", "no interface with MAC address 02:00:00:00:99:99")

    def mtu_too_large(self):
        return self.with_ports(lambda host: None, "red port 0", "MTU 70000 is wanted", network_mtu=70000)

    def gateway_out_of_reach(self):
        """Applied, found wrong, rolled back at once."""
        return self.with_ports(lambda host: host["gradwire_routes"][0].update(gateway="10.55.0.1"), "was rolled back",
                               "route to", network_seconds=3)

    def beside_another(self):
        """What a host cannot do, the one beside it does not keep."""
        wrong = copy.deepcopy(self.right)
        wrong["all"]["children"]["testbed"]["hosts"]["green"]["gradwire_routes"][0].update(gateway="10.55.0.1")
        self.bed.write_inventory(wrong)
        return self.bed.play("site.yml", "--limit", f"{VICTIM},green", "--tags", "network", guard_seconds=GUARD_SECONDS,
                             network_seconds=3, site_serial="100%").output, ("no way on without green", "was rolled back")

    def second_play(self):
        """After one that somebody stopped: what that one left is not what is gone back to."""
        self.cut("true")
        self.host.root_ssh(f"{GUARD} arm 300 && touch /etc/sysctl.d/60-gradwire-left.conf")
        return self.gateway_out_of_reach()

    def time_is_up(self):
        """The timer strikes in mid-play: what the play does after that is undone as well."""
        return self.with_ports(lambda host: None, "was rolled back", guard_seconds=3)

    def during_the_play(self, blow):
        """Strikes some time after the timer runs. A host that had confirmed before has done what it should: undone."""
        self.bed.write_inventory(self.right)
        ended = []
        playing = threading.Thread(target=lambda: ended.append(self.bed.play(
            "site.yml", "--limit", VICTIM, "--tags", "network", guard_seconds=GUARD_SECONDS)))
        playing.start()
        while playing.is_alive() and self.host.ssh("test -e /etc/systemd/system/gradwire-rollback.timer").returncode != 0:
            time.sleep(0.5)
        time.sleep(self.chance.uniform(0, 10))
        blow()  # in this thread: a host ends with the thread that started it
        playing.join()
        self.host.wait()
        known = json.loads(self.host.root_ssh(f"{GUARD} show"))
        if not known["armed"] and not known["rolled_back"]:  # confirmed, if need be in the very moment of the blow
            self.bed.play("rollback.yml", "--limit", VICTIM)
        return ended[0].output, ()

    def power_cut(self):
        def blow():
            self.host.kill()
            self.host.boot()
        return self.during_the_play(blow)

    def reboot(self):
        return self.during_the_play(lambda: (self.host.ssh("sudo systemctl --force reboot"), self.host.reboot_when_down()))

    def link_cut(self):
        return self.cut("ip link set control0 down")

    def address_cut(self):
        return self.cut("ip address flush dev control0")

    def route_cut(self):
        """What an overlapping route would do, had it not been refused."""
        return self.cut("ip link set data0 up; ip route replace 10.77.0.0/25 dev data0")

    def cut(self, command):
        self.bed.write_inventory(self.right)
        return self.play(CUT, cut_command=command), ("guard",)


KINDS = ("port_carries_ssh", "link_cut", "address_of_control", "power_cut", "address_of_another", "address_cut",
         "route_over_control", "reboot", "gateway_out_of_reach", "route_cut", "nic_that_is_not_there", "mtu_too_large",
         "time_is_up", "beside_another", "second_play")


def wait_until_same(host, before, seconds):
    """What still differs at the end: [] is as it was. None: locked out."""
    deadline = time.monotonic() + seconds
    found = None
    while time.monotonic() < deadline:
        if host.can_log_in():
            try:
                found = differences(before, state(host))
            except RuntimeError:
                found = None
            if found == []:
                return found
        time.sleep(1)
    return found


def main():
    cache, program = (Path(word).resolve() for word in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 0
    bed = of_containers(cache, enter(cache))
    bed.make_inventory(program)
    bed.lab.boot()
    seed = random.randrange(1 << 32)
    print(f"seed {seed}", flush=True)
    bed.play("site.yml", "--tags", "toolchain", site_serial="100%")
    mistakes = Mistakes(bed, random.Random(seed))
    before = state(mistakes.host)
    locked_out = wrong = 0
    for number in range(count):
        kind = KINDS[(first + number) % len(KINDS)]
        started = time.monotonic()
        output, named = getattr(mistakes, kind)()
        played = time.monotonic() - started
        left = wait_until_same(mistakes.host, before, GUARD_SECONDS + 60)
        said = " ".join(output.split())
        unnamed = [words for words in named if words not in said]
        verdict = "locked out" if left is None else f"differs: {left[:6]}" if left else "as it was"
        locked_out += left is None
        wrong += bool(left) or bool(unnamed)
        print(f"{number + 1:3} {kind:22} {verdict}, {played:.0f} s + {time.monotonic() - started - played:.0f} s"
              + (f"; not named: {unnamed}\n{output}" if unnamed else ""), flush=True)
    print(f"{locked_out} of {count} locked out, {wrong} not as they should be", flush=True)
    bed.lab.end()
    return 1 if locked_out or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
