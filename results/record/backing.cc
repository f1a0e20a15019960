#include "results/record/backing.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::record {
namespace {

constexpr NameTable<Backing, 3> kBackings({
    {"emulated", Backing::emulated},
    {"hosts", Backing::hosts},
    {"simulated", Backing::simulated},
});

}  // namespace

std::string to_string(Backing backing) {
  return std::string(kBackings.name_of(backing));
}

std::optional<Backing> find_backing(std::string_view name) {
  return kBackings.find(name);
}

Backing parse_backing(std::string_view name) {
  if (const auto backing = find_backing(name)) return *backing;
  throw InputError(fmt::format("expected emulated, hosts or simulated, found '{}'", name));
}

}  // namespace gradwire::record
