#pragma once

#include <cstdint>
#include <string_view>

namespace gradwire {

/// Where a gradient lies.
enum class Memory : std::uint8_t {
  host,
  device,  ///< of a GPU: transport/device/
};

/// "host", "device".
[[nodiscard]] std::string_view to_string(Memory memory);
/// The memory of this name, as a schema or another process of ours has it. Throws InternalError for
/// another name.
[[nodiscard]] Memory parse_memory(std::string_view name);

}  // namespace gradwire
