#include "ps/plan.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::ps {
namespace {

using topologies::Topology;

/// The most servers that work and sum in a fixed order: their own gradient must be first or second
/// in every sum.
constexpr std::size_t kMostInOrder = 2;

void require_workers(std::size_t ranks, const Options& options) {
  if (options.servers > ranks) {
    throw InputError(
        fmt::format("{} parameter servers are more than the {} ranks", options.servers, ranks));
  }
  if (options.dedicated && (options.servers == ranks || options.servers == 0)) {
    throw InputError("dedicated parameter servers leave no rank to work");
  }
  if (options.fixed_order && !options.dedicated && options.servers > kMostInOrder) {
    throw InputError(fmt::format(
        "in a fixed order at most {} servers also work, not {}: a sum begins with the server's own "
        "gradient, and ranks 0 and 1 alone may begin it; dedicated servers may be more",
        kMostInOrder, options.servers));
  }
}

/// The roles of the ranks: which work, which serve, and the extents that each server owns.
class Roles {
 public:
  Roles(std::size_t ranks, std::size_t elements, const Options& options)
      : ranks_(ranks),
        servers_(server_count(ranks, options)),
        dedicated_(options.dedicated),
        pieces_(options.pieces) {
    require_workers(ranks, options);
    if (options.pieces == 0) throw InputError("a server's share needs at least one piece");
    owned_.resize(servers_);
    if (options.placement == Placement::balanced) {
      for (std::size_t i = 0; i < servers_; ++i) own(i, part({0, elements}, servers_, i));
    } else {
      place_tensors(elements, options);
    }
  }

  [[nodiscard]] std::size_t ranks() const { return ranks_; }
  [[nodiscard]] std::size_t servers() const { return servers_; }
  [[nodiscard]] bool works(std::size_t rank) const { return !dedicated_ || rank >= servers_; }
  [[nodiscard]] bool serves(std::size_t rank) const { return rank < servers_; }
  [[nodiscard]] const std::vector<Extent>& owned(std::size_t server) const {
    return owned_[server];
  }
  /// The most extents that a server owns.
  [[nodiscard]] std::size_t most_owned() const {
    std::size_t most = 0;
    for (const std::vector<Extent>& extents : owned_) most = std::max(most, extents.size());
    return most;
  }

 private:
  void place_tensors(std::size_t elements, const Options& options) {
    const std::vector<Extent>& tensors = options.tensors;
    std::size_t next = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].first != next) throw InputError("tensors must follow each other");
      next = tensors[i].end();
      own((options.placed + i) % servers_, tensors[i]);
    }
    if (next != elements) {
      throw InputError(
          fmt::format("the tensors hold {} elements, not {}: per-tensor placement "
                      "needs a workload",
                      next, elements));
    }
  }

  void own(std::size_t server, const Extent& extent) {
    const std::size_t pieces = std::min(pieces_, extent.count);
    for (std::size_t i = 0; i < pieces; ++i) owned_[server].push_back(part(extent, pieces, i));
  }

  std::size_t ranks_;
  std::size_t servers_;
  bool dedicated_;
  std::size_t pieces_;
  std::vector<std::vector<Extent>> owned_;
};

/// The other ranks, beginning after `rank`, so that not all talk to rank 0 first.
std::vector<Rank> others(Rank rank, std::size_t ranks) {
  std::vector<Rank> list;
  for (std::size_t offset = 1; offset < ranks; ++offset) {
    list.emplace_back((rank.index() + offset) % ranks);
  }
  return list;
}

/// The steps of pushes and pulls. Without a fixed order a server adds whatever arrives, in one
/// step.
class Timetable {
 public:
  Timetable(const Roles& roles, bool fixed_order) : roles_(roles), fixed_order_(fixed_order) {}

