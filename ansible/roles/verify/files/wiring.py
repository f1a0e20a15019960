"""Whether cables are where the plan says, from who hears whom, and from what switches say of themselves (LLDP).

Ports that hear each other are on one switch: a segment. A segment is the planned switch that most of its ports belong to;
every port elsewhere is named. Any station can say that it is any port. A port that several addresses say they are is
named, with how many and which, and what was heard of it decides nothing.
"""

from collections import Counter, defaultdict

NOBODY = "nobody heard"


def segments(ports, heard):
    """Ports, as (host, number), by segment. `heard`: pairs of ports of which one heard the other."""
    leader = {port: port for port in ports}

    def find(port):
        while leader[port] != port:
            port = leader[port]
        return port

    for one, other in heard:
        if one in leader and other in leader:
            leader[find(one)] = find(other)
    found = defaultdict(list)
    for port in ports:
        found[find(port)].append(port)
    return sorted(sorted(group) for group in found.values())


def assign(groups, planned):
    """By segment: the switch that it is. The largest agreement first; each switch is one segment while there are others."""
    votes = [(count, -index, switch) for index, group in enumerate(groups)
             for switch, count in Counter(planned[port] for port in group).items()]
    switch_of, taken = {}, set()
    for count, index, switch in sorted(votes, key=lambda vote: (-vote[0], -vote[1], vote[2])):
        if -index not in switch_of and switch not in taken:
            switch_of[-index] = switch
            taken.add(switch)
    for index, group in enumerate(groups):
        if index not in switch_of:  # all its switches are other segments: the one that most of its ports belong to
            switch_of[index] = Counter(planned[port] for port in group).most_common(1)[0][0]
    return [switch_of[index] for index in range(len(groups))]


def misplaced(ports, heard, planned):
    """[(port, switch that it is on or None, [others that may be the wrong ones instead])], of ports not where planned."""
    groups = segments(ports, heard)
    switches = assign(groups, planned)
    members = Counter(planned.values())
    found = []
    for group, switch in zip(groups, switches):
        counts = Counter(planned[port] for port in group)
        for port in group:
            if len(group) == 1 and members[planned[port]] > 1:
                found.append((port, None, []))
            elif planned[port] != switch:
                others = [one for one in group if planned[one] == switch]
                found.append((port, switch, others if counts[planned[port]] >= counts[switch] else []))
    return found


def message(port, switch, others, planned, label):
    """`label`: how messages call a port."""
    if switch is None:
        return f"{label(port)}: hears no other port of {planned[port]}: is its cable plugged in, and the switch on?"
    text = f"{label(port)}: is on switch {switch}, plan says {planned[port]}"
    if others:
        text += (f" (unless {', '.join(label(one) for one in others)} with plan {switch} is the wrong one there: "
                 "as many ports speak for the one as for the other)")
    return text


def contradictions(hosts):
    """{port: [address, ...]} of ports, as (host, number), that more than one Ethernet address says it is."""
    said = defaultdict(set)
    for name, told in hosts.items():
        for entry in told["ports"]:
            if entry.get("address"):
                said[name, entry["port"]].add(entry["address"])
            for other in entry["heard"]:
                said[other["host"], other["port"]].update(other.get("addresses", []))
    return {port: sorted(addresses) for port, addresses in said.items() if len(addresses) > 1}


def judge(hosts, plans):
    """Findings for verification.json. hosts: {name: what `guard neighbours` printed}; plans: {name: plan}."""
    ports = [(name, entry["port"]) for name, told in hosts.items() for entry in told["ports"]]
    planned = {(name, number): plans[name]["ports"][number]["switch"] for name, number in ports}
    heard = [((name, entry["port"]), (other["host"], other["port"])) for name, told in hosts.items()
             for entry in told["ports"] for other in entry["heard"]]
    disputed = contradictions(hosts)
    heard = [(one, other) for one, other in heard if other not in disputed]

    def label(port):
        return f"{port[0]} port {port[1]} ({plans[port[0]]['ports'][port[1]]['device']})"

    wrong = {port: (switch, others) for port, switch, others in misplaced(ports, heard, planned)}
    said = {(name, entry["port"]): entry.get("lldp") for name, told in hosts.items() for entry in told["ports"]}
    found = []
    for port in ports:
        if port in disputed:
            stations = disputed[port]
            found.append(finding(port, False, "1 station", f"{len(stations)} stations",
                                 f"{label(port)}: {len(stations)} stations say that they are this port: "
                                 f"{', '.join(stations)}"))
            continue
        switch, others = wrong.get(port, (planned[port], []))
        text = message(port, switch, others, planned, label) if port in wrong else f"{label(port)}: is on {planned[port]}"
        found.append(finding(port, port not in wrong, planned[port], switch or NOBODY, text))
    return [by_lldp(one, said[(one["host"], one["port"])], plans[one["host"]]) for one in found]


def finding(port, passed, wanted, found, text):
    return {"check": "wiring", "host": port[0], "port": port[1], "passed": passed, "wanted": wanted, "found": found,
            "message": text}


def by_lldp(one, said, plan):
    """A switch that says its own name, one that stands for a single switch of the plan, is believed: unless frames were heard
    that say otherwise."""
    names = plan.get("switch_names", {})
    port = plan["ports"][one["port"]]
    called = Counter(names.get(switch, switch) for switch in plan.get("all_switches", []))
    known = {names.get(switch, switch): switch for switch in plan.get("all_switches", [])}
    if not said or called[said["switch"]] != 1 or not (one["passed"] or one["found"] == NOBODY):
        return one
    wanted = names.get(port["switch"], port["switch"])
    where = f"{one['host']} port {one['port']} ({port['device']})"
    if said["switch"] != wanted:
        return {**one, "passed": False, "found": said["switch"],
                "message": f"{where}: is on switch {known[said['switch']]}, plan says {port['switch']} (LLDP)"}
    pattern = plan.get("switch_port_name", "")
    name = pattern.format(number=port["switch_port"], next=port["switch_port"] + 1) if pattern else ""
    good = not name or name in said["ports"]
    ports = " = ".join(said["ports"])
    return {**one, "passed": good, "found": said["switch"] if good else ports,
            "message": f"{where}: is on {wanted} (LLDP)" if good
            else f"{where}: is on port {ports} of {wanted}, plan says {name} (LLDP)"}
