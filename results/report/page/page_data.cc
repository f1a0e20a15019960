#include "results/report/page/page_data.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text/utc.h"
#include "results/record/build_info.h"
#include "results/record/flags.h"
#include "results/record/sweep_part.h"
#include "results/report/answer/answer.h"
#include "results/report/metrics/glossary.h"
#include "results/report/metrics/row_json.h"
#include "results/report/page/drawing.h"
#include "results/report/page/packed_samples.h"
#include "results/report/page/references.h"
#include "results/report/pair_key.h"
#include "results/report/prediction/prediction_report.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

constexpr int kPageVersion = 1;

/// The verification of a run's hosts; null where nothing was measured on hosts, or nobody had
/// verified them.
json verification_of(const record::StoredRun& run) {
  return run.hosts.is_null() ? json() : run.hosts.value("verification", json());
}

/// A run's context for the page. Each part of a merged run becomes a text: "2/8 on node7 since
/// 2026-03-01T12:00:05Z;", as a page has no room for all that hundreds of parts say.
json context_of(const record::StoredRun& run) {
  json context = run.context;
  if (!record::is_merged(context)) return context;
  for (json& part : context.at("parts")) {
    part =
        fmt::format("{}/{} on {} since {};", part.at("part").at("number").dump(),
                    part.at("part").at("of").dump(), fmt::join(record::machines_of(part), " and "),
                    part.at("started").get<std::string>());
  }
  return context;
}

json samples_of(const record::StoredPoint& point, std::size_t every) {
  json samples = {{"count", point.gst.size()},
                  {"every", every},
                  {"gst_us", packed_microseconds(point.gst, every)},
                  {"iteration_us", nullptr},
                  {"loss", nullptr}};
  if (!point.iterations.empty()) {
    samples["iteration_us"] = packed_microseconds(point.iterations, every);
  }
  if (!point.losses.empty()) samples["loss"] = packed(point.losses, every);
  return samples;
}

std::size_t spans_in(const json& timeline) {
  std::size_t count = 0;
  for (const json& rank : timeline.at("ranks")) {
    count += 1 + rank.at("buckets").size() + rank.at("transfers").size();
  }
  return count;
}

/// The fewest spans of a point's timeline: at least one rank, with every bucket.
std::size_t least_spans(const record::StoredPoint& point) {
  return 1 + (point.row.training ? point.row.training->bucket_gst.size() : 0);
}

std::size_t entries_in(const json& steps) {
  std::size_t count = 0;
  for (const json& step : steps) count += step.at("links").size() + step.at("sends").size();
  return count;
}

/// Subtracts the amount from `left`, if there is as much. Returns whether there was.
bool spend(std::size_t& left, std::size_t amount) {
  if (amount > left) return false;
  left -= amount;
  return true;
}

/// Builder of the data of all runs; values that several rows share are in it once.
class PageData {
 public:
  PageData(std::span<const record::StoredRun> runs, const PageMakers& makers)
      : runs_(runs), makers_(makers) {
    std::size_t samples = 0;
    for (const record::StoredRun& run : runs) {
      for (const record::StoredPoint& point : run.points) {
        samples += point.gst.size() + point.iterations.size();
      }
    }
    every_ = 1 + samples / kMostPageSamples;
  }

  json make(std::chrono::system_clock::time_point now) {
    json runs = json::array();
    for (const record::StoredRun& run : runs_) runs.push_back(run_data(run));
    json flags = json::object();
    for (const std::string& flag : flags_) flags[flag] = record::explain_flag(flag);
    return {{"version", kPageVersion},
            {"generated", text::format_utc(now)},
            {"program", record::version_line()},
            {"answer", answer_json(runs_)},
            {"predictions", predictions_json(runs_)},
            {"runs", std::move(runs)},
            {"wirings", std::move(wirings_)},
            {"plans", std::move(plans_)},
            {"timelines", std::move(timelines_)},
            {"jobs", json::array()},
            {"companies", json::array()},
            {"references", references()},
            {"flags", std::move(flags)},
            {"glossary", glossary()}};
  }

 private:
  json references() const {
    std::set<std::string> experiments;
    for (const record::StoredRun& run : runs_) experiments.insert(run.name);
    json references = json::array();
    for (const Reference& reference : references_for(experiments)) {
      references.push_back(to_json(reference));
    }
    return references;
  }

