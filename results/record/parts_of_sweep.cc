#include "results/record/parts_of_sweep.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/point_name.h"
#include "results/record/sweep_part.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostNamed = 10;  // missing parts

[[noreturn]] void refuse(const StoredRun& run, const std::string& why) {
  throw InputError(SourcePlace{.file = run.folder.string()}, why);
}

SweepPart part_of(const StoredRun& run) {
  return part_record(run.context)->part;
}

/// Throws if a folder alone shows that it is no part.
void require_part(const StoredRun& run) {
  if (run.status == RunStatus::running) refuse(run, "is being written");
  if (!run.problems.empty()) throw InputError(run.problems.front().message());
  if (run.context.is_null()) refuse(run, "has no context.json, which says what was run");
  if (is_merged(run.context)) refuse(run, "was put together of parts, and is no part itself");
  const auto record = part_record(run.context);
  if (!record) refuse(run, "is no part of a sweep: it was run without --points");
  for (const StoredPoint& point : run.points) {
    const Configuration& c = point.record.configuration;
    if (record->part.has(c.point)) continue;
    refuse(run, fmt::format("is part {}, and has a point of another: {} (point {})",
                            to_string(record->part), point_name(c), c.point));
  }
}

void require_end(const StoredRun& run) {
  if (run.status == RunStatus::complete) return;
  refuse(run,
         fmt::format("part {} did not end: go on with it by gradwire run --resume {}, or merge "
                     "what there is with --incomplete",
                     to_string(part_of(run)), run.folder.string()));
}

/// The contexts of the run itself and of every resumption.
std::vector<json> attempts_of(const json& context) {
  std::vector<json> attempts{context};
  for (const json& attempt : context.at("resumed")) attempts.push_back(attempt);
  return attempts;
}

/// The overrides of the last attempt.
json last_overrides(const json& context) {
  return attempts_of(context).back().at("overrides");
}

/// The members of a context that decide what the points are and how they are measured.
json asked_for(const json& context) {
  json experiment = context.at("experiment");
  experiment.erase("file");     // the same file may have another name elsewhere
  experiment.erase("planned");  // by this part
  return {{"experiment", std::move(experiment)}, {"overrides", last_overrides(context)}};
}

/// The path of the first difference of two documents: "/experiment/iterations"; nothing when they
/// are equal.
std::optional<std::string> first_difference(const json& a, const json& b) {
  const json in_a = a.flatten();
  const json in_b = b.flatten();
  for (const auto& [where, value] : in_a.items()) {
    if (!in_b.contains(where) || in_b.at(where) != value) return where;
  }
  for (const auto& [where, value] : in_b.items()) {
    if (!in_a.contains(where)) return where;
  }
  return std::nullopt;
}

void require_same_experiment(const StoredRun& first, const StoredRun& run) {
  const std::string other = first.folder.string();
  if (const auto where = first_difference(asked_for(first.context), asked_for(run.context))) {
    refuse(run, fmt::format("is of another experiment than {}: they differ in {} of context.json",
                            other, *where));
  }
  const PartRecord one = *part_record(first.context);
  const PartRecord two = *part_record(run.context);
  if (one.sweep != two.sweep || one.planned != two.planned) {
    refuse(run,
           fmt::format("has other points than {}: a trace or a graph that the experiment reads, "
                       "or a ring's order, was not the same",
                       other));
  }
}

void require_same_build(const StoredRun& first, const StoredRun& run) {
  const json& build = first.context.at("build");
  for (const json& attempt : attempts_of(run.context)) {
    const auto where = first_difference(build, attempt.at("build"));
    if (!where) continue;
    refuse(run, fmt::format("was not measured by the gradwire that {} began with: they differ in "
                            "/build{} of context.json",
                            first.folder.string(), *where));
  }
}

/// Throws unless all parts have the same dilation, as times of different dilations are measured
/// with different care.
void require_same_dilation(std::span<const StoredRun> runs) {
  const StoredRun* first = nullptr;
  double dilation = 0;
  for (const StoredRun& run : runs) {
    for (const StoredPoint& point : run.points) {
      if (point.record.configuration.backing != Backing::emulated) continue;
      if (first == nullptr) {
        first = &run;
        dilation = point.record.dilation;
      }
      if (point.record.dilation == dilation) continue;
      refuse(run, fmt::format("was emulated with a dilation of {:g}, and {} with {:g}",
                              point.record.dilation, first->folder.string(), dilation));
    }
  }
}

