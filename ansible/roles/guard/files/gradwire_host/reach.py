"""Neighbours that answer packets of the full size, unfragmented."""

from concurrent.futures import ThreadPoolExecutor

from gradwire_host import checks
from gradwire_host.system import run

HEADERS = 28  # of IPv4 and ICMP


def check_neighbour(plan):
    pairs = [(number, neighbour) for number, _ in checks.present(plan)
             for neighbour in plan["ports"][number].get("neighbours", [])]
    with ThreadPoolExecutor(max_workers=16) as workers:
        return list(workers.map(lambda pair: ping(plan, *pair), pairs))


def ping(plan, number, neighbour):
    """Three full packets; one answer is enough, since the first may be lost to address resolution."""
    device, size = plan["ports"][number]["device"], plan["mtu"] - HEADERS
    done = run("ping", "-n", "-q", "-M", "do", "-s", str(size), "-c", "3", "-i", "0.3", "-W", "1", "-I", device,
               neighbour["address"], seconds=15)
    there = f"{neighbour['host']} port {neighbour['port']} ({neighbour['address']})"
    good = done.returncode == 0
    one = checks.finding(plan, "neighbour", good, f"answers to {plan['mtu']} bytes",
                         "answers" if good else why(done), f"{there} {'answers' if good else 'does not answer'} packets of "
                         f"{plan['mtu']} bytes" + ("" if good else f": {why(done)}"), number)
    return {**one, "peer": neighbour["host"]}


def why(done):
    """The last that ping said, which is about losses when nothing is wrong here."""
    lines = [line for line in (done.stderr + "\n" + done.stdout).splitlines() if line.strip()]
    told = [line for line in lines if "rror" in line or "local" in line or "not installed" in line or "longer" in line]
    lost = [line for line in lines if "packet loss" in line]
    return (told or lost or ["no answer"])[0].strip()
