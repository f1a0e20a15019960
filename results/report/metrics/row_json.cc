#include "results/report/metrics/row_json.h"

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "results/report/metrics/metrics.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// Replaces every object in `value` that holds only nulls by null.
void drop_empty_objects(json& value) {
  if (!value.is_object()) return;
  for (json& member : value) drop_empty_objects(member);
  if (std::ranges::all_of(value, [](const json& member) { return member.is_null(); })) {
    value = nullptr;
  }
}

}  // namespace

json row_json(const record::Row& row) {
  const Subject subject{.row = row};
  json result = json::object();
  for (const Metric& each : metrics()) {
    if (each.json.empty() || each.kind == Kind::object) continue;
    result[json::json_pointer(std::string(each.json))] = each.value(subject);
  }
  for (json& part : result) drop_empty_objects(part);
  return result;
}

}  // namespace gradwire::report
