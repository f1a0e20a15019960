#pragma once

#include <cstddef>

namespace gradwire {

/// The default for the largest IP packet of a link, in bytes: jumbo frames.
inline constexpr std::size_t kDefaultMtu = 9000;

}  // namespace gradwire
