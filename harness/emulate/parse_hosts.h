#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/id.h"

namespace gradwire::emulate {

/// Parses hosts of a wiring that has `hosts` of them: "0,3,5-7". Returns them in ascending order.
/// Throws InputError, without a place, for anything else, for a host that the wiring does not have,
/// and for one that is named twice.
[[nodiscard]] std::vector<Rank> parse_hosts(std::string_view text, std::size_t hosts);

/// Parses one host: "3". Throws as parse_hosts.
[[nodiscard]] Rank parse_host(std::string_view text, std::size_t hosts);

}  // namespace gradwire::emulate
