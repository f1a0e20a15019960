"""Meeting of the ranks of a process group: PyTorch's store tells all of them where Gradwire's own store is."""

import contextlib
import os
import secrets
import socket

KEY = "gradwire/meeting"


def own_address():
    """This host's IPv4 address on its way to the master."""
    master = os.environ.get("MASTER_ADDR")
    if not master:
        raise ValueError("gradwire: MASTER_ADDR does not say how other ranks reach this host: set it, or give the option "
                         "store=host:port of rank 0 in pg_options")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect((master, 9))  # sends nothing
        return probe.getsockname()[0]


@contextlib.contextmanager
def arranged(store, rank, size, options):
    """Yields the options store and secret, the same for all ranks. Rank 0 chooses them, and reserves the port until all
    have met."""
    if size == 1 or "store" in options:
        yield {}
        return
    if rank != 0:
        at, secret = store.get(KEY).decode().split()
        yield {"store": at, "secret": secret}
        return
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # the store listens there all the same
        holder.bind((own_address(), 0))
        at, secret = "{}:{}".format(*holder.getsockname()), secrets.token_hex(16)
        store.set(KEY, f"{at} {secret}")
        yield {"store": at, "secret": secret}
