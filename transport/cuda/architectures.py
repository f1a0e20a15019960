#!/usr/bin/env python3
"""Prints the GPUs that the kernels of an object are compiled for: architectures.py OBJECT...

    kernels.cu.o: sm_75 sm_80 sm_90 compute_90

compute_90 is PTX, which GPUs from sm_90 on compile for themselves. Exits with 1 for an object without kernels. It reads
what nvcc has put into the object's section .nv_fatbin: toolkits without cuobjdump have nothing that does.
"""

import struct
import sys
from pathlib import Path

SECTION = b".nv_fatbin"
MAGIC = 0xBA55ED50
CONTAINER = struct.Struct("<IHHQ")  # magic, version, bytes of this header, bytes of what follows
ENTRY = struct.Struct("<HHIQ8x4xI")  # kind, version, bytes of this header, bytes of what follows, ..., architecture
KINDS = {1: "compute", 2: "sm"}


def section(content, wanted):
    """The bytes of a section of an ELF object of 64 bits; empty without it."""
    if content[:5] != b"\x7fELF\x02":
        raise ValueError("no ELF object of 64 bits")
    (table,) = struct.unpack_from("<Q", content, 40)
    size, count, names = struct.unpack_from("<HHH", content, 58)
    headers = [struct.unpack_from("<IIQQQQ", content, table + i * size) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        begin = headers[names][4] + name
        if content[begin : content.index(b"\0", begin)] == wanted:
            return content[offset : offset + length]
    return b""


def architectures(fatbin):
    """The architectures in a section's containers, such as "sm_75" and "compute_90", in their order."""
    found = set()
    at = 0
    while at + CONTAINER.size <= len(fatbin):
        magic, _, header, length = CONTAINER.unpack_from(fatbin, at)
        if magic != MAGIC:
            raise ValueError(f"no container of kernels at byte {at}")
        at += header
        end = at + length
        while at < end:
            kind, _, header, length, number = ENTRY.unpack_from(fatbin, at)
            found.add((KINDS[kind], number))
            at += header + length
        at = (end + 7) // 8 * 8
    return [f"{kind}_{number}" for kind, number in sorted(found, key=lambda one: (one[0] != "sm", one[1]))]


def main():
    for name in sys.argv[1:]:
        found = architectures(section(Path(name).read_bytes(), SECTION))
        if not found:
            print(f"{name}: no kernels", file=sys.stderr)
            return 1
        print(f"{Path(name).name}: {' '.join(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