  [[nodiscard]] std::size_t steps() const {
    return fixed_order_ ? roles_.ranks() + roles_.most_owned() : 2;
  }
  /// The step in which a worker pushes extent `number` of a server.
  [[nodiscard]] std::size_t push(Rank worker, std::size_t number) const {
    return fixed_order_ ? number + worker.index() : 0;
  }
  /// The step in which all workers pull extent `number`: after the last rank's push.
  [[nodiscard]] std::size_t pull(std::size_t number) const {
    return fixed_order_ ? number + roles_.ranks() : 1;
  }

 private:
  const Roles& roles_;
  bool fixed_order_;
};

}  // namespace

Plan plan(const Topology& topology, Rank rank, std::size_t elements, const Options& options) {
  const Roles roles(topology.hosts(), elements, options);
  const Timetable when(roles, options.fixed_order);
  const std::size_t self = rank.index();
  Lane lane(when.steps());
  for (const Rank other : others(rank, roles.ranks())) {
    if (roles.works(self) && roles.serves(other.index())) {
      const std::vector<Extent>& theirs = roles.owned(other.index());
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        lane[when.push(rank, i)].sends.push_back({send_peer(topology, rank, other), theirs[i]});
        lane[when.pull(i)].recvs.push_back(
            {receive_peer(topology, rank, other), theirs[i], Combine::replace});
      }
    }
    if (roles.serves(self) && roles.works(other.index())) {
      const std::vector<Extent>& own = roles.owned(self);
      for (std::size_t i = 0; i < own.size(); ++i) {
        lane[when.push(other, i)].recvs.push_back(
            {receive_peer(topology, rank, other), own[i], Combine::add});
        lane[when.pull(i)].sends.push_back({send_peer(topology, rank, other), own[i]});
      }
    }
  }
  return {.lanes = {std::move(lane)},
          .stepping = options.fixed_order ? Stepping::ordered_sums : Stepping::overlapped};
}

bool ranks_are_alike(const Topology& topology, std::size_t elements, const Options& options) {
  const std::size_t ranks = topology.hosts();
  return topology.translation().has_value() && options.placement == Placement::balanced &&
         !options.dedicated && !options.fixed_order && server_count(ranks, options) == ranks &&
         elements % ranks == 0;
}

std::size_t server_count(std::size_t ranks, const Options& options) {
  if (options.servers > 0) return options.servers;
  return options.fixed_order ? std::min(ranks, kMostInOrder) : ranks;
}

Goal goal(std::size_t ranks, std::size_t elements, const Options& options) {
  require_workers(ranks, options);
  std::vector<Rank> servers;
  for (std::size_t i = 0; options.dedicated && i < options.servers; ++i) servers.emplace_back(i);
  return all_reduce(ranks, elements, servers);
}

double closed_form(std::size_t ranks, std::size_t elements, const Options& options) {
  if (elements == 0) return 0;
  const Roles roles(ranks, elements, options);
  std::vector<std::size_t> shares(ranks, 0);
  for (std::size_t server = 0; server < roles.servers(); ++server) {
    for (const Extent& extent : roles.owned(server)) shares[server] += extent.count;
  }
  std::size_t workers = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) workers += roles.works(rank) ? 1 : 0;

  std::size_t busiest = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t pushers = workers - (roles.works(rank) ? 1 : 0);
    const std::size_t sent = roles.works(rank) ? elements - shares[rank] : 0;
    busiest = std::max({busiest, shares[rank] * pushers, sent});
  }
  if (options.fixed_order) {  // worker after worker sends all it has, then the servers answer
    const auto pushers = static_cast<double>(options.dedicated ? workers : workers - 1);
    const double answers = pushers / static_cast<double>(roles.servers());
    return pushers + (options.dedicated ? std::max(answers, 1.0) : answers);
  }
  const double push = static_cast<double>(busiest) / static_cast<double>(elements);
  const bool passes = options.dedicated && options.placement == Placement::balanced;
  return passes ? push * (1 + 1 / static_cast<double>(options.pieces)) : 2 * push;
}

}  // namespace gradwire::ps
