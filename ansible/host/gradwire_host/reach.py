"""Checks that neighbours, and hosts behind routes, answer packets of the full size that nobody may fragment."""

import ipaddress
from concurrent.futures import ThreadPoolExecutor

from gradwire_host import checks
from gradwire_host.system import run

HEADERS = 28  # of IPv4 and ICMP
EACH_ROUTE = 8  # how many addresses behind one route a host asks, at least; other hosts ask others


def check_neighbour(plan):
    present = [number for number, _ in checks.present(plan)]
    pairs = [(number, neighbour) for number in present for neighbour in plan["ports"][number].get("neighbours", [])]
    pairs += [(number, neighbour) for number, neighbour in routed(plan) if number in present]
    with ThreadPoolExecutor(max_workers=16) as workers:
        return list(workers.map(lambda pair: ping(plan, *pair), pairs))


def routed(plan):
    """[(port, whom)] of hosts behind routes: at least EACH_ROUTE a route if there are so many, spread by rank."""
    numbers = {port["device"]: number for number, port in enumerate(plan["ports"])}
    near = {one["address"] for port in plan["ports"] for one in port.get("neighbours", [])}
    found = []
    for route in plan.get("routes", []):
        network = ipaddress.ip_network(route["to"])
        behind = [{"host": host, "port": port, "address": address}
                  for host, addresses in sorted(plan.get("others", {}).items())
                  for port, address in enumerate(addresses)
                  if address not in near and ipaddress.ip_address(address) in network]
        step = max(1, len(behind) // EACH_ROUTE)
        found += [(numbers[route["device"]], one) for one in behind[plan["rank"] % step::step]]
    return found


def ping(plan, number, neighbour):
    """Sends a neighbour three full packets. One answer is enough, since address resolution may lose the first."""
    device, size = plan["ports"][number]["device"], plan["mtu"] - HEADERS
    done = run("ping", "-n", "-q", "-M", "do", "-s", str(size), "-c", "3", "-i", "0.3", "-W", "1", "-I", device,
               neighbour["address"], seconds=15)
    there = f"{neighbour['host']} port {neighbour['port']} ({neighbour['address']})"
    good = done.returncode == 0
    message = (f"{there} {'answers' if good else 'does not answer'} packets of {plan['mtu']} bytes"
               + ("" if good else f": {why(done)}"))
    outcome = checks.Outcome(good, f"answers to {plan['mtu']} bytes", "answers" if good else why(done), message)
    one = checks.finding(plan, "neighbour", outcome, number)
    return {**one, "peer": neighbour["host"]}


def why(done):
    """Why a ping failed: the error of this host where there is one, and else how many packets were lost."""
    lines = [line for line in (done.stderr + "\n" + done.stdout).splitlines() if line.strip()]
    told = [line for line in lines if "rror" in line or "local" in line or "not installed" in line or "longer" in line]
    lost = [line for line in lines if "packet loss" in line]
    return (told or lost or ["no answer"])[0].strip()
