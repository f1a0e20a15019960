#pragma once

#include <cstddef>

#include "schedule/cost.h"

/// Costs of collectives in terms of the network, for N ranks, at least one; with one rank nothing
/// is sent. They are those of TPDS Table II, and some that it lacks. Logarithms are to base 2 and
/// not rounded, as in the paper.
namespace gradwire::schedule {

/// The cost parameters of a network (TPDS Table I), with gamma per byte so that it adds up with
/// beta. The paper has gamma per addition.
struct Network {
  Seconds alpha{};   ///< start-up time of a message
  double beta = 0;   ///< seconds per byte on a link
  double gamma = 0;  ///< seconds per byte added
};

/// The cost of reducing up a binary tree, then broadcasting down: a = 2 log N alpha, b = log N (2
/// beta + gamma).
[[nodiscard]] Affine binary_tree(std::size_t ranks, const Network& network);

/// The cost of exchanging everything with a partner, log N times: a = log N alpha, b = log N (beta
/// + gamma).
[[nodiscard]] Affine recursive_doubling(std::size_t ranks, const Network& network);

/// The cost of a reduce-scatter by halving and an all-gather by doubling: a = 2 log N alpha, b =
/// 2(N-1)/N beta + (N-1)/N gamma.
[[nodiscard]] Affine halving_doubling(std::size_t ranks, const Network& network);

/// The cost of sending each half of the bucket through a tree of its own: a = 2 log N alpha, b = 2
/// beta + gamma. The paper prints a without alpha and b as beta + gamma; but every rank moves 2 M
/// both ways, up one half of each tree and down again.
[[nodiscard]] Affine double_binary_trees(std::size_t ranks, const Network& network);

/// The cost of a reduce-scatter and an all-gather around a ring: a = 2(N-1) alpha, b = 2(N-1)/N
/// beta + (N-1)/N gamma.
[[nodiscard]] Affine ring(std::size_t ranks, const Network& network);

/// The cost of the ring in MG-WFBP's plotting script: with 2N start-ups instead of 2(N-1).
[[nodiscard]] Affine ring_as_plotted(std::size_t ranks, const Network& network);

/// The cost of push and pull with every rank both worker and server, shards balanced: a = 2 alpha,
/// b = 2(N-1)/N beta + (N-1)/N gamma.
[[nodiscard]] Affine parameter_server(std::size_t ranks, const Network& network);

/// The cost of BML on BCube(n,k), N = n^k: a = 2k alpha, b = (2(N-1)/N beta + (N-1)/N gamma) / k.
[[nodiscard]] Affine bml(std::size_t n, std::size_t k, const Network& network);

}  // namespace gradwire::schedule
