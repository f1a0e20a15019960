"""Programs that change packets, loaded over bpf(): for root alone."""

import ctypes
import os
import struct

_BPF = {"x86_64": 321, "aarch64": 280}  # the system call's number
_PROG_LOAD, _SCHED_CLS = 5, 3
_LOAD_BYTES, _STORE_BYTES, _RANDOM, _CLONE_REDIRECT = 26, 9, 7, 13
_PAYLOAD_AT = 200  # behind the headers


def _step(code, target=0, source=0, offset=0, value=0):
    return struct.pack("=BBhI", code, source << 4 | target, offset, value & 0xFFFFFFFF)


def _call(number):
    return _step(0x85, value=number)


def load(steps):
    """The descriptor of a program for clsact. Throws OSError when the kernel refuses."""
    program = ctypes.create_string_buffer(b"".join(steps), sum(map(len, steps)))
    license_text = ctypes.create_string_buffer(b"GPL")
    log = ctypes.create_string_buffer(1 << 16)
    attributes = struct.pack("=IIQQIIQ", _SCHED_CLS, len(program) // 8, ctypes.addressof(program),
                             ctypes.addressof(license_text), 1, len(log), ctypes.addressof(log)) + bytes(88)
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.syscall(_BPF[os.uname().machine], _PROG_LOAD, attributes, len(attributes))
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "bpf: " + log.value.decode()[-300:])
    return descriptor


def _sometimes(share, body):
    """Does it to a share of the large packets, drawn by chance, and lets all pass. The packet is in register 6."""
    count = sum(map(len, body)) // 8
    return [_step(0xBF, 6, 1),
            _step(0x61, 2, 6), _step(0xA5, 2, offset=count + 2, value=1000),
            _call(_RANDOM), _step(0x36, 0, offset=count, value=int(share * 2**32)),
            *body,
            _step(0xB7, 0, value=-1), _step(0x95)]


def _bytes_of(packet_call):
    """A call with the packet, an offset in it, and one byte on the stack."""
    return [_step(0xBF, 1, 6), _step(0xB7, 2, value=_PAYLOAD_AT), _step(0xBF, 3, 10), _step(0x07, 3, value=-8),
            _step(0xB7, 4, value=1), _step(0xB7, 5, value=0), _call(packet_call)]


def flip(share):
    """Flips a bit of the payload."""
    change = [_step(0x71, 2, 10, -8), _step(0xA7, 2, value=1), _step(0x73, 10, 2, -8), *_bytes_of(_STORE_BYTES)]
    skip = len(change)
    return _sometimes(share, [*_bytes_of(_LOAD_BYTES), _step(0x55, 0, offset=skip, value=0), *change])


def duplicate(share, interface):
    """Has a packet that comes in at the interface with this index come in twice."""
    return _sometimes(share, [_step(0xBF, 1, 6), _step(0xB7, 2, value=interface), _step(0xB7, 3, value=1),
                              _call(_CLONE_REDIRECT)])
