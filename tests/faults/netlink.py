"""Interfaces of the network namespace that this process is in, over rtnetlink: no ip, no tc, no other process."""

import os
import socket
import struct

_NEWLINK, _GETLINK, _NEWQDISC, _NEWTFILTER = 16, 18, 36, 44
_REQUEST, _ACK, _REPLACE, _EXCL, _CREATE = 0x1, 0x4, 0x100, 0x200, 0x400
_ERROR = 2
_UP = 0x1
_IFLA_MTU, _IFLA_LINK, _IFLA_MASTER, _IFLA_STATS64 = 4, 5, 10, 23
_KIND, _OPTIONS = 1, 2
_ROOT, _CLSACT = 0xFFFFFFFF, 0xFFFFFFF1
INGRESS, EGRESS = 0xFFFFFFF2, 0xFFFFFFF3  # of clsact: what comes in, what goes out
_SHAPER = 0x10000  # its handle, as the program gives it


def _attribute(kind, value):
    size = 4 + len(value)
    return struct.pack("=HH", size, kind) + value + bytes(-size % 4)


def _text(kind, value):
    return _attribute(kind, value.encode() + b"\0")


def _number(kind, value):
    return _attribute(kind, struct.pack("=I", value))


def _ask(kind, flags, body):
    """Sends a request and returns the kernel's answer. Throws OSError when it refuses."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as kernel:
        kernel.bind((0, 0))
        kernel.send(struct.pack("=IHHII", 16 + len(body), kind, flags | _REQUEST, 1, 0) + body)
        answer = kernel.recv(1 << 16)
    if struct.unpack_from("=H", answer, 4)[0] == _ERROR:
        error = -struct.unpack_from("=i", answer, 16)[0]
        if error:
            raise OSError(error, os.strerror(error))
    return answer


def _change_link(name, flags=0, change=0, more=b""):
    header = struct.pack("=BxHiII", 0, 0, socket.if_nametoindex(name), flags, change)
    _ask(_NEWLINK, _ACK, header + more)


def set_up(name, up):
    _change_link(name, _UP if up else 0, _UP)


def set_mtu(name, mtu):
    _change_link(name, more=_number(_IFLA_MTU, mtu))


def set_master(name, index):
    """Makes it a port of the bridge with that index; 0 detaches it."""
    _change_link(name, more=_number(_IFLA_MASTER, index))


def _link(name):
    """An interface's attributes by their numbers."""
    answer = _ask(_GETLINK, 0, struct.pack("=BxHiII", 0, 0, socket.if_nametoindex(name), 0, 0))
    found, at = {}, 16 + 16
    end = struct.unpack_from("=I", answer)[0]
    while at + 4 <= end:
        size, kind = struct.unpack_from("=HH", answer, at)
        found[kind] = answer[at + 4:at + size]
        at += size + -size % 4
    return found


def carried(name):
    """Bytes that came in and went out so far."""
    return sum(struct.unpack_from("=QQ", _link(name)[_IFLA_STATS64], 16))


def peer_index(name):
    """The index that the other end of a cable has in its own namespace."""
    return struct.unpack("=I", _link(name)[_IFLA_LINK])[0]


def bridge_index(name):
    """Of the bridge whose port it is."""
    return struct.unpack("=I", _link(name)[_IFLA_MASTER])[0]


def _queue(name, parent, handle, kind, options=b""):
    header = struct.pack("=BxxxiIII", 0, socket.if_nametoindex(name), handle, parent, 0)
    body = header + _text(_KIND, kind) + _attribute(_OPTIONS, options)
    _ask(_NEWQDISC, _ACK | _CREATE | _REPLACE, body)


