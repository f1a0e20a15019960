#include "collectives/algorithms/peer.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "collectives/algorithms/collectives.h"
#include "collectives/collective.h"
#include "core/error.h"

namespace gradwire::algorithms {
namespace {

constexpr std::string_view kGloo = "gloo";
constexpr std::string_view kMpi = "mpi";

/// The collectives that libraries are asked for beside an all-reduce.
std::vector<std::string_view> other_collectives() {
  std::vector<std::string_view> names = peers::kWhats.names();
  std::erase(names, collectives::kAllReduce);
  return names;
}

/// The names that may stand in the parentheses: an algorithm of an all-reduce, or another collective.
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

peers::What what_of(const text::Spec& algorithm) {
  const bool is_alone = algorithm.flags.size() == 1 && algorithm.options.empty();
  const auto what = is_alone ? peers::kWhats.find(algorithm.flags.front()) : std::nullopt;
  return what.value_or(peers::What::all_reduce);
}

/// The library's all-reduce that the name says, of those that `find` knows.
template <class NamedAlgorithm, class Find>
auto all_reduce_of(const text::Spec& algorithm, std::span<const NamedAlgorithm> known, Find find) {
  const std::string names = names_of(known);
  const auto found = find(argument_of(algorithm, names));
  if (!found) refuse(algorithm, names);
  return *found;
}

/// A library in place of Plans.
class ByPeer final : public Method {
 public:
  ByPeer(const text::Spec& spec, const topologies::Topology& topology)
      : name_(to_string(spec)),
        peer_(spec, topology),
        ours_({.name = std::string(peers::kWhats.name_of(peer_.what()))}, topology) {}

  [[nodiscard]] std::string collective() const override { return ours_.collective(); }
  /// The goal of our collective of that name: equal parts, with rank 0 as root.
  [[nodiscard]] Achieved achieves(const Amount& amount) const override {
    return ours_.achieves(amount);
  }
  [[nodiscard]] Plan plan(Rank, const Amount& amount) const override {
    peer_.check(amount.elements);
    throw InputError(
        fmt::format("{} is a library: its schedule is its own, there is no Plan", name_));
  }
  [[nodiscard]] const Peer* peer() const override { return &peer_; }

 private:
  std::string name_;
  Peer peer_;
  NamedCollective ours_;
};

}  // namespace

bool is_peer(const text::Spec& spec) {
  return spec.name == kGloo || spec.name == kMpi;
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

Peer::Peer(const text::Spec& spec, const topologies::Topology& topology)
    : library_(spec.name == kMpi ? Library::mpi : Library::gloo),
      what_(what_of(spec)),
      ranks_(topology.hosts()),
      ports_(needs_mpi() ? topology.ports_per_host() : 1) {
  if (what_ != peers::What::all_reduce) return;
  if (needs_mpi()) {
    mpi_ = all_reduce_of(spec, peers::mpi::algorithms(), peers::mpi::algorithm_of);
  } else {
    gloo_ = all_reduce_of(spec, peers::gloo::algorithms(), peers::gloo::algorithm_of);
  }
}

std::vector<std::string> Peer::mpirun_arguments() const {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : peers::mpi::settings(mpi_)) {
    arguments.insert(arguments.end(), {"--mca", name, value});
  }
  return arguments;
}

void Peer::check(std::size_t elements) const {
  constexpr std::size_t kMost = std::numeric_limits<int>::max() / sizeof(float);
  if (elements <= kMost) return;
  throw InputError(fmt::format("{} takes at most {} elements", needs_mpi() ? kMpi : kGloo, kMost));
}

double Peer::least_port_bytes(std::size_t elements) const {
  return collectives::bus_factor(peers::kWhats.name_of(what_), ranks_) *
         static_cast<double>(elements) * sizeof(float);
}

Seconds Peer::bound(std::size_t elements, const topologies::LinkLimits& limits) const {
  const double bytes = least_port_bytes(elements) / static_cast<double>(ports_);
  return time_to_send(std::max(0.0, bytes - limits.burst), limits.payload);
}

std::shared_ptr<const Method> make_peer(const text::Spec& spec,
                                        const topologies::Topology& topology) {
  return std::make_shared<ByPeer>(spec, topology);
}

}  // namespace gradwire::algorithms
