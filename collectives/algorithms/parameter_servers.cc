#include "collectives/algorithms/parameter_servers.h"

#include <algorithm>

#include "collectives/byteps.h"
#include "core/error.h"
#include "ps/plan.h"

namespace gradwire::algorithms {
namespace {

ps::Options options_of(const text::Arguments& arguments, const Amount& amount) {
  ps::Options options{.servers = arguments.number_or("servers", 0),
                      .dedicated = arguments.has("dedicated"),
                      .pieces = arguments.number_or("pieces", 1),
                      .fixed_order = arguments.has("fixed-order")};
  if (arguments.has("per-tensor")) {
    options.placement = ps::Placement::per_tensor;
    options.tensors = amount.tensors;
    options.placed = amount.tensors_before;
  }
  return options;
}

collectives::byteps::Options byteps_options(const text::Arguments& arguments) {
  for (const char* const other : {"per-tensor", "dedicated", "fixed-order"}) {
    if (!arguments.has(other)) continue;
    throw InputError(std::string("ps: byteps says what every rank owns; leave out ") + other);
  }
  return {.servers = arguments.number_or("servers", 0), .pieces = arguments.number_or("pieces", 0)};
}

/// The busiest rank is a server, with every worker, or a worker with all servers and in the ring.
PlanSize size_of_byteps(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) {
  namespace byteps = collectives::byteps;
  byteps::Options options = byteps_options(arguments);
  const std::size_t k = options.servers;
  const std::size_t share = byteps::shares(ranks, amount.elements, k).front().count;
  const std::size_t asked = options.pieces;
  if (asked == 0) options.pieces = byteps::default_pieces(ranks, amount.elements, k);
  options.pieces = std::clamp<std::size_t>(options.pieces, 1, std::max<std::size_t>(share, 1));
  const auto pieces = static_cast<double>(k > 0 ? options.pieces : 0);
  const auto passed_on = static_cast<double>(byteps::pieces_of_worker(ranks, options));
  const auto workers = static_cast<double>(ranks - k);
  return {.pieces = std::max<std::size_t>(asked, 1),
          .part = share,
          .transfers = std::max(2 * workers * pieces, 2 * static_cast<double>(k) * pieces +
                                                          4 * (workers - 1) * passed_on)};
}

}  // namespace

Plan plan_ps(const text::Arguments& arguments, const topologies::Topology& topology, Rank rank,
             const Amount& amount) {
  if (arguments.has("byteps")) {
    return collectives::byteps::plan(topology, rank, amount.elements, byteps_options(arguments));
  }
  return ps::plan(topology, rank, amount.elements, options_of(arguments, amount));
}

bool ps_ranks_are_alike(const text::Arguments& arguments, const topologies::Topology& topology,
                        const Amount& amount) {
  return !arguments.has("byteps") &&
         ps::ranks_are_alike(topology, amount.elements, options_of(arguments, amount));
}

Goal goal_of_ps(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) {
  if (arguments.has("byteps")) {
    return collectives::byteps::goal(ranks, amount.elements, byteps_options(arguments).servers);
  }
  return ps::goal(ranks, amount.elements, options_of(arguments, amount));
}

/// The busiest rank is a server of as many tensors, or shards, as any, and a worker for all.
PlanSize size_of_ps(const text::Arguments& arguments, std::size_t ranks, const Amount& amount) {
  if (arguments.has("byteps")) return size_of_byteps(arguments, ranks, amount);
  const ps::Options options = options_of(arguments, amount);
  const std::size_t servers = ps::server_count(ranks, options);
  const bool per_tensor = options.placement == ps::Placement::per_tensor;
  const std::size_t owned = per_tensor ? options.tensors.size() : servers;
  const std::size_t own = (owned + servers - 1) / servers;
  return {.pieces = options.pieces,
          .part = per_tensor ? amount.elements : part({0, amount.elements}, servers, 0).count,
          .transfers =
              2 * static_cast<double>(options.pieces) *
              (static_cast<double>(owned) + static_cast<double>(own) * static_cast<double>(ranks))};
}

}  // namespace gradwire::algorithms
