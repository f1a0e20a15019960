#!/usr/bin/env python3
"""Reports headers that use a name of the standard library, of fmt or of nlohmann::json without including what declares it.

    includes.py HEADER...

Prints one offender a line as "file:line: what". Ends with 1 when there are any, and with 2 when a header cannot be read.

Sources of the rooms above the algorithms are compiled after precompiled headers, which hide an include that is missing.
This finds it without compiling each header alone. A name that the table below lacks is reported, too.
"""

import re
import sys
from pathlib import Path

DECLARED_IN = {
    "algorithm": "clamp find max min",
    "array": "array to_array",
    "atomic": "atomic memory_order_acquire memory_order_release memory_order_relaxed",
    "barrier": "barrier",
    "charconv": "from_chars to_chars",
    "chrono": "chrono",
    "cmath": "abs floor isfinite pow sqrt",
    "compare": "strong_ordering",
    "concepts": "integral unsigned_integral",
    "condition_variable": "condition_variable",
    "cstddef": "byte nullptr_t ptrdiff_t size_t",
    "cstdint": "int64_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t",
    "cstdio": "FILE fflush fprintf",
    "cstdlib": "getenv",
    "deque": "deque",
    "exception": "current_exception exception exception_ptr rethrow_exception",
    "filesystem": "filesystem",
    "fstream": "ifstream ofstream",
    "functional": "function greater hash invoke less",
    "initializer_list": "initializer_list",
    "iosfwd": "istream ostream",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map",
    "memory": "make_shared make_unique shared_ptr unique_ptr weak_ptr",
    "mutex": "mutex",
    "optional": "nullopt optional",
    "queue": "priority_queue",
    "random": "exponential_distribution lognormal_distribution mt19937_64 uniform_int_distribution uniform_real_distribution",
    "ratio": "nano",
    "set": "set",
    "source_location": "source_location",
    "span": "span",
    "sstream": "istringstream ostringstream",
    "stdexcept": "logic_error runtime_error",
    "string": "getline stoi string to_string",
    "string_view": "string_view",
    "system_error": "errc",
    "thread": "this_thread thread",
    "tuple": "apply tie tuple tuple_size_v",
    "type_traits": "decay_t invoke_result_t is_arithmetic_v is_enum_v is_floating_point_v is_integral_v is_same_v remove_const_t remove_cvref_t",
    "unordered_map": "unordered_map",
    "utility": "exchange in_range index_sequence make_index_sequence move pair swap",
    "variant": "get get_if variant visit",
    "vector": "vector",
}
HEADER_OF = {name: header for header, names in DECLARED_IN.items() for name in names.split()}
# A header that has another's names as well, by what it is there for.
ALSO_IN = {"string_view": {"string"}, "iosfwd": {"istream", "ostream", "fstream", "sstream"}}
OTHERS = {"fmt": "fmt/", "nlohmann": "nlohmann/"}

NAME = re.compile(r"\b(std|fmt|nlohmann)::(?:ranges::)?(\w+)")
INCLUDE = re.compile(r"#include [<\"]([^>\"]+)[>\"]")
NOT_CODE = re.compile(r'//.*|"(?:[^"\\]|\\.)*"')


def is_included(namespace, name, included):
    """Whether one of the headers declares the name; None when nobody told which would."""
    if namespace != "std":
        return any(header.startswith(OTHERS[namespace]) for header in included)
    header = HEADER_OF.get(name)
    return header and bool({header, *ALSO_IN.get(header, ())} & included)


def offenders(text):
    """(line, what) for each name whose header is not included, once a name."""
    included, seen, found = set(INCLUDE.findall(text)), set(), []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        for namespace, name in NAME.findall(NOT_CODE.sub("", line)):
            if (namespace, name) in seen:
                continue
            seen.add((namespace, name))
            answer = is_included(namespace, name, included)
            if answer is None:
                found.append((number, f"{namespace}::{name} is not in the table of includes.py"))
            elif not answer:
                header = HEADER_OF[name] if namespace == "std" else OTHERS[namespace] + "..."
                found.append((number, f"{namespace}::{name} without #include <{header}>"))
    return found


def main():
    found = []
    for name in sys.argv[1:]:
        try:
            found += [f"{name}:{line}: {what}" for line, what in offenders(Path(name).read_text(encoding="utf-8"))]
        except (OSError, UnicodeDecodeError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return 2
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
