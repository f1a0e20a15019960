#include "harness/experiment/assumed_cost.h"

#include <functional>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "testbed/shape.h"
#include "topologies/bcube.h"

namespace gradwire::experiment {
namespace {

using schedule::Affine;
using schedule::Network;
using topologies::Topology;

Affine bml_on(const Topology& topology, const Network& network) {
  const topologies::Digits digits = topologies::require_bcube(topology, "bml");
  return schedule::bml(digits.n(), digits.k(), network);
}

using Formula = std::function<Affine(const Topology&, const Network&)>;

/// A formula that knows only the number of ranks.
Formula of_ranks(Affine (*formula)(std::size_t, const Network&)) {
  return [formula](const Topology& topology, const Network& network) {
    return formula(topology.hosts(), network);
  };
}

const std::map<std::string, Formula>& formulas() {
  static const std::map<std::string, Formula> all{
      {"binary-tree", of_ranks(schedule::binary_tree)},
      {"bml", bml_on},
      {"double-binary-trees", of_ranks(schedule::double_binary_trees)},
      {"double-tree", of_ranks(schedule::double_binary_trees)},
      {"halving-doubling", of_ranks(schedule::halving_doubling)},
      {"ps", of_ranks(schedule::parameter_server)},
      {"recursive-doubling", of_ranks(schedule::recursive_doubling)},
      {"ring", of_ranks(schedule::ring)},
      {"ring-as-plotted", of_ranks(schedule::ring_as_plotted)},
  };
  return all;
}

}  // namespace

std::vector<std::string> cost_rows() {
  std::vector<std::string> names;
  for (const auto& [name, formula] : formulas()) names.push_back(name);
  return names;
}

AssumedCost read_assumed_cost(const text::YamlReader& reader, const SourcePlace& place) {
  constexpr double kNanosecond = 1e-9;
  AssumedCost cost{.row = reader.text("row", ""), .place = place};
  if (!cost.row.empty() && !formulas().contains(cost.row)) {
    throw InputError(reader.place("row"), fmt::format("unknown formula '{}'; there are: {}",
                                                      cost.row, fmt::join(cost_rows(), ", ")));
  }
  if (const auto alpha = reader.duration("alpha")) cost.alpha = *alpha;
  if (reader.text("beta")) cost.beta = reader.value<double>("beta", 0) * kNanosecond;
  cost.gamma = reader.value<double>("gamma", 0) * kNanosecond;
  return cost;
}

Network network_of(const AssumedCost& cost, const LinkFacts& link) {
  const double payload =
      link.rate.bytes_per_second() * testbed::payload_fraction(link.mtu, link.framing);
  const Seconds alpha = link.startup > Seconds(0) ? link.startup : kDefaultAlpha;
  return {.alpha = cost.alpha.value_or(alpha),
          .beta = cost.beta.value_or(1 / payload),
          .gamma = cost.gamma};
}

Affine assumed_cost(const AssumedCost& cost, const std::string& algorithm, const Topology& topology,
                    const LinkFacts& link) {
  const std::string row = cost.row.empty() ? algorithm : cost.row;
  const auto formula = formulas().find(row);
  if (formula == formulas().end()) {
    throw InputError(
        fmt::format("there is no formula for what {} costs; give cost.row ({}), or "
                    "measure it with gradwire run",
                    row, fmt::join(cost_rows(), ", ")));
  }
  return formula->second(topology, network_of(cost, link));
}

}  // namespace gradwire::experiment
