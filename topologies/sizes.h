#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

/// Sizes of a wiring, checked before anything is allocated.
namespace gradwire::topologies {

/// The product of `factors`, in checked arithmetic. Throws InputError "<name>: the number of <what>
/// is too large: at most <limit> are allowed".
[[nodiscard]] std::size_t checked_product(std::string_view name, std::string_view what,
                                          std::size_t limit,
                                          std::initializer_list<std::size_t> factors);

}  // namespace gradwire::topologies
