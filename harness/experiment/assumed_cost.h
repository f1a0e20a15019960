#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/mtu.h"
#include "core/text/yaml_reader.h"
#include "core/units.h"
#include "schedule/collective_cost.h"
#include "testbed/shape.h"
#include "topologies/topology.h"

/// Assumed cost of a synchronization where nothing is measured: the key `cost`.
namespace gradwire::experiment {

/// A message's start-up time where neither the link nor the experiment says one.
inline constexpr Seconds kDefaultAlpha(10e-6);

struct AssumedCost {
  std::string row;  ///< a formula of schedule/collective_cost.h; empty: the algorithm's
  std::optional<Seconds>
      alpha;                   ///< start-up time of a message; absent: the link's, or kDefaultAlpha
  std::optional<double> beta;  ///< seconds per byte on a link; absent: what it carries of payload
  double gamma = 0;            ///< seconds per byte added
  SourcePlace place;           ///< place of the key
};

/// The key's value. Throws InputError with its place.
[[nodiscard]] AssumedCost read_assumed_cost(const text::YamlReader& reader,
                                            const SourcePlace& place);

/// The formulas' names: ring, ring-as-plotted, binary-tree, recursive-doubling, halving-doubling,
/// double-binary-trees, ps, bml.
[[nodiscard]] std::vector<std::string> cost_rows();

/// Facts known of every link.
struct LinkFacts {
  BitRate rate;
  std::size_t mtu = kDefaultMtu;
  Seconds startup{};
  testbed::Framing framing = testbed::Framing::tcp;
};

/// alpha, beta and gamma for such links.
[[nodiscard]] schedule::Network network_of(const AssumedCost& cost, const LinkFacts& link);

/// The formula for an algorithm on a wiring. Throws InputError, without a place, for an algorithm
/// that has none (an option such as per-tensor changes what a size costs), and for bml on anything
/// but a BCube.
[[nodiscard]] schedule::Affine assumed_cost(const AssumedCost& cost, const std::string& algorithm,
                                            const topologies::Topology& topology,
                                            const LinkFacts& link);

}  // namespace gradwire::experiment
