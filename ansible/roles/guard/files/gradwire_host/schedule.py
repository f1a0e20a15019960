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


def pair_turns(plan, number):
    """A port's turns with every neighbour in both directions: [[turns of one round], ...]; who serves receives."""
    everyone = members(plan, number)
    own = [member[1:3] for member in everyone].index((plan["host"], number))
    rounds = []
    for index, pairs in enumerate(circle(len(everyone))):
        for direction in (0, 1):
            turns = []
            for pair in pairs:
                if own in pair:
                    _, host, there, address = everyone[pair[1] if pair[0] == own else pair[0]]
                    serving = pair[direction]
                    turns.append(Turn(number, host, there, address, serving == own,
                                      service(everyone, False, (2 * index + direction) * len(everyone) + serving)))
            rounds.append(turns)
    return rounds


def full_turns(plan, number):
    """A port's turns when every port sends and receives at once: in round s it sends to the s-th member after it, and receives
    from the s-th before it. Every ordered pair comes once."""
    everyone = members(plan, number)
    own = [member[1:3] for member in everyone].index((plan["host"], number))
    rounds = []
    for shift in range(1, len(everyone)):
        turns = []
        for peer, receiver in (((own - shift) % len(everyone), own), ((own + shift) % len(everyone),) * 2):
            _, host, there, address = everyone[peer]
            turns.append(Turn(number, host, there, address, receiver == own,
                              service(everyone, False, shift * len(everyone) + receiver)))
        rounds.append(turns)
    return rounds


def incast_turns(plan, number):
    """Each member of the switch in turn receives from all others at once."""
    everyone = members(plan, number)
    own = [member[1:3] for member in everyone].index((plan["host"], number))
    rounds = []
    for target in range(len(everyone)):
        turns = []
        for sender in range(len(everyone)):
            if sender == target or own not in (sender, target):
                continue
            _, host, there, address = everyone[sender if own == target else target]
            turns.append(Turn(number, host, there, address, own == target,
                              service(everyone, True, target * len(everyone) + sender)))
        rounds.append(turns)
    return rounds


def merged(rounds_of_ports):
    """The first rounds of all ports at once, then the second, ..."""
    longest = max((len(rounds) for rounds in rounds_of_ports), default=0)
    return [[turn for rounds in rounds_of_ports if index < len(rounds) for turn in rounds[index]]
            for index in range(longest)]
