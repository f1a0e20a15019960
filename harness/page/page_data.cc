#include "harness/page/page_data.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "harness/page/drawing.h"
#include "harness/page/packed_samples.h"
#include "harness/page/references.h"
#include "harness/page/timeline_data.h"
#include "harness/report/build_info.h"
#include "harness/report/context.h"
#include "harness/report/flags.h"
#include "harness/report/result_json.h"

namespace gradwire::harness {
namespace {

using nlohmann::json;

constexpr int kPageVersion = 1;

json link_of(const StoredRun& run) {
  if (!run.context.is_null()) return run.context.at("experiment").at("link");
  return {
      {"rate_bits_per_s", 0}, {"mtu", 0}, {"headers", true}, {"startup_us", 0}, {"delay_us", 0}};
}

/// Null where nothing was measured on hosts, or nobody had verified them.
json verification_of(const StoredRun& run) {
  return run.hosts.is_null() ? json() : run.hosts.value("verification", json());
}

json samples_of(const StoredPoint& point, std::size_t every) {
  json samples = {{"count", point.gst.size()},
                  {"every", every},
                  {"gst_us", packed_microseconds(point.gst, every)},
                  {"iteration_us", nullptr}};
  if (!point.iterations.empty()) {
    samples["iteration_us"] = packed_microseconds(point.iterations, every);
  }
  return samples;
}

std::size_t spans_in(const json& timeline) {
  std::size_t count = 0;
  for (const json& rank : timeline.at("ranks")) {
    count += 1 + rank.at("buckets").size() + rank.at("transfers").size();
  }
  return count;
}

std::size_t entries_in(const json& steps) {
  std::size_t count = 0;
  for (const json& step : steps) count += step.at("links").size() + step.at("sends").size();
  return count;
}

/// Takes the amount off what is left, if there is as much.
bool spend(std::size_t& left, std::size_t amount) {
  if (amount > left) return false;
  left -= amount;
  return true;
}

/// Puts runs together; what several rows share is there once.
class PageData {
 public:
  explicit PageData(std::span<const StoredRun> runs) : runs_(runs) {
    std::size_t samples = 0;
    for (const StoredRun& run : runs) {
      for (const StoredPoint& point : run.points) {
        samples += point.gst.size() + point.iterations.size();
      }
    }
    every_ = 1 + samples / kMostPageSamples;
  }

  json make(std::chrono::system_clock::time_point now) {
    json runs = json::array();
    for (const StoredRun& run : runs_) runs.push_back(run_data(run));
    json flags = json::object();
    for (const std::string& flag : flags_) flags[flag] = explain_flag(flag);
    return {{"version", kPageVersion},
            {"generated", format_utc(now)},
            {"program", version_line()},
            {"runs", std::move(runs)},
            {"wirings", std::move(wirings_)},
            {"plans", std::move(plans_)},
            {"timelines", std::move(timelines_)},
            {"references", references()},
            {"flags", std::move(flags)}};
  }

 private:
  json references() const {
    std::set<std::string> experiments;
    for (const StoredRun& run : runs_) experiments.insert(run.name);
    json references = json::array();
    for (const Reference& reference : references_for(experiments)) {
      references.push_back(to_json(reference));
    }
    return references;
  }

  json run_data(const StoredRun& run) {
    StoredTimelines timelines = read_timelines(run);
    json problems = json::array();
    for (const StoreProblem& problem : run.problems) problems.push_back(problem.message());
    for (const StoreProblem& problem : timelines.problems) problems.push_back(problem.message());
    json rows = json::array();
    json dilation = nullptr;
    for (const StoredPoint& point : run.points) {
      rows.push_back(row_data(run, point, timelines));
      if (point.record.configuration.backing != kSimulated) dilation = point.record.dilation;
    }
    return {{"name", run.name},
            {"folder", run.folder.string()},
            {"description", run.description},
            {"started", run.started},
            {"status", to_string(run.status)},
            {"problems", std::move(problems)},
            {"link", link_of(run)},
            {"dilation", std::move(dilation)},
            {"context", run.context},
            {"calibration", run.calibration},
            {"verification", verification_of(run)},
            {"rows", std::move(rows)}};
  }

  json row_data(const StoredRun& run, const StoredPoint& point, StoredTimelines& timelines) {
    const Configuration& c = point.record.configuration;
    json row = to_json(point.row);
    for (const json& flag : row.at("flags")) flags_.insert(flag.get<std::string>());
    const json line = link_of(run).at("rate_bits_per_s");
    const double rate = line.is_number() ? line.get<double>() : 0;
    row["t_f_us"] = rate > 0 ? static_cast<double>(c.bytes()) * 8e6 / rate : 0;
    row["samples"] = samples_of(point, every_);
    if (!wirings_.contains(c.wiring)) wirings_[c.wiring] = draw_wiring(c);
    row["plan"] = plan_index(c);
    row["timeline"] = nullptr;
    const auto timeline = timelines.by_key.find(point.record.key);
    if (timeline != timelines.by_key.end() && spend(spans_left_, spans_in(timeline->second))) {
      row["timeline"] = timelines_.size();
      timelines_.push_back(std::move(timeline->second));
    }
    return row;
  }

  json plan_index(const Configuration& c) {
    const auto key = std::tuple(c.wiring, c.algorithm, c.workload, c.elements);
    const auto known = plan_numbers_.find(key);
    if (known != plan_numbers_.end()) return known->second;
    json drawing = draw_plan(c);
    json number = nullptr;
    if (!drawing.is_null()) {
      if (!spend(steps_left_, entries_in(drawing.at("steps")))) drawing["steps"] = nullptr;
      number = plans_.size();
      plans_.push_back(std::move(drawing));
    }
    return plan_numbers_[key] = number;
  }

  std::span<const StoredRun> runs_;
  std::size_t every_ = 1;
  std::size_t spans_left_ = kMostPageSpans;
  std::size_t steps_left_ = kMostPageSteps;
  json wirings_ = json::object();
  json plans_ = json::array();
  json timelines_ = json::array();
  std::map<std::tuple<std::string, std::string, std::string, std::uint64_t>, json> plan_numbers_;
  std::set<std::string> flags_;
};

}  // namespace

json page_data(std::span<const StoredRun> runs, std::chrono::system_clock::time_point now) {
  return PageData(runs).make(now);
}

}  // namespace gradwire::harness
