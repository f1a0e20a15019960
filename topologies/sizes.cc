#include "topologies/sizes.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gradwire::topologies {

std::optional<std::size_t> product_up_to(std::size_t limit, std::span<const std::size_t> factors) {
  std::size_t product = 1;
  for (const std::size_t factor : factors) {
    if (factor == 0) return 0;
    if (product > limit / factor) return std::nullopt;
    product *= factor;
  }
  return product;
}

std::size_t checked_product(std::string_view name, std::string_view what, std::size_t limit,
                            std::span<const std::size_t> factors) {
  const auto product = product_up_to(limit, factors);
  if (!product) {
    throw InputError(fmt::format("{}: the number of {} is too large: at most {} are allowed", name,
                                 what, limit));
  }
  return *product;
}

std::size_t checked_product(std::string_view name, std::string_view what, std::size_t limit,
                            std::initializer_list<std::size_t> factors) {
  return checked_product(name, what, limit, std::span(factors.begin(), factors.size()));
}

}  // namespace gradwire::topologies