  json run_data(const record::StoredRun& run) {
    StoredTimelines timelines = read_timelines(run);
    json problems = json::array();
    for (const record::StoreProblem& problem : run.problems) problems.push_back(problem.message());
    for (const record::StoreProblem& problem : timelines.problems)
      problems.push_back(problem.message());
    json rows = json::array();
    json dilation = nullptr;
    unmade_.clear();
    for (const record::StoredPoint& point : run.points) {
      rows.push_back(row_data(run, point));
      rows.back()["timeline"] = timeline_index(run, point, timelines);
      if (point.record.configuration.backing != record::Backing::simulated)
        dilation = point.record.dilation;
    }
    return {{"name", run.name},
            {"folder", run.folder.string()},
            {"description", run.description},
            {"started", run.started},
            {"status", to_string(run.status)},
            {"problems", std::move(problems)},
            {"notes", notes()},
            {"link", link_of(run)},
            {"dilation", std::move(dilation)},
            {"context", context_of(run)},
            {"calibration", run.calibration},
            {"verification", verification_of(run)},
            {"rows", std::move(rows)}};
  }

  json row_data(const record::StoredRun& run, const record::StoredPoint& point) {
    const record::Configuration& c = point.record.configuration;
    json row = row_json(point.row);
    for (const json& flag : row.at("flags")) flags_.insert(flag.get<std::string>());
    const json link = link_of(run);
    const json& line = link.at("rate_bits_per_s");
    const double rate = line.is_number() ? line.get<double>() : 0;
    row["pair"] = pair_key(link, point.row);
    row["t_f_us"] = rate > 0 ? static_cast<double>(c.bytes()) * 8e6 / rate : 0;
    row["samples"] = samples_of(point, every_);
    if (!wirings_.contains(c.wiring)) wirings_[c.wiring] = draw_wiring(c);
    row["plan"] = plan_index(c);
    return row;
  }

  json timeline_index(const record::StoredRun& run, const record::StoredPoint& point,
                      StoredTimelines& timelines) {
    const auto stored = timelines.by_key.find(point.record.key);
    json timeline =
        stored == timelines.by_key.end() ? made_timeline(run, point) : std::move(stored->second);
    if (timeline.is_null() || !spend(spans_left_, spans_in(timeline))) return nullptr;
    timelines_.push_back(std::move(timeline));
    return timelines_.size() - 1;
  }

  /// A simulated timeline for a point; null for a point that is not simulated, where there is no
  /// room for it, and where it cannot be made.
  json made_timeline(const record::StoredRun& run, const record::StoredPoint& point) {
    const bool simulated = point.record.configuration.backing == record::Backing::simulated;
    if (!simulated || !makers_.timelines || least_spans(point) > spans_left_) return nullptr;
    const RemadeTimeline made = makers_.timelines(run, point);
    if (made.timeline) return timeline_data(*made.timeline, point.record.configuration.type);
    ++unmade_[made.why_not];
    return nullptr;
  }

  /// The notes of the run whose rows were made last.
  json notes() const {
    json notes = json::array();
    for (const auto& [why, points] : unmade_) {
      notes.push_back(fmt::format("No timeline of {} simulated {}: {}.", points,
                                  points == 1 ? "point" : "points", why));
    }
    return notes;
  }

  json plan_index(const record::Configuration& c) {
    const auto key = std::tuple(c.wiring, c.algorithm, c.workload, c.elements, c.type);
    const auto known = plan_numbers_.find(key);
    if (known != plan_numbers_.end()) return known->second;
    json drawing = draw_plan(c, makers_.plans);
    json number = nullptr;
    if (!drawing.is_null()) {
      if (!spend(steps_left_, entries_in(drawing.at("steps")))) drawing["steps"] = nullptr;
      number = plans_.size();
      plans_.push_back(std::move(drawing));
    }
    return plan_numbers_[key] = number;
  }

  std::span<const record::StoredRun> runs_;
  const PageMakers& makers_;
  std::size_t every_ = 1;
  std::size_t spans_left_ = kMostPageSpans;
  std::size_t steps_left_ = kMostPageSteps;
  json wirings_ = json::object();
  json plans_ = json::array();
  json timelines_ = json::array();
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t, Dtype>, json>
      plan_numbers_;
  std::set<std::string> flags_;
  std::map<std::string, std::size_t> unmade_;  ///< simulated points without a timeline, by reason
};

}  // namespace

json page_data(std::span<const record::StoredRun> runs, const PageMakers& makers,
               std::chrono::system_clock::time_point now) {
  return PageData(runs, makers).make(now);
}

}  // namespace gradwire::report
