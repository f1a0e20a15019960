"""Makes plans of BCube, and what its hosts hear of each other."""


def bcube(n, k):
    """{host: plan} of BCube(n,k). Port l of a host is on switch L<l>-<the host's rank without digit l>."""
    def digit(rank, level):
        return rank // n**level % n

    def switch(rank, level):
        return f"L{level}-{rank % n**level + rank // n**(level + 1) * n**level}"

    names = [f"h{rank}" for rank in range(n**k)]
    plans = {}
    for rank, name in enumerate(names):
        own = []
        for level in range(k):
            near = [other for other in range(n**k) if other != rank and switch(other, level) == switch(rank, level)]
            own.append({"device": f"bc{level}", "switch": switch(rank, level), "switch_port": digit(rank, level),
                        "address": f"10.{100 + level}.{switch(rank, level).split('-')[1]}.{digit(rank, level) + 1}",
                        "prefix_length": 24,
                        "neighbours": [{"host": names[other], "port": level,
                                        "address": f"10.{100 + level}.{switch(other, level).split('-')[1]}."
                                                   f"{digit(other, level) + 1}"} for other in near]})
        plans[name] = {"host": name, "rank": rank, "wiring": f"bcube({n},{k})", "ports": own}
    return plans


def listen(plans, moved):
    """{host: what `guard neighbours` prints there} when the ports in moved, {(host, port): switch}, are elsewhere.

    A port whose switch is None is in none.
    """
    place = {(name, number): moved.get((name, number), port["switch"])
             for name, plan in plans.items() for number, port in enumerate(plan["ports"])}
    return {name: {"host": name, "ports": [
        {"port": number, "lldp": None,
         "heard": [{"host": other, "port": there} for (other, there), switch in place.items()
                   if switch == place[name, number] and switch and (other, there) != (name, number)]}
        for number in range(len(plan["ports"]))]} for name, plan in plans.items()}
