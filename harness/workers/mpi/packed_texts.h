#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gradwire::workers {

/// Several texts as one, each with its length before it: 8 bytes in this machine's order.
[[nodiscard]] std::string packed(std::span<const std::string> texts);
/// The texts of it. Throws InternalError for what packed() did not make.
[[nodiscard]] std::vector<std::string> unpacked(std::string_view bytes);

}  // namespace gradwire::workers
