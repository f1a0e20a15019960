#!/usr/bin/env python3
"""machines_test.py CACHE PROGRAM FOLDER: from bare Debian to a verified BCube(2,2) and a first result, on virtual machines.

Four machines with kernels of their own and a Soft-RoCE device on every data port. The documented commands provision, verify
and run; then cables, an MTU and a module are wrong, and named; then machines are rebooted, and right. CACHE is where
disks are made, PROGRAM the gradwire to deploy, FOLDER the run folder that is left. Ends with 77 and the reason where there
can be no machines.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.dont_write_bytecode = True

from lab.machines import Machine  # noqa: E402
from lab.sandbox import enter, why_no_lab  # noqa: E402
from lab.testbed import SWAPPED, Testbed  # noqa: E402

HERE = Path(__file__).resolve().parent
EXPERIMENT = HERE / "machines.yaml"
LINK_MBPS = 4  # what emulated processors carry on all links at once,
LINK_FRACTION = 0.8  # though not steadily
# All but those that measure, which take minutes.
CHECKS = ["module", "limit", "link", "speed", "address", "mtu", "route", "gid", "qos", "program", "neighbour", "wiring"]
PLAY_SECONDS = 1500
SKIPPED = 77


def have(*words):
    """What a program prints, line by line; this one ends as it does when it fails."""
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    return done.stdout.splitlines()


def first_result(bed, program, folder):
    """The two documented commands."""
    bed.expect("site.yml verify.yml", seconds=PLAY_SECONDS, site_serial="100%")
    bed.expect("run.yml", run_experiment=str(EXPERIMENT), run_folder=str(folder), run_program=str(program), seconds=300)
    rows = json.loads((folder / "results.json").read_text())["rows"]
    assert sorted(row["algorithm"] for row in rows) == ["bml", "ring"], rows
    assert all(row["wrong"] == 0 and row["backing"] == "hosts" for row in rows), rows


def find_mistakes(bed, program, folder):
    """verify.yml names what is wrong, and gradwire run refuses such hosts."""
    bed.swap_cables()
    bed.hosts["blue"].root_ssh("ip link set bc0 mtu 1500")
    bed.hosts["blue"].root_ssh("modprobe -r rdma_ucm")
    bed.expect("verify.yml", succeeds=False, verify_checks=CHECKS, seconds=PLAY_SECONDS).names(
        *SWAPPED, "blue port 0 (bc0): MTU 1500, plan says 9000", "blue: kernel module rdma_ucm is not loaded")
    refused = bed.expect("run.yml", succeeds=False, run_experiment=str(EXPERIMENT), run_folder=f"{folder}-refused",
                         run_program=str(program))
    refused.names("does not let these hosts pass", "mtu blue port 0 (bc0): MTU 1500, plan says 9000")
    bed.swap_cables()


def reboot(bed):
    """All settings are there again, names of devices among them: nobody else mends what find_mistakes broke."""
    bed.hosts["blue"].reboot()
    bed.hosts["blue"].wait()
    bed.expect("verify.yml", verify_checks=CHECKS, seconds=PLAY_SECONDS)


def main():
    cache, program, folder = (Path(word).resolve() for word in sys.argv[1:4])
    why = why_no_lab()
    if why:
        print(why)
        return SKIPPED
    have(HERE / "make-tree", cache)
    Machine.disk = have(HERE / "make-disk", cache)
    Machine.mbps = LINK_MBPS
    bed = Testbed(Machine, cache, enter(cache), rdma_soft_roce=True, qos_provider="none", verify_ack_timeout=20,
                  verify_bandwidth_fraction=LINK_FRACTION, guard_seconds=PLAY_SECONDS)
    started = time.monotonic()
    bed.make_inventory(program)
    bed.lab.boot()
    print(f"four bare hosts: {time.monotonic() - started:.0f} s", flush=True)
    first_result(bed, program, folder)
    find_mistakes(bed, program, folder)
    reboot(bed)
    bed.lab.end()
    print(f"passed in {time.monotonic() - started:.0f} s: {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
