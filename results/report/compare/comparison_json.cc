#include "results/report/compare/comparison_json.h"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/record/point_json.h"
#include "results/record/point_name.h"
#include "results/report/metrics/row_json.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

json to_json(const record::StoredRun& run) {
  json result = {{"folder", run.folder.string()}, {"name", run.name},
                 {"started", run.started},        {"status", to_string(run.status)},
                 {"planned", run.planned},        {"problems", json::array()}};
  for (const record::StoreProblem& problem : run.problems)
    result["problems"].push_back(problem.message());
  return result;
}

json named(const record::Configuration& configuration) {
  json result = to_json(configuration);
  result["name"] = record::point_name(configuration);
  return result;
}

json to_json(const std::vector<record::Configuration>& configurations) {
  json list = json::array();
  for (const record::Configuration& configuration : configurations)
    list.push_back(named(configuration));
  return list;
}

json to_json(const Contrast& contrast) {
  json result = {{"n_a", contrast.n_a},
                 {"n_b", contrast.n_b},
                 {"p50_a_us", contrast.median_a * 1e6},
                 {"p50_b_us", contrast.median_b * 1e6},
                 {"ratio", contrast.ratio.ratio},
                 {"interval", nullptr},
                 {"u", nullptr},
                 {"p", nullptr},
                 {"verdict", nullptr}};
  if (const auto& interval = contrast.ratio.interval) {
    result["interval"] = {
        {"low", interval->low}, {"high", interval->high}, {"confidence", interval->confidence}};
  }
  if (contrast.test) {
    result["u"] = contrast.test->u;
    result["p"] = contrast.test->p;
    result["verdict"] = to_string(contrast.verdict);
  }
  return result;
}

/// The parts of a row that tell how far to believe its times.
json evidence(const record::Row& row) {
  const json all = row_json(row);
  json result = json::object();
  for (const char* name : {"bound_us", "efficiency", "predicted_gst_us", "prediction_error_percent",
                           "latency_us", "foreign_share", "iterations"}) {
    result[name] = all.at(name);
  }
  return result;
}

json to_json(const PointComparison& point) {
  json result = named(point.configuration);
  result["gst"] = to_json(point.gst);
  result["iteration"] = point.iteration ? to_json(*point.iteration) : json(nullptr);
  result["evidence_a"] = evidence(*point.row_a);
  result["evidence_b"] = evidence(*point.row_b);
  result["flags_a"] = point.flags_a;
  result["flags_b"] = point.flags_b;
  result["wrong"] = point.wrong;
  return result;
}

json to_json(const Difference& difference) {
  return {{"severity", to_string(difference.severity)},
          {"what", difference.what},
          {"a", difference.a},
          {"b", difference.b},
          {"points", difference.points}};
}

json to_json(const AppliedGate& gate) {
  json result = {{"max_gst_ratio", gate.max_gst_ratio}, {"failures", json::array()}};
  for (const GateFailure& failure : gate.failures) {
    result["failures"].push_back(
        {{"name", record::point_name(failure.configuration)}, {"reason", failure.reason}});
  }
  return result;
}

}  // namespace

json to_json(const RunComparison& comparison, const std::optional<AppliedGate>& gate) {
  json result = {
      {"version", 1},
      {"a", to_json(comparison.a)},
      {"b", to_json(comparison.b)},
      {"refused", comparison.refused()},
      {"wrong_data", comparison.wrong_data()},
      {"differences", json::array()},
      {"points", json::array()},
      {"only_a", to_json(comparison.only_a)},
      {"only_b", to_json(comparison.only_b)},
      {"gst_ratio_geometric_mean", record::or_null(comparison.mean_gst_ratio())},
      {"iteration_ratio_geometric_mean", record::or_null(comparison.mean_iteration_ratio())},
      {"gate", gate ? to_json(*gate) : json(nullptr)}};
  for (const Difference& difference : comparison.differences) {
    result["differences"].push_back(to_json(difference));
  }
  for (const PointComparison& point : comparison.points) result["points"].push_back(to_json(point));
  return result;
}

}  // namespace gradwire::report
