"""Checks of what a host finds by itself of its plan. None of them needs another host or changes anything."""

import hashlib
import ipaddress
import os
import resource
from pathlib import Path
from typing import Any, NamedTuple

from gradwire_host import devices, ports
from gradwire_host.protect import read_boot_id
from gradwire_host.system import read_text, run_json

PROGRAM = Path("/usr/local/bin/gradwire")


class Outcome(NamedTuple):
    """What a check found, what it wanted to find, and one sentence about it that names no host and no port."""

    passed: bool
    wanted: Any
    found: Any
    message: str


def compared(what, wanted, found):
    """The outcome of a check that passes when what was found is what the plan wants."""
    return Outcome(wanted == found, wanted, found, f"{what} {found}, plan says {wanted}")


def finding(plan, check, outcome, port=None):
    """One line of verification.json. Its message begins with the host, and with the port when there is one."""
    where = plan["host"]
    if port is not None:
        where += f" port {port} ({plan['ports'][port]['device']})"
    one = {"check": check, "host": plan["host"], "passed": outcome.passed, "wanted": str(outcome.wanted),
           "found": str(outcome.found), "message": f"{where}: {outcome.message}"}
    if port is not None:
        one["port"] = port
    return one


def check_module(plan):
    found = {name: "loaded" if Path("/sys/module", name).is_dir() else "not loaded" for name in plan.get("modules", [])}
    return [finding(plan, "module", Outcome(state == "loaded", "loaded", state, f"kernel module {name} is {state}"))
            for name, state in found.items()]


def check_limit(plan):
    """Compares how much memory this process may lock with the plan. An ssh session has a limit of its own."""
    wanted = plan.get("memlock_bytes", -1)
    found = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    enough = found == resource.RLIM_INFINITY or (0 <= wanted <= found)
    words = {number: "unlimited" for number in (-1, resource.RLIM_INFINITY)}
    wanted_text, found_text = words.get(wanted, wanted), words.get(found, found)
    return [finding(plan, "limit", Outcome(enough, wanted_text, found_text,
                                           f"memory that may be locked {found_text}, wanted {wanted_text}"))]


def check_link(plan):
    return [link_finding(plan, number, port) for number, port in enumerate(plan["ports"])]


def link_finding(plan, number, port):
    if not (ports.NET / port["device"]).exists():
        found = ports.found_interfaces(plan)[number]
        state = f"is called {found}" if found else f"is absent: no interface with {ports.describe(port)}"
    else:
        state = {"1": "up", "0": "without carrier"}.get(read_text(ports.NET / port["device"] / "carrier"), "down")
    message = f"the link is {state}".replace("link is is", "port is")
    return finding(plan, "link", Outcome(state == "up", "up", state, message), number)


def present(plan):
    """(number, port) of every port whose interface is there under its name. check_link reports the other ports."""
    return [(number, port) for number, port in enumerate(plan["ports"]) if (ports.NET / port["device"]).exists()]


def check_speed(plan):
    wanted = plan.get("line_rate_gbps", 0)
    found = []
    for number, port in present(plan):
        mbps = int(read_text(ports.NET / port["device"] / "speed") or -1)
        gbps = mbps / 1000
        good = gbps == wanted if wanted else mbps > 0
        message = (f"speed {gbps:g} Gbit/s" + (f", plan says {wanted:g}" if wanted else "") if mbps > 0
                   else "the interface says no speed")
        found.append(finding(plan, "speed", Outcome(good, f"{wanted:g} Gbit/s" if wanted else "any",
                                                    f"{gbps:g} Gbit/s", message), number))
        link = devices.pcie_link(port["device"])
        if link and link[1] < gbps:
            slow = Outcome(False, f"PCIe for {gbps:g} Gbit/s", f"PCIe {link[0]}",
                           f"PCIe {link[0]} carries {link[1]:.3g} Gbit/s, the port {gbps:g}")
            found.append(finding(plan, "speed", slow, number))
    return found


def check_address(plan):
    found = []
    for number, port in present(plan):
        links = run_json("ip", "-j", "-4", "address", "show", "dev", port["device"])
        own = [f"{one['local']}/{one['prefixlen']}" for link in links for one in link.get("addr_info", [])]
        wanted = f"{port['address']}/{port['prefix_length']}"
        found.append(finding(plan, "address", compared("address", wanted, " ".join(own) or "none"), number))
    return found


