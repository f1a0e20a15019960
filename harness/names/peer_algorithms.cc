#include "harness/names/peer_algorithms.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/peers/mpi/algorithm.h"
#include "core/error.h"
#include "results/record/row.h"

namespace gradwire::names {
namespace {

constexpr std::string_view kGloo = "gloo";
constexpr std::string_view kMpi = "mpi";

/// What else libraries are asked for.
std::vector<std::string_view> other_collectives() {
  std::vector<std::string_view> names = peers::kWhats.names();
  std::erase(names, record::kAllReduce);
  return names;
}

/// What may stand in the parentheses: an algorithm of an all-reduce, or another collective.
template <class NamedAlgorithm>
std::string names_of(std::span<const NamedAlgorithm> algorithms) {
  std::vector<std::string_view> names;
  for (const NamedAlgorithm& each : algorithms) {
    if (!each.name.empty()) names.push_back(each.name);
  }
  std::ranges::copy(other_collectives(), std::back_inserter(names));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The only argument; empty without one. Throws InputError for more.
std::string_view argument_of(const text::Spec& algorithm, const std::string& known) {
  const bool is_plain = algorithm.options.empty() && algorithm.file.empty();
  if (is_plain && algorithm.flags.empty()) return "";
  if (is_plain && algorithm.flags.size() == 1) return algorithm.flags.front();
  if (algorithm.options.contains("counts")) {
    throw InputError(
        fmt::format("{} is given blocks of one size here, and no counts; "
                    "all-to-all(counts=...) of ours takes them",
                    algorithm.name));
  }
  throw InputError(fmt::format("{} takes one of: {}", algorithm.name, known));
}

[[noreturn]] void refuse(const text::Spec& algorithm, const std::string& known) {
  throw InputError(fmt::format("unknown algorithm '{}'; {} has: {}", to_string(algorithm),
                               algorithm.name, known));
}

peers::mpi::Algorithm mpi_algorithm(const text::Spec& algorithm) {
  const std::string known = names_of(peers::mpi::algorithms());
  if (peer_what(algorithm) != peers::What::all_reduce) return peers::mpi::Algorithm::automatic;
  const auto found = peers::mpi::algorithm_of(argument_of(algorithm, known));
  if (!found) refuse(algorithm, known);
  return *found;
}

}  // namespace

bool is_peer(const text::Spec& algorithm) {
  return algorithm.name == kGloo || algorithm.name == kMpi;
}

bool needs_mpi(const text::Spec& algorithm) {
  return algorithm.name == kMpi;
}

peers::What peer_what(const text::Spec& algorithm) {
  const bool is_alone = algorithm.flags.size() == 1 && algorithm.options.empty();
  const auto what = is_alone ? peers::kWhats.find(algorithm.flags.front()) : std::nullopt;
  return what.value_or(peers::What::all_reduce);
}

record::Library library_of(const text::Spec& algorithm) {
  return needs_mpi(algorithm) ? record::Library::mpi : record::Library::gloo;
}

peers::gloo::Algorithm gloo_algorithm(const text::Spec& algorithm) {
  const std::string known = names_of(peers::gloo::algorithms());
  if (peer_what(algorithm) != peers::What::all_reduce) return peers::gloo::Algorithm::ring;
  const auto found = peers::gloo::algorithm_of(argument_of(algorithm, known));
  if (!found) refuse(algorithm, known);
  return *found;
}

std::vector<PeerKind> peer_kinds() {
  std::vector<PeerKind> kinds;
  for (const auto& each : peers::gloo::algorithms()) {
    kinds.push_back({.name = fmt::format("{}({})", kGloo, each.name),
                     .about = fmt::format("Gloo: {}; over a host's first port", each.about)});
  }
  for (const std::string_view what : other_collectives()) {
    kinds.push_back({.name = fmt::format("{}({})", kGloo, what),
                     .about = fmt::format("Gloo's {}; over a host's first port", what)});
  }
  for (const auto& each : peers::mpi::algorithms()) {
    kinds.push_back(
        {.name = each.name.empty() ? std::string(kMpi) : fmt::format("{}({})", kMpi, each.name),
         .about = fmt::format("Open MPI: {}; over all ports", each.about)});
  }
  for (const std::string_view what : other_collectives()) {
    kinds.push_back(
        {.name = fmt::format("{}({})", kMpi, what),
         .about = fmt::format("Open MPI's {}, by its own rules; over all ports", what)});
  }
  return kinds;
}

std::vector<std::string> peer_names() {
  std::vector<std::string> names;
  for (const PeerKind& kind : peer_kinds()) names.push_back(kind.name);
  return names;
}

void check_peer(const text::Spec& algorithm, std::size_t elements) {
  if (needs_mpi(algorithm)) {
    static_cast<void>(mpi_algorithm(algorithm));
  } else {
    static_cast<void>(gloo_algorithm(algorithm));
  }
  constexpr std::size_t kMost = std::numeric_limits<int>::max() / sizeof(float);
  if (elements > kMost) {
    throw InputError(fmt::format("{} takes at most {} elements", algorithm.name, kMost));
  }
}

double least_port_bytes(const PeerCall& call) {
  return record::bus_factor(call.collective, call.ranks) * static_cast<double>(call.elements) *
         sizeof(float);
}

std::size_t peer_ports(const text::Spec& algorithm, std::size_t ports_per_host) {
  return needs_mpi(algorithm) ? ports_per_host : 1;
}

Seconds peer_bound(const PeerCall& call, const LinkLimits& limits) {
  const double bytes = least_port_bytes(call) / static_cast<double>(call.ports);
  return time_to_send(std::max(0.0, bytes - limits.burst), limits.payload);
}

std::vector<std::string> mpirun_arguments(const text::Spec& algorithm) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : peers::mpi::settings(mpi_algorithm(algorithm))) {
    arguments.insert(arguments.end(), {"--mca", name, value});
  }
  return arguments;
}

}  // namespace gradwire::names
