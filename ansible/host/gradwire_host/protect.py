"""What carries ssh and storage, and what of the plan would touch it."""

import ipaddress
import os
from pathlib import Path

from gradwire_host import ports, storage
from gradwire_host.system import Refused, read_text, run_json


def ssh_connection(pid=None):
    """Both addresses of the ssh session that this process is of: (client, here). None outside of one.

    sudo takes SSH_CONNECTION out of the environment, so the environments of parents are read, too.
    """
    pid = pid or os.getpid()
    while pid > 1:
        text = read_text(f"/proc/{pid}/environ") or ""
        for variable in text.split("\0"):
            if variable.startswith("SSH_CONNECTION="):
                words = variable.split("=", 1)[1].split()
                if len(words) == 4:
                    return words[0].split("%")[0], words[2].split("%")[0]
        status = read_text(f"/proc/{pid}/stat")
        if status is None:
            return None
        pid = int(status.rsplit(")", 1)[1].split()[1])
    return None


def addresses_by_interface():
    """{interface: [ip_interface, ...]}. Throws Refused when there is no telling: then nothing is known to be safe."""
    links = run_json("ip", "-j", "address", "show")
    if not links:
        raise Refused("`ip -j address show` tells nothing of the interfaces: is iproute2 installed?")
    found = {}
    for link in links:
        found[link["ifname"]] = [ipaddress.ip_interface(f"{one['local']}/{one['prefixlen']}")
                                 for one in link.get("addr_info", []) if "local" in one]
    return found


def lower_interfaces(interface, net=ports.NET):
    """What an interface is made of, down to the hardware."""
    found = []
    for path in sorted((net / interface).glob("lower_*")):
        name = path.name[len("lower_"):]
        found += [name, *lower_interfaces(name, net)]
    return found


def default_route_interfaces():
    routes = [*run_json("ip", "-j", "-4", "route", "show", "table", "all"),
              *run_json("ip", "-j", "-6", "route", "show", "table", "all")]
    found = set()
    for route in routes:
        if route.get("dst") == "default" and route.get("type", "unicast") == "unicast":
            found |= {hop["dev"] for hop in [route, *route.get("nexthops", [])] if "dev" in hop}
    return found


def protected_interfaces(control_addresses, connection=None, net=ports.NET, root=Path("/")):
    """{interface: why it must not be touched}. control_addresses: those that the inventory reaches this host at."""
    addresses = addresses_by_interface()
    wanted = {address: "the inventory's address of this host" for address in control_addresses}
    if connection:
        wanted[connection[1]] = "this ssh session"
    found = storage.interfaces(root)
    found |= {name: "the default route" for name in default_route_interfaces()}
    for interface, own in addresses.items():
        for one in own:
            if str(one.ip) in wanted:
                found[interface] = f"{wanted[str(one.ip)]} ({one.ip})"
    for interface, why in list(found.items()):
        for lower in lower_interfaces(interface, net):
            found.setdefault(lower, f"{why} (below {interface})")
    return found


def problems(plan, protected, connection=None, net=ports.NET):
    """Why the plan must not be applied to this host: a line each, beginning with host and port."""
    found = []
    taken = {}
    for number, port in enumerate(plan["ports"]):
        where = f"{plan['host']} port {number} ({port['device']})"
        try:
            interface = ports.find_interface(port, net)
        except Refused as refused:
            found.append(f"{where}: {refused}")
            continue
        if interface in protected:
            found.append(f"{where}: {interface} carries {protected[interface]}; it is never touched. "
                         "Give the port another interface in hosts.csv")
        if interface in taken:
            found.append(f"{where}: {interface} is port {taken[interface]} already")
        taken[interface] = number
        if interface != port["device"] and (net / port["device"]).exists():
            if port["device"] not in ports.found_interfaces(plan, net):
                found.append(f"{where}: another interface is called {port['device']} already")
        found += mtu_problem(where, interface, plan.get("mtu"))
    return found + address_problems(plan, set(taken), connection)


def mtu_problem(where, interface, mtu):
    links = run_json("ip", "-j", "-d", "link", "show", "dev", interface)
    largest = links[0].get("max_mtu", 0) if links else 0
    if mtu and largest and mtu > largest:
        return [f"{where}: MTU {mtu} is wanted, {interface} can do {largest} at most"]
    return []


def address_problems(plan, data_interfaces, connection):
    """Addresses and routes of the plan that would take the control network's packets."""
    others = [(name, one) for name, own in addresses_by_interface().items() if name not in data_interfaces
              for one in own if name != "lo" and not one.ip.is_link_local]
    found = []
    for number, port in enumerate(plan["ports"]):
        where = f"{plan['host']} port {number} ({port['device']})"
        own = ipaddress.ip_interface(f"{port['address']}/{port['prefix_length']}")
        found += [f"{where}: address {own.ip} is also that of {host} port {there}" for host, taken in plan.get("others", {}).items()
                  for there, address in enumerate(taken) if address == port["address"]]
        for name, other in others:
            if own.version == other.version and own.network.overlaps(other.network):
                found.append(f"{where}: address {own} overlaps {other} of {name}")
        if connection and ipaddress.ip_address(connection[0]) in own.network:
            found.append(f"{where}: address {own} covers {connection[0]}, where this ssh session comes from")
    for route in plan.get("routes", []):
        target = ipaddress.ip_network(route["to"])
        where = f"{plan['host']} ({route['device']}): route to {target}"
        for name, other in others:
            if target.version == other.version and target.overlaps(other.network):
                found.append(f"{where} overlaps {other} of {name}")
        if connection and ipaddress.ip_address(connection[0]) in target:
            found.append(f"{where} covers {connection[0]}, where this ssh session comes from")
    return found


def read_boot_id():
    return read_text(Path("/proc/sys/kernel/random/boot_id"))
