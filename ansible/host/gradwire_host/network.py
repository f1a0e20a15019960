"""Links, addresses and routes: captured of every interface, restored on the data ports.

Of other interfaces only what is gone comes back: nothing of theirs is ever taken away.
"""

from pathlib import Path

from gradwire_host import ports
from gradwire_host.system import Refused, run, run_json, write_text, read_text

TREES = ("/proc/sys/net/ipv4/conf", "/proc/sys/net/ipv4/neigh", "/proc/sys/net/ipv6/conf", "/proc/sys/net/ipv6/neigh")


def capture(plan):
    return {
        "links": {link["ifname"]: link for link in run_json("ip", "-j", "-d", "address", "show")},
        "routes": [{**route, "family": family} for family in ("-4", "-6")
                   for route in run_json("ip", "-j", family, "route", "show", "table", "all")],
        "rules": run_json("ip", "-j", "rule", "show"),
        "sysctls": {name: interface_sysctls(name) for name in ports.found_interfaces(plan) if name},
        "ports": [{**port, "found": found, "rdma_found": found and ports.rdma_device(found)}
                  for port, found in zip(plan["ports"], ports.found_interfaces(plan))],
    }


def interface_sysctls(interface):
    """Of one interface: {path below the interface's own folder of the tree: value}."""
    found = {}
    for tree in TREES:
        for path in sorted((Path(tree) / interface).glob("*")):
            value = read_text(path)
            if value is not None:
                found[f"{tree}/*/{path.name}"] = value
    return found


def own_addresses(link):
    """Those that someone gave, as words of `ip address add`: not what the kernel makes of a MAC address."""
    return sorted(address_words(one) for one in link.get("addr_info", []) if one.get("protocol") != "kernel_ll"
                  and not (one["family"] == "inet6" and one["scope"] == "link"))


def address_words(one):
    words = [f"{one['local']}/{one['prefixlen']}"]
    if "address" in one:
        words = [one["local"], "peer", f"{one['address']}/{one['prefixlen']}"]
    if "broadcast" in one:
        words += ["broadcast", one["broadcast"]]
    return (*words, "scope", one["scope"])


def own_routes(routes, interface):
    """Words of `ip route replace` for the routes through an interface that the kernel does not make by itself."""
    found = []
    for route in routes:
        if route.get("dev") == interface and route.get("protocol") != "kernel" and route.get("table") != "local":
            found.append(route_words(route))
    return sorted(found)


def route_words(route):
    words = [route["family"], "route", "replace", route.get("type", "unicast"), route["dst"]]
    if "via" in route:
        words += ["via", "inet6", route["via"]["host"]]
    for key, word in (("gateway", "via"), ("dev", "dev"), ("prefsrc", "src"), ("metric", "metric"), ("table", "table"),
                      ("protocol", "proto"), ("scope", "scope"), ("mtu", "mtu")):
        if key in route:
            words += [word, str(route[key])]
    return (*words, *(["onlink"] if "onlink" in route.get("flags", []) else []))


def restore(was):
    """Returns what was done."""
    done = restore_names(was)
    restored = set()
    for port in was["ports"]:
        try:
            now = ports.find_interface(port)
        except Refused as refused:
            done.append(f"port {port['device']}: {refused}")
            continue
        name = port["found"]
        if name is None or name not in was["links"]:
            continue
        restored.add(name)
        if not same_port(was, name, now):
            restore_port(was, name, now)
            done.append(f"restored {name}" + (f", which was {now}" if now != name else ""))
    return done + restore_rdma_names(was, restored) + rescue(was, restored)


def restore_names(was):
    """Of all data ports at once: two may have each other's. One that keeps its name is tried again with the rest of it."""
    known = [{**port, "device": port["found"]} for port in was["ports"] if port["found"] in was["links"]]
    try:
        return ports.give_names({"ports": known})
    except Refused as refused:
        return [str(refused)]


