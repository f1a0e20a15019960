#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gradwire {

/// A number that counts one kind of thing, so that a rank cannot be passed where a port is meant.
template <class Tag>
struct Id {
  std::uint32_t value = 0;

  constexpr Id() = default;
  /// The id of index `number`, which must fit 32 bits.
  constexpr explicit Id(std::size_t number) : value(static_cast<std::uint32_t>(number)) {}

  /// The number as an index into a vector.
  [[nodiscard]] constexpr std::size_t index() const { return value; }

  friend constexpr auto operator<=>(Id, Id) = default;
};

/// One participating process, 0..N-1.
using Rank = Id<struct RankTag>;
/// One network interface of a host, 0..k-1; a switch numbers its ports too.
using Port = Id<struct PortTag>;
/// A vertex of the topology: hosts come first (host i runs rank i), then switches.
using NodeId = Id<struct NodeTag>;
/// A cable of the topology.
using LinkId = Id<struct LinkTag>;

}  // namespace gradwire

template <class Tag>
struct std::hash<gradwire::Id<Tag>> {
  std::size_t operator()(gradwire::Id<Tag> id) const noexcept { return id.index(); }
};
