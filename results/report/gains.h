#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/gain_query.h"
#include "results/record/row.h"

/// Gains: how much shorter the iterations of one algorithm or schedule are than those of others.
namespace gradwire::report {

/// Gain of one row over another.
struct Gain {
  const record::Row* of;
  const record::Row* against;
  double percent;  ///< 100 (1 - JCT of / JCT against), by the medians of their iterations
};

/// Finds the gains of all pairs of rows that agree in workload, batch and everything that is not
/// compared (the wiring may differ with the algorithm). The rows must outlive the result.
[[nodiscard]] std::vector<Gain> gains(const record::GainQuery& query,
                                      std::span<const record::Row> rows);

/// Formats the gains as lines for people, with the published value beside them.
[[nodiscard]] std::string format_gains(const record::GainQuery& query,
                                       std::span<const record::Row> rows);

[[nodiscard]] nlohmann::json to_json(const record::GainQuery& query,
                                     std::span<const record::Row> rows);

}  // namespace gradwire::report
