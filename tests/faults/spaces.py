"""Doing something in the network namespaces of a run: of its ranks, and of its switches."""

import ctypes
import fcntl
import json
import os
import socket
import struct

import netlink
from run import NotReached

_CLONE_NEWNET, _CLONE_NEWUSER = 0x40000000, 0x10000000


def call(enter, act):
    """What act() returns, called by a child of this process after enter(). Throws NotReached when either throws."""
    answer, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            enter()
            text = json.dumps({"value": act()})
        except BaseException as error:  # pylint: disable=broad-except
            text = json.dumps({"error": f"{type(error).__name__}: {error}"})
        try:
            os.write(told, text.encode())
        finally:
            os._exit(0)
    os.close(told)
    with os.fdopen(answer, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    said = json.loads(text) if text else {"error": "the child died"}
    if "error" in said:
        raise NotReached(said["error"])
    return said["value"]


def _set_namespace(descriptor, kind):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, kind) != 0:
        raise OSError(ctypes.get_errno(), "setns")


def _enter(process):
    """Into the user and network namespaces of a process, from which there is no way back."""
    kinds = [(_CLONE_NEWUSER, "user"), (_CLONE_NEWNET, "net")]
    opened = [(kind, os.open(f"/proc/{process}/ns/{name}", os.O_RDONLY)) for kind, name in kinds]
    for kind, descriptor in opened:
        _set_namespace(descriptor, kind)


def start_in(run, process, act):
    """Starts a child of this process that calls act() in the namespaces of a process of the run; its number. It ends with
    0, or with 1 when act() throws. The caller waits for it, or kills it."""
    child = os.fork()
    if child != 0:
        run.helpers.add(child)
        return child
    try:
        _enter(process)
        act()
        os._exit(0)
    except BaseException:  # pylint: disable=broad-except
        os._exit(1)


def at_rank(run, rank, act):
    """Calls act() in the namespaces of a rank."""
    worker = run.await_workers()[rank]
    return call(lambda: _enter(worker), act)


def at_rank_as_root(run, rank, act):
    """The same in the network namespace alone, as root of the machine: for what a user's root may not load."""
    worker = run.await_workers()[rank]

    def enter():
        with open(f"/proc/{worker}/ns/net", "rb") as space:
            _set_namespace(space.fileno(), _CLONE_NEWNET)

    return call(enter, act)


def _enter_switches(process):
    """Into the namespace of all bridges: the one of those that the process holds which has a bridge s0."""
    descriptors = {}
    for number in os.listdir(f"/proc/{process}/fd"):
        try:
            path = f"/proc/{process}/fd/{number}"
            if os.readlink(path).startswith("net:"):
                descriptors.setdefault(os.readlink(path), os.open(path, os.O_RDONLY))
        except OSError:
            pass  # it was closed meanwhile
    user = os.open(f"/proc/{process}/ns/user", os.O_RDONLY)
    _set_namespace(user, _CLONE_NEWUSER)
    for descriptor in descriptors.values():
        _set_namespace(descriptor, _CLONE_NEWNET)
        if "s0" in [name for _, name in socket.if_nameindex()]:
            return
    raise NotReached("the run has no bridge")


def at_switches(run, act):
    """Calls act() in the namespace of the run's bridges."""
    inner = run.inner()
    if inner is None:
        raise NotReached("the run has no sandbox")
    return call(lambda: _enter_switches(inner), act)


def switch_end(run, rank, port):
    """The other end of a rank's cable: the name of the switch's interface."""
    index = at_rank(run, rank, lambda: netlink.peer_index(f"p{port}"))
    return at_switches(run, lambda: socket.if_indextoname(index))


def at_end(run, rank, port, at_switch, act):
    """Calls act(name) at one end of a rank's cable, its own or the switch's; the name of the interface there."""
    if not at_switch:
        own = f"p{port}"
        at_rank(run, rank, lambda: act(own))
        return own
    end = switch_end(run, rank, port)
    run.note_injection()
    at_switches(run, lambda: act(end))
    return end


def ports_by_switch(run):
    """{bridge: [(rank, port, the switch's interface)]}"""
    found = {}
    for rank in range(run.ranks):
        for port in range(run.ports):
            end = switch_end(run, rank, port)
            bridge = at_switches(run, lambda end=end: socket.if_indextoname(netlink.bridge_index(end)))
            found.setdefault(bridge, []).append((rank, port, end))
    return found


def address_of(run, rank, port):
    """The IPv4 address of a rank's port."""

    def ask():
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            found = fcntl.ioctl(any_socket, 0x8915, struct.pack("256s", f"p{port}".encode()))
        return socket.inet_ntoa(found[20:24])

    return at_rank(run, rank, ask)

