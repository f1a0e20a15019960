"""Who measures with whom, and when: every host works out the same from the ports on its own switches."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """One host's part in one measurement. `service` is the same TCP port at both ends, and used once."""

    port: int
    peer: str
    peer_port: int
    address: str  # the peer's
    serves: bool
    service: int


FIRST_SERVICE = 12000
SERVICES = 2500  # of one kind on one switch; beyond 35 hosts on a switch they come again, rounds apart


def members(plan, number):
    """Of the switch that a port is on: [(address as numbers, host, port, address)], in the order of addresses."""
    port = plan["ports"][number]
    everyone = [(plan["host"], number, port["address"])]
    everyone += [(one["host"], one["port"], one["address"]) for one in port.get("neighbours", [])]
    return sorted((tuple(map(int, address.split("."))), host, there, address) for host, there, address in everyone)


def service(everyone, incast, number):
    """The same at both ends, whatever these call the port: switches are told apart by their first member's port."""
    return FIRST_SERVICE + SERVICES * (2 * everyone[0][2] + incast) + number % SERVICES


def circle(count):
    """Rounds of disjoint pairs of 0..count-1 in which each meets each once: the circle method."""
    seats = list(range(count)) + ([None] if count % 2 else [])
    rounds = []
    for _ in range(len(seats) - 1):
        pairs = [(seats[i], seats[-1 - i]) for i in range(len(seats) // 2)]
        rounds.append([tuple(sorted(pair)) for pair in pairs if None not in pair])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def pair_rounds(count):
    """Every pair in both directions, of (sender, receiver)."""
    return [[(pair[1 - direction], pair[direction]) for pair in pairs] for pairs in circle(count) for direction in (0, 1)]


def full_rounds(count):
    """Everyone sends and receives at once: in round s to the s-th after it, and from the s-th before it."""
    return [[(sender, (sender + shift) % count) for sender in range(count)] for shift in range(1, count)]


def incast_rounds(count):
    """Each in turn receives from all others at once."""
    return [[(sender, target) for sender in range(count) if sender != target] for target in range(count)]


def turns_of(plan, number, rounds, incast=False):
    """A port's own part of the rounds of its switch: [[turns of one round], ...]; who serves receives."""
    everyone = members(plan, number)
    own = [member[1:3] for member in everyone].index((plan["host"], number))

    def turn(index, sender, receiver):
        _, host, there, address = everyone[sender if receiver == own else receiver]
        return Turn(number, host, there, address, receiver == own, service(everyone, incast, index * len(everyone) + sender))

    return [[turn(index, *meeting) for meeting in meetings if own in meeting]
            for index, meetings in enumerate(rounds(len(everyone)))]


def pair_turns(plan, number):
    return turns_of(plan, number, pair_rounds)


def full_turns(plan, number):
    return turns_of(plan, number, full_rounds)


def incast_turns(plan, number):
    return turns_of(plan, number, incast_rounds, incast=True)


def merged(rounds_of_ports):
    """The first rounds of all ports at once, then the second, ..."""
    longest = max((len(rounds) for rounds in rounds_of_ports), default=0)
    return [[turn for rounds in rounds_of_ports if index < len(rounds) for turn in rounds[index]]
            for index in range(longest)]
