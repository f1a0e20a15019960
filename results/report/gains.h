#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/record/gain_query.h"
#include "results/record/row.h"

/// How much shorter the iterations of one algorithm or schedule are than those of others.
namespace gradwire::report {

/// One row against another.
struct Gain {
  const record::Row* of;
  const record::Row* against;
  double percent;  ///< 100 (1 - JCT of / JCT against), by the medians of their iterations
};

/// All pairs of rows that agree in workload, batch and whatever is not compared (the wiring may
/// differ with the algorithm). The rows must outlive the result.
[[nodiscard]] std::vector<Gain> gains(const record::GainQuery& query,
                                      std::span<const record::Row> rows);

/// Lines for people, with what was published beside them.
[[nodiscard]] std::string format_gains(const record::GainQuery& query,
                                       std::span<const record::Row> rows);

[[nodiscard]] nlohmann::json to_json(const record::GainQuery& query,
                                     std::span<const record::Row> rows);

}  // namespace gradwire::report
