#include <array>
#include <vector>

#include "bml/plan.h"
#include "collectives/algorithms/collectives.h"
#include "collectives/bcube_all_to_all.h"
#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/chain.h"
#include "collectives/direct.h"
#include "collectives/doubling.h"
#include "collectives/hierarchical.h"
#include "collectives/ring.h"
#include "collectives/scatter_gather.h"
#include "collectives/staged_bcube.h"
#include "collectives/striped_send.h"

namespace gradwire::algorithms {
namespace {

using collectives::Member;
using Task = CollectiveTask;

std::vector<std::size_t> sizes(const Task& task) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < task.members; ++i) {
    all.push_back(part({0, task.elements}, task.members, i).count);
  }
  return all;
}
Parts parts(const Task& task) {
  return equal_parts(task.members, task.elements);
}

Goal to_all(const Task& task) {
  return all_gather(parts(task));
}
Goal to_parts(const Task& task) {
  return reduce_scatter(parts(task));
}
Goal to_sums(const Task& task) {
  return all_reduce(task.members, task.elements);
}
Goal from_root(const Task& task) {
  return broadcast(task.members, task.elements, Rank(task.root));
}
Goal to_root(const Task& task) {
  return reduce(task.members, task.elements, Rank(task.root));
}
Goal to_each(const Task& task) {
  if (task.counts) return all_to_all(task.members, task.counts->scaled(task.elements));
  return all_to_all(task.members, task.members * task.elements);
}
Goal to_one(const Task& task) {
  return send(task.elements);
}

template <Goal (*kGoal)(const Task&)>
Plan at_once(const Task& task, const Member& self) {
  return collectives::direct::plan(self, kGoal(task));
}
template <Goal (*kGoal)(const Task&)>
Plan in_turn(const Task& task, const Member& self) {
  return collectives::direct::pairwise(self, kGoal(task));
}

/// An all-reduce of which half is made, and the parts that lie between the halves.
struct Halved {
  Plan (*plan)(const topologies::Topology& topology, Rank rank, std::size_t elements);
  Parts (*parts)(const topologies::Topology& topology, std::size_t elements);
};
constexpr Halved kBml{bml::plan, bml::parts};
constexpr Halved kStaged{collectives::staged_bcube::plan, collectives::staged_bcube::parts};
constexpr Halved kHierarchical{
    [](const topologies::Topology& topology, Rank rank, std::size_t elements) {
      return collectives::hierarchical::plan(topology, rank, elements);
    },
    [](const topologies::Topology& topology, std::size_t elements) {
      return collectives::hierarchical::parts(topology, elements);
    }};

template <const Halved& kHalved>
constexpr CollectiveWay sums_of(std::string_view way, std::string_view about) {
  return {"reduce-scatter",
          way,
          about,
          [](const Task& t) { return reduce_scatter(kHalved.parts(t.topology, t.elements)); },
          [](const Task& t, const Member& self) {
            return first_half(kHalved.plan(t.topology, self.rank(), t.elements));
          },
          true};
}
template <const Halved& kHalved>
constexpr CollectiveWay shares_of(std::string_view way, std::string_view about) {
  return {"all-gather",
          way,
          about,
          [](const Task& t) { return all_gather(kHalved.parts(t.topology, t.elements)); },
          [](const Task& t, const Member& self) {
            return second_half(kHalved.plan(t.topology, self.rank(), t.elements));
          },
          true};
}

namespace ways {

Plan ring_sums(const Task& t, const Member& self) {
  return collectives::ring::reduce_scatter(self, parts(t));
}
Plan ring_shares(const Task& t, const Member& self) {
  return collectives::ring::all_gather(self, parts(t));
}
Plan bruck_sums(const Task& t, const Member& self) {
  return collectives::bruck::reduce_scatter(self, sizes(t));
}
Plan bruck_shares(const Task& t, const Member& self) {
  return collectives::bruck::all_gather(self, sizes(t));
}
Plan halving(const Task& t, const Member& self) {
  return collectives::doubling::reduce_scatter(self, sizes(t));
}
Plan doubling(const Task& t, const Member& self) {
  return collectives::doubling::all_gather(self, sizes(t));
}
Plan ring(const Task& t, const Member& self) {
  return then(ring_sums(t, self), ring_shares(t, self));
}
Plan bruck(const Task& t, const Member& self) {
  return then(bruck_sums(t, self), bruck_shares(t, self));
}
Plan halving_doubling(const Task& t, const Member& self) {
  return then(halving(t, self), doubling(t, self));
}
Plan binomial_out(const Task& t, const Member& self) {
  return collectives::binomial::broadcast(self, t.elements, t.root);
}
Plan binomial_in(const Task& t, const Member& self) {
  return collectives::binomial::reduce(self, t.elements, t.root);
}
Plan scatter_gather_out(const Task& t, const Member& self) {
  return collectives::scatter_gather::broadcast(self, t.elements, t.root);
}
Plan scatter_gather_in(const Task& t, const Member& self) {
  return collectives::scatter_gather::reduce(self, t.elements, t.root);
}
Plan chain_out(const Task& t, const Member& self) {
  return collectives::chain::broadcast(self, t.elements, {.root = t.root, .pieces = t.pieces});
}
Plan chain_in(const Task& t, const Member& self) {
  return collectives::chain::reduce(self, t.elements, {.root = t.root, .pieces = t.pieces});
}
Plan digit_by_digit(const Task& t, const Member& self) {
  namespace digits = collectives::bcube_all_to_all;
  if (t.counts) return digits::plan(t.topology, self.rank(), t.counts->scaled(t.elements));
  return digits::plan(t.topology, self.rank(), t.elements);
}
Plan striped(const Task& t, const Member& self) {
  return collectives::striped_send::plan(self, t.elements);
}

}  // namespace ways

