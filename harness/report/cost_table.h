#pragma once

#include <span>
#include <string>

#include "harness/experiment/experiment.h"
#include "harness/report/result.h"

/// What a wiring costs beside what it is worth.
namespace gradwire::harness {

/// Gives every row its wiring's cut bound, at the experiment's payload rate, and cost.
void add_wiring_costs(const Experiment& experiment, std::span<Row> rows);

/// A table for people: GST in units of T_F, the cut bound beside it, and GST x switches, switch
/// ports, NICs, cables and price. Empty without rows.
[[nodiscard]] std::string format_cost_table(const Experiment& experiment,
                                            std::span<const Row> rows);

}  // namespace gradwire::harness
