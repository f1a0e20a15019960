#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "topologies/cost.h"
#include "topologies/topology.h"

/// Wirings in words and columns, for people. Every function returns text that ends with a newline.
namespace gradwire::topologies {

struct DescribeOptions {
  std::size_t max_rows = 64;       ///< rows of the table of host ports; the others are counted
  std::size_t max_neighbours = 8;  ///< neighbours in one row; the others are counted
};

/// A description: hosts, switches, cost, the bandwidth bound (cut.h), speeds that are not 1, and
/// one row per host port with its address, its other end and the ranks of the other hosts on that
/// switch.
[[nodiscard]] std::string describe(const Topology& topology, const DescribeOptions& options = {});

/// A table with a header and one row per wiring: hosts, switches, ports per switch, switch ports,
/// NICs, cables, the bandwidth bound in T_F (cut.h), and with `prices` the price of all that.
[[nodiscard]] std::string cost_table(std::span<const std::unique_ptr<const Topology>> wirings,
                                     const std::optional<Prices>& prices = std::nullopt);
/// The columns of cost_table as CSV.
[[nodiscard]] std::string cost_csv(std::span<const std::unique_ptr<const Topology>> wirings,
                                   const std::optional<Prices>& prices = std::nullopt);
/// The columns of cost_table as a JSON array of objects; "cut_at" names the cables that set the
/// bound.
[[nodiscard]] std::string cost_json(std::span<const std::unique_ptr<const Topology>> wirings,
                                    const std::optional<Prices>& prices = std::nullopt);

}  // namespace gradwire::topologies
