#pragma once

#include <cstddef>

namespace gradwire {

/// The largest IP packet of a link, in bytes, where nothing else is said: jumbo frames.
inline constexpr std::size_t kDefaultMtu = 9000;

}  // namespace gradwire
