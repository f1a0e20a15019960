#include "results/record/libraries.h"

#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::record {
namespace {

constexpr NameTable<Library, kLibraries.size()> kNames({
    {"Gloo", Library::gloo},
    {"Open MPI", Library::mpi},
    {"UCX", Library::ucx},
    {"libibverbs", Library::verbs},
    {"OpenBLAS", Library::openblas},
    {"CUDA", Library::cuda},
});

std::string list(const std::vector<std::string>& names) {
  return names.empty() ? "-" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string to_string(Library library) {
  return std::string(kNames.name_of(library));
}

std::string libraries_line(const Libraries& libraries) {
  std::vector<std::string> with;
  std::vector<std::string> without;
  for (const Library library : kLibraries) {
    if (libraries.has(library)) {
      with.push_back(fmt::format("{} {}", to_string(library), libraries.version(library)));
    } else {
      without.push_back(to_string(library));
    }
  }
  return fmt::format("with: {}; without: {}", list(with), list(without));
}

void require(const Libraries& libraries, Library library, std::string_view for_what) {
  if (libraries.has(library)) return;
  throw InputError(
      fmt::format("{}: this gradwire was built without {}", for_what, to_string(library)));
}

}  // namespace gradwire::record
