"""Looks after a host while it is provisioned: what must not be touched, what it was like before, and the way back.

    guard protect [--control ADDRESS]...   interfaces that carry ssh, and what of the plan would touch them (JSON)
    guard name [--rdma]                    gives the ports' interfaces, or their RDMA devices, the plan's names
    guard snapshot                         takes a snapshot; prints its name
    guard arm SECONDS [SNAPSHOT]           rolls back after SECONDS unless confirmed, over a reboot as well
    guard confirm                          keeps what there is
    guard rollback [SNAPSHOT | --armed]    restores; by default what the host was before its first change
    guard list | show                      snapshots; everything that is known (JSON)
    guard check [NAME]...                  what the host is, and finds of its plan by itself (JSON)
    guard tune                             governor, idle states and interrupts, as host-tuning.json says
    guard qos [--wait] INTERFACE           priorities of a data port, as host-qos.json says; --wait: for its RDMA device
    guard pci VENDOR                       PCI functions of a vendor (10de)
    guard pairs KIND                       rping, bandwidth, all-ports or incast with other hosts at once (JSON)
    guard neighbours SECONDS               who is heard on each data port (JSON)

The plan is /var/lib/gradwire/plan.json, which site.yml writes, or --plan FILE; - is standard input. Ends with 1 and the
reason when it cannot.
"""

import argparse
import json
import sys
from pathlib import Path

from gradwire_host import checks, gpu, neighbours, pairs, ports, protect, qos, reach, store, tuning
from gradwire_host.system import Refused, read_text

CHECKS = {**checks.CHECKS, "qos": qos.check_qos, "gpu": gpu.check_gpu, "neighbour": reach.check_neighbour}


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("protect").add_argument("--control", action="append", default=[])
    commands.add_parser("name").add_argument("--rdma", action="store_true")
    for name in ("snapshot", "confirm", "list", "show", "tune"):
        commands.add_parser(name)
    arm = commands.add_parser("arm")
    arm.add_argument("seconds", type=int)
    arm.add_argument("snapshot", nargs="?")
    rollback = commands.add_parser("rollback")
    rollback.add_argument("snapshot", nargs="?")
    rollback.add_argument("--armed", action="store_true")
    commands.add_parser("check").add_argument("names", nargs="*", metavar="NAME")
    commands.add_parser("pci").add_argument("vendor")
    priorities = commands.add_parser("qos")
    priorities.add_argument("interface")
    priorities.add_argument("--wait", action="store_true")
    commands.add_parser("pairs").add_argument("kind", choices=pairs.KINDS)
    commands.add_parser("neighbours").add_argument("seconds", type=float)
    for command in commands.choices.values():
        command.add_argument("--plan", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def read_plan(options):
    if options.plan == "-":
        return json.load(sys.stdin)
    if options.plan:
        with open(options.plan, encoding="utf-8") as file:
            return json.load(file)
    return store.read_plan()


def answer_protect(options):
    plan = read_plan(options)
    connection = protect.ssh_connection()
    protected = protect.protected_interfaces(options.control, connection)
    if plan.get("control_device"):
        protected.setdefault(plan["control_device"], "what hosts.csv calls the control device")
    print(json.dumps({"protected": protected, "problems": protect.problems(plan, protected, connection)}))


def snapshot_to_restore(options):
    if options.armed:
        return store.armed_snapshot()
    return options.snapshot or store.original()


def answer_check(options):
    plan = read_plan(options)
    unknown = [name for name in options.names if name not in CHECKS]
    if unknown:
        raise Refused(f"no check is called {unknown[0]}: there are {', '.join(CHECKS)}")
    found = [one for name in options.names for one in CHECKS[name](plan)]
    print(json.dumps({"host": checks.identity(plan), "checks": found}))


def answer_neighbours(options):
    print(json.dumps(neighbours.listen(read_plan(options), options.seconds)))


def answer_pci(options):
    devices = Path("/sys/bus/pci/devices")
    print("\n".join(path.name for path in sorted(devices.glob("*")) if read_text(path / "vendor") == f"0x{options.vendor}"))


def answer_qos(options):
    print("\n".join(qos.apply(options.interface, qos.read_settings(), qos.RDMA_SECONDS if options.wait else 0)))


def answer_tune(options):
    print("\n".join(tuning.apply(read_plan(options), tuning.read_settings())))


ANSWERS = {"protect": answer_protect, "check": answer_check, "neighbours": answer_neighbours,
           "tune": answer_tune, "pci": answer_pci, "qos": answer_qos,
           "pairs": lambda options: print(json.dumps(pairs.run_all(read_plan(options), options.kind))),
           "list": lambda options: print("\n".join(store.names())),
           "show": lambda options: print(json.dumps(store.report(), indent=1))}


def run(words):
    options = parse(words)
    if options.command in ANSWERS:
        ANSWERS[options.command](options)
        return
    with store.only_one():
        change(options)


def change(options):
    """The commands that exclude each other."""
    if options.command == "snapshot":
        print(store.take(read_plan(options)))
    elif options.command == "name":
        give_names = ports.give_rdma_names if options.rdma else ports.give_names
        print("\n".join(give_names(read_plan(options))))
    elif options.command == "arm":
        name = options.snapshot or store.way_back()
        store.arm(name, options.seconds)
        print(name)
    elif options.command == "confirm":
        print(store.confirm())
    elif options.command == "rollback":
        print("\n".join(store.roll_back(snapshot_to_restore(options))) or "nothing to do")


def main():
    try:
        run(sys.argv[1:])
    except Refused as refused:
        sys.exit(f"guard: {refused}")
