#include "results/record/sweep_part.h"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/to_number.h"
#include "results/record/store_error.h"

namespace gradwire::record {
namespace {

using nlohmann::json;

bool can_be(const SweepPart& part) {
  return part.number >= 1 && part.number <= part.of && part.of <= kMostParts;
}

}  // namespace

std::string to_string(const SweepPart& part) {
  return fmt::format("{}/{}", part.number, part.of);
}

SweepPart parse_sweep_part(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto number = to_number<std::size_t>(text.substr(0, slash));
  const auto of = slash == std::string_view::npos ? std::nullopt
                                                  : to_number<std::size_t>(text.substr(slash + 1));
  if (number && of) {
    const SweepPart part{.number = *number, .of = *of};
    if (can_be(part)) return part;
  }
  throw InputError(
      fmt::format("expected a part such as 2/8, the second of eight, with 1 <= i <= n <= {}, found "
                  "'{}'",
                  kMostParts, text));
}

json to_json(const PartRecord& record) {
  return {{"number", record.part.number},
          {"of", record.part.of},
          {"planned", record.planned},
          {"sweep", record.sweep}};
}

std::optional<PartRecord> part_record(const json& context) {
  if (!context.is_object() || !context.contains("part")) return std::nullopt;
  const json& said = context.at("part");
  PartRecord record{.part = {.number = said.at("number"), .of = said.at("of")},
                    .planned = said.at("planned"),
                    .sweep = said.at("sweep")};
  if (can_be(record.part)) return record;
  throw StoreError(
      fmt::format("is not of a run: there is no part {}/{}", record.part.number, record.part.of));
}

bool is_merged(const json& context) {
  return context.is_object() && context.contains("parts");
}

std::vector<std::string> machines_of(const json& run) {
  std::vector<std::string> machines;
  const auto add = [&machines](const json& attempt) {
    const json host = attempt.at("machine").value("host", json());
    const std::string name = host.is_string() ? host.get<std::string>() : "an unknown machine";
    if (std::ranges::find(machines, name) == machines.end()) machines.push_back(name);
  };
  add(run);
  for (const json& attempt : run.at("resumed")) add(attempt);
  return machines;
}

}  // namespace gradwire::record
