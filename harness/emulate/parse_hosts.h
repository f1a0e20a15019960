#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/id.h"

namespace gradwire::emulate {

/// Reads "0,3,5-7": hosts of a wiring that has `hosts` of them. Returns them ascending. Throws
/// InputError, without a place, for anything else, a host that the wiring has not, and one that is
/// named twice.
[[nodiscard]] std::vector<Rank> parse_hosts(std::string_view text, std::size_t hosts);

/// Reads one of them: "3". Throws as parse_hosts.
[[nodiscard]] Rank parse_host(std::string_view text, std::size_t hosts);

}  // namespace gradwire::emulate
