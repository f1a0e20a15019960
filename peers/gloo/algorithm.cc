#include "peers/gloo/algorithm.h"

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::peers::gloo {
namespace {

constexpr NameTable<Algorithm, 3> kNames({
    {"ring", Algorithm::ring},
    {"halving-doubling", Algorithm::halving_doubling},
    {"bcube", Algorithm::bcube},
});

bool is_power_of(std::size_t number, std::size_t base) {
  while (number % base == 0) number /= base;
  return number == 1;
}

}  // namespace

std::vector<std::string_view> algorithm_names() {
  return kNames.names();
}

std::optional<Algorithm> algorithm_of(std::string_view name) {
  return kNames.find(name);
}

std::size_t bcube_base(std::size_t ranks) {
  ensure(ranks > 1, "there are several ranks to group");
  std::size_t base = 2;
  while (!is_power_of(ranks, base)) ++base;  // at the latest of itself
  return base;
}

}  // namespace gradwire::peers::gloo