[[noreturn]] void refuse_twice(const StoredRun& first, const StoredRun& run) {
  std::string both;
  for (const StoredPoint& point : run.points) {
    const auto same = std::ranges::find(first.points, point.record.key,
                                        [](const StoredPoint& other) { return other.record.key; });
    if (same == first.points.end()) continue;
    both = fmt::format("; both have {} (point {})", point_name(point.record.configuration),
                       point.record.configuration.point);
    break;
  }
  refuse(run, fmt::format("is part {}, as {} is{}", to_string(part_of(run)), first.folder.string(),
                          both));
}

[[noreturn]] void refuse_missing(const std::vector<SweepPart>& missing) {
  std::vector<std::string> names;
  for (const SweepPart& part : missing) names.push_back(to_string(part));
  const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
  names.resize(names.size() - more);
  const std::string rest = more > 0 ? fmt::format(" and {} more", more) : "";
  throw InputError(fmt::format("{} {}{} {} missing", missing.size() == 1 ? "part" : "parts",
                               fmt::join(names, ", "), rest, missing.size() == 1 ? "is" : "are"));
}

/// Throws unless all parts together have all points of the experiment.
void require_whole(std::span<const StoredRun> parts) {
  std::size_t planned = 0;
  for (const StoredRun& part : parts) planned += part.planned;
  const std::size_t whole = part_record(parts.front().context)->planned;
  if (planned == whole) return;
  throw InputError(
      fmt::format("the parts have {} points to measure, and the experiment has {}: "
                  "context.json of one of them was changed",
                  planned, whole));
}

std::vector<StoredRun> by_number(std::vector<StoredRun> runs) {
  const std::size_t of = part_of(runs.front()).of;
  std::vector<StoredRun*> found(of);
  for (StoredRun& run : runs) {
    const SweepPart part = part_of(run);
    if (part.of != of) {
      refuse(run,
             fmt::format("is part {}, and {} is part {}: all are of as many parts", to_string(part),
                         runs.front().folder.string(), to_string(part_of(runs.front()))));
    }
    StoredRun*& place = found[part.number - 1];
    if (place != nullptr) refuse_twice(*place, run);
    place = &run;
  }
  std::vector<SweepPart> missing;
  std::vector<StoredRun> ordered;
  for (std::size_t i = 0; i < of; ++i) {
    if (found[i] == nullptr) {
      missing.push_back({.number = i + 1, .of = of});
    } else {
      ordered.push_back(std::move(*found[i]));
    }
  }
  if (!missing.empty()) refuse_missing(missing);
  require_whole(ordered);
  return ordered;
}

/// The common part of two documents; null where they differ.
json common(const json& a, const json& b) {
  if (a == b) return a;
  if (!a.is_object() || !b.is_object()) return nullptr;
  json both = json::object();
  for (const auto& [key, value] : b.items()) both[key] = nullptr;
  for (const auto& [key, value] : a.items()) {
    both[key] = b.contains(key) ? common(value, b.at(key)) : json(nullptr);
  }
  return both;
}

}  // namespace

std::vector<StoredRun> read_parts(std::span<const fs::path> folders, bool incomplete) {
  ensure(!folders.empty(), "a sweep has at least one part");
  std::vector<StoredRun> runs = read_runs(folders);
  for (const StoredRun& run : runs) require_part(run);
  for (const StoredRun& run : runs) {
    require_same_experiment(runs.front(), run);
    require_same_build(runs.front(), run);
  }
  require_same_dilation(runs);
  std::vector<StoredRun> parts = by_number(std::move(runs));
  for (const StoredRun& part : parts) {
    if (!incomplete) require_end(part);
  }
  return parts;
}

json merged_context(std::span<const StoredRun> parts, const std::vector<std::string>& arguments) {
  json context = parts.front().context;
  context["overrides"] = last_overrides(context);
  std::size_t planned = 0;
  json all = json::array();
  for (const StoredRun& part : parts) {
    for (const json& attempt : attempts_of(part.context)) {
      context["machine"] = common(context.at("machine"), attempt.at("machine"));
    }
    if (part.started < context.at("started").get<std::string>()) context["started"] = part.started;
    planned += part.planned;
    all.push_back(part.context);
    all.back().erase("experiment");
    all.back().erase("version");
  }
  context.erase("part");
  context.erase("process");
  context["arguments"] = arguments;
  context["experiment"]["planned"] = planned;
  context["resumed"] = json::array();
  context["parts"] = std::move(all);
  return context;
}

}  // namespace gradwire::record
