#include "collectives/byteps.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/core.h>

#include "collectives/member.h"
#include "collectives/ring.h"
#include "core/error.h"
#include "topologies/peers.h"

namespace gradwire::collectives::byteps {
namespace {

using topologies::receive_peer;
using topologies::send_peer;
using topologies::Topology;

/// The number n of workers, given all ranks and those that only serve.
std::size_t workers_of(std::size_t ranks, std::size_t servers) {
  if (servers > ranks / 2) {
    throw InputError(
        fmt::format("byteps divides the load between at most as many servers as workers, and of {} "
                    "ranks {} serve",
                    ranks, servers));
  }
  return ranks - servers;
}

/// The denominator D of the header's formulas. Above 0 for two workers or more.
std::size_t denominator(std::size_t n, std::size_t k) {
  return n * n + k * n - 2 * k;
}

/// The ranks on the other side of the servers' exchange: all workers for a server, all servers for
/// a worker. Each list begins with another one, so that not all send to the same first.
std::vector<Rank> across(Rank self, std::size_t ranks, std::size_t servers) {
  const bool serves = self.index() < servers;
  const std::size_t first = serves ? servers : 0;
  const std::size_t count = serves ? ranks - servers : servers;
  std::vector<Rank> others;
  for (std::size_t i = 0; i < count; ++i) others.emplace_back(first + (self.index() + i) % count);
  return others;
}

/// Adds the exchange with the servers: pushes to them in the first step of the lane, and pulls in
/// the second.
void add_servers(const Topology& topology, Rank self, const std::vector<Extent>& owned,
                 const Options& options, Lane& lane) {
  const bool serves = self.index() < options.servers;
  for (const Rank other : across(self, owned.size(), options.servers)) {
    const Peer to = send_peer(topology, self, other);
    const Peer from = receive_peer(topology, self, other);
    const Extent& share = owned[serves ? self.index() : other.index()];
    for (std::size_t i = 0; i < options.pieces; ++i) {
      const Extent piece = part(share, options.pieces, i);
      if (piece.empty()) continue;
      if (serves) {
        lane[0].recvs.push_back({from, piece, Combine::add});
        lane[1].sends.push_back({to, piece});
      } else {
        lane[0].sends.push_back({to, piece});
        lane[1].recvs.push_back({from, piece, Combine::replace});
      }
    }
  }
}

/// The lane of the workers' ring.
Lane ring_lane(const Topology& topology, Rank self, const std::vector<Extent>& owned,
               const Options& options) {
  const std::size_t pieces = pieces_of_worker(owned.size(), options);
  Group workers;
  Parts parts;
  for (std::size_t i = options.servers; i < owned.size(); ++i) {
    workers.emplace_back(i);
    parts.emplace_back();
    for (std::size_t j = 0; j < pieces; ++j) parts.back().push_back(part(owned[i], pieces, j));
  }
  const Member member{
      .topology = topology, .group = workers, .place = self.index() - options.servers};
  return then(ring::reduce_scatter(member, parts), ring::all_gather(member, parts)).lanes.front();
}

}  // namespace

std::vector<Extent> shares(std::size_t ranks, std::size_t elements, std::size_t servers) {
  const std::size_t n = workers_of(ranks, servers);
  std::vector<std::size_t> counts(ranks, 0);
  if (n == 1) {
    counts.back() = elements;
  } else {
    const std::size_t d = denominator(n, servers);
    for (std::size_t i = 0; i < ranks; ++i) {
      const std::size_t weight = i < servers ? 2 * (n - 1) : n - servers;
      counts[i] = elements / d * weight + elements % d * weight / d;  // a product would not fit
    }
    const std::size_t left = elements - std::reduce(counts.begin(), counts.end());
    for (std::size_t i = 0; i < left; ++i) ++counts[i];
  }
  std::vector<Extent> owned;
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    owned.push_back({first, count});
    first += count;
  }
  return owned;
}

std::size_t default_pieces(std::size_t ranks, std::size_t elements, std::size_t servers) {
  if (servers == 0) return 1;
  const std::size_t bytes = shares(ranks, elements, servers).front().count * sizeof(float);
  return std::clamp<std::size_t>(bytes / kLeastPiece, 1, kMostPieces);
}

std::size_t pieces_of_worker(std::size_t ranks, const Options& options) {
  const std::size_t n = workers_of(ranks, options.servers);
  if (n == 1) return 1;
  return std::max<std::size_t>(options.pieces * (n - options.servers) / (2 * (n - 1)), 1);
}

Plan plan(const Topology& topology, Rank rank, std::size_t elements, const Options& options) {
  const std::size_t ranks = topology.hosts();
  const std::size_t k = options.servers;
  const std::size_t n = workers_of(ranks, k);
  if (n == 1) return {};
  const std::vector<Extent> owned = shares(ranks, elements, k);
  const std::size_t pieces =
      options.pieces > 0 ? options.pieces : default_pieces(ranks, elements, k);
  const std::size_t most = std::max<std::size_t>(owned.front().count, 1);
  const Options fitting{.servers = k, .pieces = std::min(pieces, most)};
  Lane lane =
      rank.index() < k ? Lane(2 * ring::steps(n)) : ring_lane(topology, rank, owned, fitting);
  add_servers(topology, rank, owned, fitting, lane);
  return {.lanes = {std::move(lane)}};
}

Goal goal(std::size_t ranks, std::size_t elements, std::size_t servers) {
  static_cast<void>(workers_of(ranks, servers));
  std::vector<Rank> serving;
  for (std::size_t i = 0; i < servers; ++i) serving.emplace_back(i);
  return all_reduce(ranks, elements, serving);
}

double load(std::size_t ranks, std::size_t servers) {
  const std::size_t n = workers_of(ranks, servers);
  if (n == 1) return 0;
  return 2 * static_cast<double>(n) * static_cast<double>(n - 1) /
         static_cast<double>(denominator(n, servers));
}

double closed_form(std::size_t ranks, const Options& options) {
  ensure(options.pieces > 0, "a share travels as at least one extent");
  const double exchange = load(ranks, options.servers);
  if (options.servers == 0) return exchange;
  return exchange * (1 + 1 / static_cast<double>(options.pieces));
}

}  // namespace gradwire::collectives::byteps
