#include "schedule/collective_cost.h"

#include <cmath>

#include "core/error.h"

namespace gradwire::schedule {
namespace {

/// The number of times that each of a network's parameters is paid.
struct Counts {
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
};

Affine cost_of(std::size_t ranks, const Counts& counts, const Network& network) {
  ensure(ranks > 0, "a collective has at least one rank");
  if (ranks == 1) return {};
  return {counts.alpha * network.alpha, counts.beta * network.beta + counts.gamma * network.gamma};
}

double log_of(std::size_t ranks) {
  return std::log2(static_cast<double>(ranks));
}

/// The share (N-1)/N of a bucket that a rank sends in each of two halves.
double others_share(std::size_t ranks) {
  return static_cast<double>(ranks - 1) / static_cast<double>(ranks);
}

Affine balanced(std::size_t ranks, double startups, const Network& network) {
  const double share = others_share(ranks);
  return cost_of(ranks, {.alpha = startups, .beta = 2 * share, .gamma = share}, network);
}

}  // namespace

Affine binary_tree(std::size_t ranks, const Network& network) {
  const double log = log_of(ranks);
  return cost_of(ranks, {.alpha = 2 * log, .beta = 2 * log, .gamma = log}, network);
}

Affine recursive_doubling(std::size_t ranks, const Network& network) {
  const double log = log_of(ranks);
  return cost_of(ranks, {.alpha = log, .beta = log, .gamma = log}, network);
}

Affine halving_doubling(std::size_t ranks, const Network& network) {
  return balanced(ranks, 2 * log_of(ranks), network);
}

Affine double_binary_trees(std::size_t ranks, const Network& network) {
  return cost_of(ranks, {.alpha = 2 * log_of(ranks), .beta = 2, .gamma = 1}, network);
}

Affine ring(std::size_t ranks, const Network& network) {
  return balanced(ranks, 2 * (static_cast<double>(ranks) - 1), network);
}

Affine ring_as_plotted(std::size_t ranks, const Network& network) {
  return balanced(ranks, 2 * static_cast<double>(ranks), network);
}

Affine parameter_server(std::size_t ranks, const Network& network) {
  return balanced(ranks, 2, network);
}

Affine bml(std::size_t n, std::size_t k, const Network& network) {
  ensure(k > 0, "a BCube has at least one level");
  std::size_t ranks = 1;
  for (std::size_t level = 0; level < k; ++level) ranks *= n;
  const auto threads = static_cast<double>(k);
  // Every thread takes a k-th of the bucket through the same number of steps of its own.
  const Affine thread = balanced(ranks, 2 * threads, network);
  return {thread.a, thread.b / threads};
}

}  // namespace gradwire::schedule
