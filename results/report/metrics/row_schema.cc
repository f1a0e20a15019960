#include "results/report/metrics/row_schema.h"

#include <string_view>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/schemas.h"
#include "results/report/metrics/metrics.h"

namespace gradwire::report {
namespace {

using nlohmann::ordered_json;

std::string_view type_of(Kind kind) {
  switch (kind) {
    case Kind::text:
      return "string";
    case Kind::count:
    case Kind::positive:
      return "integer";
    case Kind::number:
      return "number";
    case Kind::list:
      return "array";
    case Kind::object:
      return "object";
  }
  throw_bug("a metric is of a Kind");
}

ordered_json schema_of(const Metric& metric) {
  ordered_json schema = {{"description", metric.definition}, {"type", type_of(metric.kind)}};
  if (metric.nullable) schema["type"] = {type_of(metric.kind), "null"};
  if (metric.kind == Kind::count) schema["minimum"] = 0;
  if (metric.kind == Kind::positive) schema["minimum"] = 1;
  if (metric.kind == Kind::list) schema["items"] = ordered_json::parse(metric.element);
  if (metric.kind == Kind::object) {
    schema["required"] = ordered_json::array();
    schema["properties"] = ordered_json::object();
  }
  return schema;
}

/// The schema at a pointer into a row, added to the row's when it is not there.
ordered_json& place_in(ordered_json& row, std::string_view pointer) {
  if (pointer.empty()) return row;
  const std::size_t slash = pointer.rfind('/');
  ordered_json& parent = place_in(row, pointer.substr(0, slash));
  const std::string name(pointer.substr(slash + 1));
  ordered_json& properties = parent.at("properties");
  if (!properties.contains(name)) {
    const Metric* const metric = metric_at(pointer);
    ensure(metric != nullptr, "every object that a JSON pointer passes through is a metric");
    parent.at("required").push_back(name);
    properties[name] = schema_of(*metric);
  }
  return properties.at(name);
}

}  // namespace

ordered_json row_schema() {
  ordered_json row = {{"type", "object"},
                      {"required", ordered_json::array()},
                      {"properties", ordered_json::object()}};
  for (const Metric& metric : metrics()) place_in(row, metric.json);
  return row;
}

std::string results_schema() {
  ordered_json schema = ordered_json::parse(text::schema("results"));
  schema.at("properties").at("rows").at("items") = row_schema();
  return schema.dump(2) + "\n";
}

}  // namespace gradwire::report