constexpr std::array kWays{
    CollectiveWay{"reduce-scatter", "ring", "sums go once round", to_parts, ways::ring_sums},
    CollectiveWay{"reduce-scatter", "bruck", "sums of runs, at halving distance", to_parts,
                  ways::bruck_sums},
    CollectiveWay{"reduce-scatter", "halving", "pairs trade halves, quarters, ...; 2^m ranks",
                  to_parts, ways::halving},
    CollectiveWay{"reduce-scatter", "direct", "each part to its rank at once", to_parts,
                  at_once<to_parts>},
    CollectiveWay{"reduce-scatter", "pairwise", "each part to its rank, one after the other",
                  to_parts, in_turn<to_parts>},
    sums_of<kBml>("bml", "the aggregation of bml, on bcube(n,k)"),
    sums_of<kStaged>("staged-bcube", "the first half of staged-bcube, on bcube(n,k)"),
    sums_of<kHierarchical>("hierarchical", "the first half of hierarchical"),
    CollectiveWay{"all-gather", "ring", "parts go once round", to_all, ways::ring_shares},
    CollectiveWay{"all-gather", "bruck", "runs of parts, at doubling distance", to_all,
                  ways::bruck_shares},
    CollectiveWay{"all-gather", "doubling", "pairs trade all they have; 2^m ranks", to_all,
                  ways::doubling},
    CollectiveWay{"all-gather", "direct", "each part to all at once", to_all, at_once<to_all>},
    CollectiveWay{"all-gather", "pairwise", "each part to all, one after the other", to_all,
                  in_turn<to_all>},
    shares_of<kBml>("bml", "the broadcast of bml, on bcube(n,k)"),
    shares_of<kStaged>("staged-bcube", "the second half of staged-bcube, on bcube(n,k)"),
    shares_of<kHierarchical>("hierarchical", "the second half of hierarchical"),
    CollectiveWay{"all-reduce", "bruck", "both halves of bruck: any number of ranks", to_sums,
                  ways::bruck},
    CollectiveWay{"all-reduce", "halving", "reduce-scatter(halving), all-gather(doubling)", to_sums,
                  ways::halving_doubling},
    CollectiveWay{"all-reduce", "ring", "both halves of ring: any number of ranks", to_sums,
                  ways::ring},
    CollectiveWay{"broadcast", "binomial", "a tree whose branches halve", from_root,
                  ways::binomial_out},
    CollectiveWay{"broadcast", "scatter-gather", "parts are dealt, then go once round", from_root,
                  ways::scatter_gather_out},
    CollectiveWay{"broadcast", "chain", "piece by piece from rank to rank", from_root,
                  ways::chain_out},
    CollectiveWay{"broadcast", "direct", "from the root to all", from_root, at_once<from_root>},
    CollectiveWay{"reduce", "binomial", "a tree whose branches halve", to_root, ways::binomial_in},
    CollectiveWay{"reduce", "scatter-gather", "parts are summed once round, then collected",
                  to_root, ways::scatter_gather_in},
    CollectiveWay{"reduce", "chain", "piece by piece from rank to rank", to_root, ways::chain_in},
    CollectiveWay{"reduce", "direct", "from all to the root", to_root, at_once<to_root>},
    CollectiveWay{"all-to-all", "pairwise", "one partner after the other", to_each,
                  in_turn<to_each>},
    CollectiveWay{"all-to-all", "direct", "to all at once", to_each, at_once<to_each>},
    CollectiveWay{"all-to-all", "bcube", "digit by digit, through every port, on bcube(n,k)",
                  to_each, ways::digit_by_digit, true},
    CollectiveWay{"send", "striped", "a share through each NIC", to_one, ways::striped},
    CollectiveWay{"send", "direct", "one message", to_one, at_once<to_one>},
};

}  // namespace

std::span<const CollectiveWay> collective_ways() {
  return kWays;
}

}  // namespace gradwire::algorithms