def restore_rdma_names(was, restored):
    """RDMA devices that are there for good are called what they were; those of software go by themselves. Returns what was
    done, and what was refused."""
    wanted = {now[0]: port["rdma_found"][0] for port in was["ports"]
              if port["found"] in restored and port.get("rdma_found") and (now := ports.rdma_device(port["found"]))}
    done, failed = ports.rename_rdma(wanted)
    return done + failed


def same_port(was, name, now):
    """Whether an interface is as it was."""
    links = run_json("ip", "-j", "-d", "address", "show", "dev", now)
    routes = [{**route, "family": family} for family in ("-4", "-6")
              for route in run_json("ip", "-j", family, "route", "show", "table", "all", "dev", now)]
    old = was["links"][name]
    return (name == now and bool(links) and links[0]["mtu"] == old["mtu"]
            and ("UP" in links[0]["flags"]) == ("UP" in old["flags"])
            and len(links[0].get("addr_info", [])) == len(old.get("addr_info", []))
            and own_addresses(links[0]) == own_addresses(old)
            and own_routes([{**route, "dev": now} for route in routes], now) == own_routes(was["routes"], name)
            and interface_sysctls(now) == was["sysctls"].get(name, {}))


def restore_port(was, name, now):
    """Down, as it was named, sized and set, and up again if it was: the kernel makes its own addresses and routes anew."""
    link = was["links"][name]
    run("ip", "link", "set", "dev", now, "down")
    run("ip", "address", "flush", "dev", now)
    if now != name:
        run("ip", "link", "set", "dev", now, "name", name)
    run("ip", "link", "set", "dev", name, "mtu", str(link["mtu"]))
    set_interface_sysctls(name, was["sysctls"].get(name, {}))
    if "UP" in link["flags"]:
        run("ip", "link", "set", "dev", name, "up")
        set_interface_sysctls(name, was["sysctls"].get(name, {}))  # some follow the link's state
    else:
        run("ip", "address", "flush", "dev", name)  # setting addr_gen_mode makes an address on a link that is down
    for words in own_addresses(link):
        run("ip", "address", "replace", *words, "dev", name)
    for words in own_routes(was["routes"], name):
        run("ip", *words)


def set_interface_sysctls(interface, wanted):
    for path, value in wanted.items():
        here = path.replace("/*/", f"/{interface}/")
        if read_text(here) != value:
            write_text(here, value)


def rescue(was, data_interfaces):
    """Brings back links, addresses and routes of other interfaces that are gone. Returns what was done."""
    done = []
    now = {link["ifname"]: link for link in run_json("ip", "-j", "-d", "address", "show")}
    for name, old in was["links"].items():
        if name in data_interfaces or name not in now:
            continue
        if "UP" in old["flags"] and "UP" not in now[name]["flags"]:
            run("ip", "link", "set", "dev", name, "up")
            done.append(f"{name} is up again")
        if old["mtu"] != now[name]["mtu"]:
            run("ip", "link", "set", "dev", name, "mtu", str(old["mtu"]))
            done.append(f"{name} has MTU {old['mtu']} again")
        for words in gone(old, now[name]):
            run("ip", "address", "replace", *words, "dev", name)
            done.append(f"{name} has {words[0]} again")
        done += rescue_routes(was, name)
    return done


def gone(old, now):
    """Words of addresses that an interface had and has not. What a lease or a router gave may have changed since: that
    comes back only to an interface that has nothing else of the family."""
    left = {address_words(one) for one in now.get("addr_info", [])}
    families = {one["family"] for one in now.get("addr_info", [])}
    return [address_words(one) for one in old.get("addr_info", [])
            if address_words(one) not in left and (not one.get("dynamic") or one["family"] not in families)]


def rescue_routes(was, name):
    done = []
    routes = [{**route, "dev": name, "family": family} for family in ("-4", "-6")
              for route in run_json("ip", "-j", family, "route", "show", "table", "all", "dev", name)]
    for words in own_routes(was["routes"], name):
        if words not in own_routes(routes, name) and "ra" not in words:
            run("ip", *words)
            done.append(f"route to {words[4]} by {name} is back")
    return done
