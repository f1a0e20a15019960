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
  std::size_t max_rows = 64;       ///< of the table of host ports; the rest is counted
  std::size_t max_neighbours = 8;  ///< in one row; the rest is counted
};

/// Hosts, switches, cost, the bandwidth bound (cut.h), speeds that are not 1, and one row per host
/// port: its address, what it is wired to and the ranks of the other hosts on that switch.
[[nodiscard]] std::string describe(const Topology& topology, const DescribeOptions& options = {});

/// One row per wiring under a header: hosts, switches, ports per switch, switch ports, NICs,
/// cables, the bandwidth bound in T_F (cut.h), and with `prices` what all that costs.
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
