"""Looks after a host while it is provisioned: what must not be touched, what it was like before, and the way back.

    guard protect [--control ADDRESS]...   interfaces that carry ssh, and what of the plan would touch them (JSON)
    guard ports                            which interface each port of the plan is (JSON)
    guard name                             gives the ports' interfaces the plan's names
    guard snapshot                         takes a snapshot; prints its name
    guard arm SECONDS [SNAPSHOT]           rolls back after SECONDS unless confirmed, over a reboot as well
    guard confirm                          keeps what there is
    guard rollback [SNAPSHOT | --armed]    restores; by default what the host was before its first change
    guard list | show                      snapshots; everything that is known (JSON)
    guard check NAME...                    what the host finds of its plan by itself (JSON)
    guard neighbours SECONDS               who is heard on each data port (JSON)

The plan is /var/lib/gradwire/plan.json, which site.yml writes, or --plan FILE; - is standard input. Ends with 1 and the reason when it cannot.
"""

import argparse
import json
import sys

from gradwire_host import checks, neighbours, ports, protect, reach, store
from gradwire_host.system import Refused

CHECKS = {**checks.CHECKS, "neighbour": reach.check_neighbour}


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("protect").add_argument("--control", action="append", default=[])
    for name in ("ports", "name", "snapshot", "confirm", "list", "show"):
        commands.add_parser(name)
    arm = commands.add_parser("arm")
    arm.add_argument("seconds", type=int)
    arm.add_argument("snapshot", nargs="?")
    rollback = commands.add_parser("rollback")
    rollback.add_argument("snapshot", nargs="?")
    rollback.add_argument("--armed", action="store_true")
    commands.add_parser("check").add_argument("names", nargs="+", choices=CHECKS, metavar="NAME")
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
    print(json.dumps({"protected": protected, "problems": protect.problems(plan, protected, connection)}))


def answer_ports(options):
    plan = read_plan(options)
    found = ports.found_interfaces(plan)
    print(json.dumps([{"port": number, "device": port["device"], "found": name, "rdma": name and ports.rdma_device(name),
                       "pci": name and ports.pci_address(name)}
                      for number, (port, name) in enumerate(zip(plan["ports"], found))]))


def snapshot_to_restore(options):
    if options.armed:
        armed = store.read_armed()
        if not armed:
            raise Refused("this host is not armed")
        return armed["snapshot"]
    return options.snapshot or store.original()


def answer_check(options):
    plan = read_plan(options)
    found = [one for name in options.names for one in CHECKS[name](plan)]
    print(json.dumps({"host": checks.identity(plan), "checks": found}))


def answer_neighbours(options):
    print(json.dumps(neighbours.listen(read_plan(options), options.seconds)))


ANSWERS = {"protect": answer_protect, "ports": answer_ports, "check": answer_check, "neighbours": answer_neighbours,
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
        print("\n".join(ports.give_names(read_plan(options))))
    elif options.command == "arm":
        name = options.snapshot or store.names()[-1]
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
