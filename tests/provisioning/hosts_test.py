#!/usr/bin/env python3
"""hosts_test.py CACHE PROGRAM: plays on four containers wired as BCube(2,2), and whether they do what they promise.

Bare hosts are provisioned, verified, broken, verified again, rebooted, provisioned again (changed=0), and rolled back to
exactly what they were. CACHE is make-tree's folder, PROGRAM the gradwire to deploy. Ends with 77 where no container starts.
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lab.hosts import enter  # noqa: E402
from lab.testbed import BY_NAME, Testbed, differences, state  # noqa: E402

CHECKS = ["link", "speed", "address", "mtu", "route", "program", "neighbour", "wiring"]  # what needs no kernel of one's own
SKIPPED = 77


class Steps:
    def __init__(self, bed):
        self.bed = bed
        self.hosts = bed.lab.hosts

    def play(self, playbook, *words, succeeds=True, **extra):
        started = time.monotonic()
        done = self.bed.play(playbook, *words, **extra)
        print(f"{playbook} {' '.join(words)}: {done.returncode}, changed={done.changed()}, "
              f"{time.monotonic() - started:.1f} s", flush=True)
        assert (done.returncode == 0) == succeeds, done.output
        return done

    def states(self):
        return {name: state(host) for name, host in self.hosts.items()}

    def compare(self, before, what):
        for name, after in self.states().items():
            found = differences(before[name], after)
            assert not found, f"{what}: {name} differs:\n" + "\n".join(found[:40])

    def check_mode_changes_nothing(self):
        before = self.states()
        checked = self.play("site.yml", "--check", "--diff", site_serial="100%")
        assert "+MTUBytes=9000" in checked.output and checked.changed() > 0, checked.output
        self.compare(before, "after --check")

    def provision(self):
        self.play("site.yml", site_serial="100%")

    def verify(self):
        self.play("verify.yml", verify_checks=CHECKS)

    def find_mistakes(self):
        """Two cables change places, and a port has another MTU: verify.yml names all three."""
        self.hosts["red"].plug(1, "L1-1")
        self.hosts["green"].plug(1, "L1-0")
        self.hosts["blue"].root_ssh("ip link set bc0 mtu 1500")
        found = " ".join(self.play("verify.yml", verify_checks=CHECKS, succeeds=False).output.split())
        for words in ("red port 1 (bc1): is on switch L1-1, plan says L1-0",
                      "green port 1 (bc1): is on switch L1-0, plan says L1-1",
                      "blue port 0 (bc0): MTU 1500, plan says 9000"):
            assert words in found, f"not found: {words}\n{found}"
        self.hosts["red"].plug(1, "L1-0")
        self.hosts["green"].plug(1, "L1-1")

    def reboot(self):
        """Settings outlive a power cut."""
        host = self.hosts[BY_NAME]
        host.kill()
        host.boot()
        host.wait()
        host.root_ssh("ip -4 -br address show dev data1 | grep 10.101.1.2/24 && ip link show data1 | grep 'mtu 9000'")
        host.root_ssh("test $(cat /proc/sys/net/ipv4/conf/data1/forwarding) = 1 && ip route | grep -q 'via 10.10'")

    def provision_again(self):
        done = self.play("site.yml", site_serial="100%")
        changed = {name for name, counts in done.recap.items() if counts["changed"]}
        assert changed == {"blue"}, done.output  # whose MTU was wrong
        done = self.play("site.yml", site_serial="100%")
        assert done.changed() == 0, done.output

    def roll_back(self, before):
        self.play("rollback.yml")
        self.compare(before, "after rollback.yml")
        assert self.play("rollback.yml").changed() == 0


def main():
    cache, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if os.geteuid() != 0:
        print("containers need root")
        return SKIPPED
    scratch = enter(cache)
    bed = Testbed(cache, scratch)
    bed.make_inventory(program)
    bed.extra["deploy_program"] = str(program)
    try:
        bed.lab.boot()
    except RuntimeError as error:
        print(f"no container starts here: {error}")
        return SKIPPED
    steps = Steps(bed)
    steps.play("site.yml", "--tags", "toolchain")  # packages stay: what follows is rolled back
    before = steps.states()
    steps.check_mode_changes_nothing()
    steps.provision()
    steps.verify()
    steps.find_mistakes()
    steps.reboot()
    steps.provision_again()
    steps.roll_back(before)
    bed.lab.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
