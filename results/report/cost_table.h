#pragma once

#include <span>
#include <string>

#include "core/units.h"
#include "results/record/row.h"

/// What a wiring costs beside what it is worth.
namespace gradwire::report {

/// A table for people: GST in units of T_F, the cut bound beside it, and GST x switches, switch
/// ports, NICs, cables and price. `rate` is the links', undilated. Empty without rows.
[[nodiscard]] std::string format_cost_table(BitRate rate, std::span<const record::Row> rows);

}  // namespace gradwire::report
