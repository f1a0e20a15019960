#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/digits.h"
#include "topologies/topology.h"

namespace gradwire::topologies {

/// BCube(n,k): n ports per switch, k levels, k ports per host, n^k hosts, k n^(k-1) switches.
///
///     level 1     [switch 0]   [switch 1]   [switch 2]      BCube(3,2): a level-1 switch joins
///                  |  \  \      / | \       /  /  |         hosts that differ in digit 1 only
///     hosts  0,0 0,1 0,2   1,0 1,1 1,2   2,0 2,1 2,2
///             \   |   /     \   |   /     \   |   /
///     level 0 [switch 0]   [switch 1]    [switch 2]         digit 0
///
/// Port l of a host is wired to its level-l switch, whose number is the host's digits without digit
/// l; the switch port is that digit. Switches are numbered level by level.
///
/// Routes: hosts relay for each other, one digit per host, highest level first, but the digit of
/// the port the destination is addressed at comes last. Everybody on one switch is therefore
/// reached over the same next host, and a route to each switch's subnet is all that a host needs.
/// Unit flows between all pairs load every direction of every cable with (n-1) n^(k-1).
///
/// Guo et al., "BCube", SIGCOMM 2009, section 3 (there BCube_(k-1)); BML, NeurIPS 2018,
/// section 3.1.
class BCube final : public Topology {
 public:
  /// Builds BCube(n,k). Throws InputError unless n >= 2, k >= 1 and n^k <= kMaxHosts.
  BCube(std::size_t n, std::size_t k);

  [[nodiscard]] std::size_t n() const { return digits_.n(); }
  [[nodiscard]] std::size_t k() const { return digits_.k(); }
  [[nodiscard]] const Digits& digits() const { return digits_; }
  /// Digit `level` of `rank`. Requires level < k.
  [[nodiscard]] std::size_t digit(Rank rank, std::size_t level) const {
    return digits_.digit(rank, level);
  }
  /// The rank `rank` with digit `level` replaced. Requires level < k, value < n.
  [[nodiscard]] Rank with_digit(Rank rank, std::size_t level, std::size_t value) const {
    return digits_.with_digit(rank, level, value);
  }
  /// The n-1 hosts at the same level-`level` switch, in ascending order.
  [[nodiscard]] std::vector<Rank> neighbours(Rank rank, std::size_t level) const {
    return digits_.neighbours(rank, level);
  }

  /// The digits v_{k-1},...,v_0 of a host, "0,2", or the place of a switch, "level 1 switch 0".
  [[nodiscard]] std::string label(NodeId node) const override;
  [[nodiscard]] SwitchKind switch_kind() const override { return SwitchKind::bridge; }
  [[nodiscard]] std::vector<Tier> tiers() const override;
  [[nodiscard]] Port next_port(NodeId at, Rank to, Port to_port) const override;
  /// The port of the lowest level in which the two ranks differ. Requires from != to.
  [[nodiscard]] Port arrival_port(Rank from, Rank to) const override;
  /// The radices of the ranks' digits: n, k times.
  [[nodiscard]] std::optional<std::vector<std::size_t>> translation() const override {
    return group_sizes();
  }
  [[nodiscard]] std::optional<Digits> bcube_digits() const override { return digits_; }
  /// The sizes of the groups of hosts at a switch, level by level: n, k times.
  [[nodiscard]] std::vector<std::size_t> group_sizes() const override {
    return std::vector<std::size_t>(k(), n());
  }
  /// The place in ring t, the Gray code that starts with digit t (gray.h): neighbours share a
  /// switch.
  [[nodiscard]] RingPlace ring_place(Rank rank, std::size_t ring) const override;
  /// The port of the level at whose switch the two neighbours meet.
  [[nodiscard]] Port ring_port(Rank from, Rank to, std::size_t ring) const override;
  [[nodiscard]] SwitchPlace switch_place(NodeId node) const override;
  /// The switch's level and number: "L1-0" is switch 0 of level 1.
  [[nodiscard]] std::string switch_word(NodeId node) const override;
  [[nodiscard]] std::string_view port_word() const override { return "bc"; }
  [[nodiscard]] Addressing addressing() const override { return Addressing::switch_subnets; }

 private:
  explicit BCube(Digits digits);

  Digits digits_;
};

/// The digits of a BCube's ranks, for `algorithm`, which runs on no other wiring. Throws
/// InputError, without a place, if `topology` is no BCube: "bml runs on bcube(n,k) only, not on
/// fat-tree(4)".
[[nodiscard]] Digits require_bcube(const Topology& topology, std::string_view algorithm);

/// Whether a wiring is a BCube(n,k) whose translation adds to the k digits of its ranks, each to the
/// base n.
[[nodiscard]] bool translates_digits(const Topology& topology);

}  // namespace gradwire::topologies
