"""Who is at the other ports of the switch that a port is plugged into.

Every data port sends broadcast frames that say whose they are, and notes those that it hears. The EtherType is IEEE's
first for local experiments, which no switch and no kernel does anything with but pass it on. Any station can send such
a frame, so the Ethernet addresses that one came from are noted, too: a port has one.
"""

import json
import select
import socket
import time
from collections import defaultdict

from gradwire_host import checks
from gradwire_host.system import run_json

ETHERTYPE = 0x88B5
BROADCAST = b"\xff" * 6
EVERY_SECONDS = 0.25


def listen(plan, seconds):
    """{"host": ..., "ports": [{"port", "address", "heard": [{"host", "port", "addresses"}], "lldp": {...} or None}]},
    after so many seconds.

    A port whose interface is absent or down hears nobody, and its address is None.
    """
    open_sockets = {}
    for number, port in checks.present(plan):
        opened = open_socket(port["device"])
        if opened:
            open_sockets[number] = opened
    heard = exchange(plan, open_sockets, time.monotonic() + seconds)
    own = {number: address_of(opened) for number, opened in open_sockets.items()}
    lldp = lldp_neighbours()
    return {"host": plan["host"],
            "ports": [{"port": number, "address": own.get(number),
                       "heard": [{"host": host, "port": there, "addresses": sorted(addresses)}
                                 for (host, there), addresses in sorted(heard[number].items())],
                       "lldp": lldp.get(port["device"])} for number, port in enumerate(plan["ports"])]}


def address_of(opened):
    return opened.getsockname()[4].hex(":")


def open_socket(interface):
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE))
    try:
        opened.bind((interface, ETHERTYPE))
    except OSError:
        opened.close()
        return None
    opened.setblocking(False)
    return opened


def exchange(plan, open_sockets, deadline):
    """{port: {(host, port): {address, ...}}}; without what a port says itself."""
    heard = {number: defaultdict(set) for number in range(len(plan["ports"]))}
    numbers = {opened: number for number, opened in open_sockets.items()}
    due = 0.0
    while (now := time.monotonic()) < deadline:
        if now >= due:
            for number, opened in open_sockets.items():
                send(opened, frame(opened, plan, number))
            due = now + EVERY_SECONDS
        for opened in select.select(list(numbers), [], [], max(0.0, min(due, deadline) - now))[0]:
            sender = receive(opened, plan["wiring"])
            if sender and sender != (plan["host"], numbers[opened], address_of(opened)):
                heard[numbers[opened]][sender[:2]].add(sender[2])
    return heard


def frame(opened, plan, number):
    said = json.dumps({"gradwire": plan["wiring"], "host": plan["host"], "port": number}).encode()
    return BROADCAST + opened.getsockname()[4] + ETHERTYPE.to_bytes(2, "big") + said.ljust(46)


def send(opened, content):
    try:
        opened.send(content)
    except OSError:
        pass  # the link is down; it may come up


def receive(opened, wiring):
    """Who sent a frame, and from which address: (host, port, address). None when it is nothing of ours."""
    try:
        content, address = opened.recvfrom(2048)
        said = json.loads(content[14:].decode().strip(" \0"))
        ours = address[2] != socket.PACKET_OUTGOING and said["gradwire"] == wiring
        return (str(said["host"]), int(said["port"]), content[6:12].hex(":")) if ours else None
    except Exception:  # pylint: disable=broad-exception-caught; whatever a stranger sends is nothing of ours
        return None


def lldp_neighbours():
    """{interface: {"switch": name, "ports": [what the switch calls its port, ...]}}, where lldpd runs."""
    return read_lldp(run_json("lldpcli", "-f", "json", "show", "neighbors") or {})


def read_lldp(told):
    """lldpcli writes a list of interfaces, or, when there is one, that one."""
    entries = told.get("lldp", {}).get("interface", [])
    found = {}
    for entry in [entries] if isinstance(entries, dict) else entries:
        for interface, said in entry.items():
            names = list(said.get("chassis", {}))
            port = said.get("port", {})
            called = [str(port.get("id", {}).get("value", "")), str(port.get("descr", ""))]
            found[interface] = {"switch": names[0] if names else "", "ports": [name for name in called if name]}
    return found
