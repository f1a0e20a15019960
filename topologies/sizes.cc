#include "topologies/sizes.h"

#include <span>

#include <fmt/format.h>

#include "core/error.h"
#include "topologies/digits.h"

namespace gradwire::topologies {

std::size_t checked_product(std::string_view name, std::string_view what, std::size_t limit,
                            std::initializer_list<std::size_t> factors) {
  const auto product = product_up_to(limit, std::span(factors.begin(), factors.size()));
  if (!product) {
    throw InputError(fmt::format("{}: the number of {} is too large: at most {} are allowed", name,
                                 what, limit));
  }
  return *product;
}

}  // namespace gradwire::topologies
