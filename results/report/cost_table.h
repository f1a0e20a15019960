#pragma once

#include <span>
#include <string>

#include "core/units.h"
#include "results/record/row.h"

/// Cost of wirings beside their worth.
namespace gradwire::report {

/// A table for people: GST in units of T_F, the cut bound beside it, and GST times switches, switch
/// ports, NICs, cables and price. `rate` is the undilated rate of the links. Empty without rows.
[[nodiscard]] std::string format_cost_table(BitRate rate, std::span<const record::Row> rows);

}  // namespace gradwire::report