def shape(name, bytes_per_second, burst=73728, limit=64 << 20):
    """Replaces the token bucket that shapes what leaves."""
    rate = struct.pack("=BBHhHI", 0, 1, 0, 0, 0, bytes_per_second)
    parameters = rate + bytes(12) + struct.pack("=III", limit, 0, 0)
    _queue(name, _ROOT, _SHAPER, "tbf", _attribute(1, parameters) + _attribute(4, struct.pack("=Q", bytes_per_second))
           + _number(6, burst))


def _filter(name, parent, options):
    header = struct.pack("=BxxxiIII", 0, socket.if_nametoindex(name), 0, parent, (1 << 16) | socket.htons(3))
    _ask(_NEWTFILTER, _ACK | _CREATE | _EXCL, header + _text(_KIND, "bpf") + _attribute(_OPTIONS, options))


def _classic(program):
    """A program of classic BPF, which every user of a namespace may load: (code, jump if true, if false, k)."""
    packed = b"".join(struct.pack("=HBBI", *step) for step in program)
    return _attribute(4, struct.pack("=H", len(program))) + _attribute(5, packed)


def decide(name, side, program):
    """Has a classic program decide about every packet that comes in or goes out: what it returns is done."""
    _queue(name, _CLSACT, 0xFFFF0000, "clsact")
    _filter(name, side, _classic(program) + _number(8, 1))


def decide_by(name, side, descriptor):
    """The same with a loaded program."""
    _queue(name, _CLSACT, 0xFFFF0000, "clsact")
    _filter(name, side, _number(6, descriptor) + _text(7, "fault") + _number(8, 1))


def decide_both(name, program):
    """The same of every packet, whether it comes in or goes out."""
    _queue(name, _CLSACT, 0xFFFF0000, "clsact")
    for side in (INGRESS, EGRESS):
        _filter(name, side, _classic(program) + _number(8, 1))


def _detour(name, bytes_per_second, program):
    """Has the packets that come in, and for which the program returns PASS, go through a queue of that rate first."""
    late = "late"
    _ask(_NEWLINK, _ACK | _CREATE | _EXCL,
         struct.pack("=BxHiII", 0, 0, 0, 0, 0) + _text(3, late) + _attribute(18, _text(1, "ifb")))
    shape(late, bytes_per_second)
    set_up(late, True)
    _queue(name, _CLSACT, 0xFFFF0000, "clsact")
    parameters = struct.pack("=IIiiiiI", 0, 0, 4, 0, 0, 1, socket.if_nametoindex(late))  # redirect, and it is gone
    action = _attribute(1, _text(1, "mirred") + _attribute(2, _attribute(2, parameters)))
    _filter(name, INGRESS, _classic(program) + _attribute(1, action))


def delay(name, share, bytes_per_second):
    """A share of the packets that come in, drawn by chance, goes through a slow queue first, and others overtake it."""
    _detour(name, bytes_per_second, [*LOAD_RANDOM, (0x35, 0, 1, int(share * 2**32)), (0x06, 0, 0, 0), PASS])


def slow_down(name, bytes_per_second):
    """All that comes in goes through a queue of that rate: no setting of the interface itself changes."""
    _detour(name, bytes_per_second, [PASS])


# What programs do with a packet.
DROP = (0x06, 0, 0, 2)
PASS = (0x06, 0, 0, 0xFFFFFFFF)
LOAD_RANDOM = ((0x20, 0, 0, 0xFFFFF000 + 56),)


def lose(share):
    """Drops a share of the packets, drawn by chance."""
    return [*LOAD_RANDOM, (0x35, 1, 0, int(share * 2**32)), DROP, PASS]


def lose_longer(size):
    """Drops the frames that have more bytes, headers included."""
    return [(0x80, 0, 0, 0), (0x25, 0, 1, size), DROP, PASS]


def lose_from(address):
    """Drops the IPv4 packets that come from an address."""
    sender = struct.unpack("!I", socket.inet_aton(address))[0]
    return [(0x28, 0, 0, 12), (0x15, 0, 3, 0x0800), (0x20, 0, 0, 26), (0x15, 0, 1, sender), DROP, PASS]
