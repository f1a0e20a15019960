#pragma once

#include <cstdint>
#include <string_view>

namespace gradwire {

/// The memory that holds a gradient.
enum class Memory : std::uint8_t {
  host,
  device,  ///< memory of a GPU (transport/device/)
};

/// The memory's name: "host" or "device".
[[nodiscard]] std::string_view to_string(Memory memory);
/// The memory of this name, which comes from a schema or another process of ours. Throws
/// InternalError for another name.
[[nodiscard]] Memory parse_memory(std::string_view name);

}  // namespace gradwire
