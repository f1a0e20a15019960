#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

/// Sizes of a wiring, checked before anything is allocated.
namespace gradwire::topologies {

inline constexpr std::size_t kMaxHosts = 1'000'000;
/// The most cables of a wiring, where the number of hosts does not bound them.
inline constexpr std::size_t kMaxCables = 16'000'000;

/// The product of `factors`, or nothing if it is more than `limit`. Never overflows.
[[nodiscard]] std::optional<std::size_t> product_up_to(std::size_t limit,
                                                       std::span<const std::size_t> factors);

/// The product of `factors`, in checked arithmetic. Throws InputError "<name>: the number of <what>
/// is too large: at most <limit> are allowed".
[[nodiscard]] std::size_t checked_product(std::string_view name, std::string_view what,
                                          std::size_t limit, std::span<const std::size_t> factors);
[[nodiscard]] std::size_t checked_product(std::string_view name, std::string_view what,
                                          std::size_t limit,
                                          std::initializer_list<std::size_t> factors);

}  // namespace gradwire::topologies
