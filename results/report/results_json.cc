#include "results/report/results_json.h"

#include <nlohmann/json.hpp>

#include "results/record/sealed_line.h"
#include "results/report/gains.h"
#include "results/report/metrics/row_json.h"

namespace gradwire::report {

nlohmann::json results_json(std::span<const record::Row> rows,
                            const std::optional<record::GainQuery>& query) {
  nlohmann::json results = {{"version", record::kStoreVersion}, {"rows", nlohmann::json::array()}};
  for (const record::Row& row : rows) results["rows"].push_back(row_json(row));
  if (query) results["comparison"] = to_json(*query, rows);
  return results;
}

}  // namespace gradwire::report