def check_mtu(plan):
    found = []
    for number, port in present(plan):
        mtu = read_text(ports.NET / port["device"] / "mtu")
        found.append(finding(plan, "mtu", compared("MTU", str(plan["mtu"]), mtu), number))
        device = ports.rdma_device(port["device"], ports.NET.parent / "infiniband")
        active = device and devices.active_mtu(device)
        if mtu and active:
            fits = devices.possible_mtus(int(mtu))
            message = (f"RDMA device {device[0]} has active MTU {active}, "
                       f"MTU {mtu} of the interface gives {max(fits)}")
            found.append(finding(plan, "mtu", Outcome(active in fits, max(fits), active, message), number))
    return found


def check_route(plan):
    """Checks the static routes, and on a host that relays that its data ports forward."""
    numbers = {port["device"]: number for number, port in enumerate(plan["ports"])}
    routes = run_json("ip", "-j", "-4", "route", "show")
    there = {(str(ipaddress.ip_network(route["dst"])), route.get("gateway"), route.get("dev"))
             for route in routes if route["dst"] != "default"}
    found = []
    for route in plan.get("routes", []):
        good = (route["to"], route.get("gateway"), route["device"]) in there
        state = "there" if good else "absent"
        message = f"route to {route['to']} by {route.get('gateway', 'the link')} is {state}"
        found.append(finding(plan, "route", Outcome(good, "there", state, message), numbers[route["device"]]))
    for number, port in present(plan) if plan.get("relays") else []:
        value = read_text(f"/proc/sys/net/ipv4/conf/{port['device']}/forwarding")
        found.append(finding(plan, "route", compared("forwarding", "1", value), number))
    return found


def check_gid(plan):
    """Checks that every port has a RoCE v2 GID of its interface and address, anywhere in the table of GIDs."""
    found = []
    for number, port in present(plan):
        device = ports.rdma_device(port["device"])
        wanted = f"RoCE v2 GID of {port['address']}"
        if device is None:
            none = Outcome(False, wanted, "no RDMA device", f"no RDMA device on {port['device']}")
            found.append(finding(plan, "gid", none, number))
            continue
        index = gid_index(device, port["device"], port["address"])
        found.append(finding(plan, "gid", Outcome(
            index is not None, wanted, "none" if index is None else f"index {index}",
            f"{device[0]} has {'no' if index is None else 'a'} {wanted}"), number))
        if port.get("rdma"):
            found.append(finding(plan, "gid", compared("RDMA device", port["rdma"], device[0]), number))
    return found


def gid_index(device, interface, address, root=Path("/sys/class/infiniband")):
    folder = root / device[0] / "ports" / str(device[1])
    wanted = ipaddress.ip_address(f"::ffff:{address}")
    for path in sorted((folder / "gids").glob("*"), key=lambda one: int(one.name)):
        kind = read_text(folder / "gid_attrs/types" / path.name)
        owner = read_text(folder / "gid_attrs/ndevs" / path.name)
        gid = read_text(path)
        if gid and kind == "RoCE v2" and owner == interface and ipaddress.ip_address(gid) == wanted:
            return int(path.name)
    return None


def check_program(plan):
    wanted, found = plan.get("program_digest", ""), program_digest()
    good = bool(found) and (not wanted or found == wanted)
    words = f"{PROGRAM} has SHA-256 {found[:16]}..." if found else f"there is no {PROGRAM}"
    message = words + (f", wanted {wanted[:16]}..." if wanted and not good else "")
    return [finding(plan, "program", Outcome(good, wanted or "any", found or "none", message))]


def program_digest():
    return hashlib.sha256(PROGRAM.read_bytes()).hexdigest() if PROGRAM.is_file() else ""


CHECKS = {"module": check_module, "limit": check_limit, "link": check_link, "speed": check_speed,
          "address": check_address, "mtu": check_mtu, "route": check_route, "gid": check_gid, "program": check_program}


def identity(plan):
    return {"name": plan["host"], "rank": plan["rank"], "boot_id": read_boot_id(), "kernel": os.uname().release,
            "program_digest": program_digest(), "ports": devices.identities(plan)}
