#!/usr/bin/env python3
"""containers_test.py CACHE PROGRAM: plays on four containers wired as BCube(2,2), and whether they do what they promise.

Bare hosts are provisioned, verified, broken, verified again, rebooted, provisioned again (changed=0), and rolled back to
exactly what they were. CACHE is make-tree's folder, PROGRAM the gradwire to deploy. Ends with 77 where no container starts.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lab.sandbox import enter, why_no_lab  # noqa: E402
from lab.testbed import SWAPPED, of_containers  # noqa: E402

BY_NAME = "white"  # whose ports keep their names, so that it can be booted again
CHECKS = ["link", "speed", "address", "mtu", "route", "program", "neighbour", "wiring"]  # what needs no kernel of one's own
SKIPPED = 77


def check_mode_changes_nothing(bed):
    before = bed.states()
    checked = bed.expect("site.yml", "--check", "--diff", "--limit", "red")
    assert "+MTUBytes=9000" in checked.output and checked.changed() > 0, checked.output
    bed.compare(before, "after --check")


def find_mistakes(bed):
    """Two cables change places, and a port has another MTU: verify.yml names all three."""
    bed.swap_cables()
    bed.hosts["blue"].root_ssh("ip link set bc0 mtu 1500")
    bed.expect("verify.yml", succeeds=False, verify_checks=CHECKS).names(
        *SWAPPED, "blue port 0 (bc0): MTU 1500, plan says 9000")
    bed.swap_cables()


def reboot(bed):
    """Settings outlive a power cut."""
    host = bed.hosts[BY_NAME]
    host.kill()
    host.boot()
    host.wait()
    host.root_ssh("ip -4 -br address show dev data1 | grep 10.101.1.2/24 && ip link show data1 | grep 'mtu 9000'")
    host.root_ssh("test $(cat /proc/sys/net/ipv4/conf/data1/forwarding) = 1 && ip route | grep -q 'via 10.10'")


def provision_again(bed):
    """What is wrong is mended, blue's MTU; what is right stays as it is."""
    assert bed.expect("site.yml", "--limit", "blue").changed() > 0
    assert bed.expect("site.yml").changed() == 0  # as it is by default: one host, then the others


def roll_back(bed, before):
    bed.expect("rollback.yml")
    bed.compare(before, "after rollback.yml")
    assert bed.expect("rollback.yml").changed() == 0


def main():
    cache, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    why = why_no_lab()
    if why:
        print(why)
        return SKIPPED
    scratch = enter(cache)
    bed = of_containers(cache, scratch, by_name=(BY_NAME,))
    bed.make_inventory(program)
    try:
        bed.lab.boot()
    except RuntimeError as error:
        if any(host.can_log_in() for host in bed.hosts.values()):
            raise
        print(f"no container starts here: {error}")
        return SKIPPED
    bed.expect("site.yml", "--tags", "toolchain")  # packages stay: what follows is rolled back
    before = bed.states()
    check_mode_changes_nothing(bed)
    bed.expect("site.yml", site_serial="100%")
    bed.expect("verify.yml", verify_checks=CHECKS)
    find_mistakes(bed)
    reboot(bed)
    provision_again(bed)
    roll_back(bed, before)
    bed.lab.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
