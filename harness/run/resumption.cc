#include "harness/run/resumption.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "results/record/file_names.h"
#include "results/record/sweep_part.h"

namespace gradwire::run {

Resumption::Resumption(const record::StoredRun& run) {
  for (const record::StoredPoint& point : run.points) {
    points_[point.record.key] = {.iterations = point.gst.size(),
                                 .trains = point.record.training.has_value()};
    if (point.record.configuration.backing == record::Backing::emulated)
      dilation_ = point.record.dilation;
  }
}

std::size_t Resumption::done(const std::string& key, std::size_t iterations) const {
  const auto found = points_.find(key);
  if (found == points_.end()) return 0;
  const Measured& measured = found->second;
  if (measured.trains && measured.iterations < iterations) return 0;
  return std::min(measured.iterations, iterations);
}

ResumedExperiment resume_experiment(const record::StoredRun& run,
                                    const experiment::Overrides& asked) try {
  const SourcePlace place{.file = (run.folder / record::kContextFile).string()};
  if (run.context.is_null()) throw InputError(place, "does not say what was measured");
  const nlohmann::json& stored = run.context.at("experiment");
  const nlohmann::json& attempts = run.context.at("resumed");
  const nlohmann::json& last = attempts.empty() ? run.context : attempts.back();
  const experiment::Overrides overrides =
      experiment::resumed(experiment::overrides_from_json(last.at("overrides")), asked);
  return {
      .experiment = experiment::apply(
          experiment::load_experiment_text(stored.at("text").get<std::string>(), stored.at("file")),
          overrides),
      .overrides = overrides,
      .attempt = attempts.size() + 1};
} catch (const nlohmann::json::exception& error) {
  throw InputError(SourcePlace{.file = (run.folder / record::kContextFile).string()}, error.what());
}

void require_own_points(const record::StoredRun& run) {
  if (!record::is_merged(run.context)) return;
  throw InputError(SourcePlace{.file = run.folder.string()},
                   "was put together of parts: go on with each of them, and merge them anew");
}

std::vector<record::PointRecord> extended(const record::StoredRun& run,
                                          const ResumedExperiment& resumed) {
  std::vector<record::PointRecord> records;
  for (const record::StoredPoint& point : run.points) {
    record::PointRecord record = point.record;
    const bool simulated = record.configuration.backing == record::Backing::simulated;
    if (!simulated || record.iterations == resumed.experiment.iterations) continue;
    record.attempt = resumed.attempt;
    record.iterations = resumed.experiment.iterations;
    records.push_back(std::move(record));
  }
  return records;
}

void require_findings(const record::StoredRun& run, const PreparedPoints& left) {
  const bool measured = std::ranges::any_of(run.points, [](const record::StoredPoint& point) {
    return point.record.configuration.backing != record::Backing::simulated;
  });
  const bool measures = !left.emulated.empty() || !left.hosts.empty();
  if (!measured || left.simulated.empty() || measures || !run.calibration.is_null()) return;
  throw InputError(SourcePlace{.file = (run.folder / record::kCalibrationFile).string()},
                   "cannot be read, and what is left would be simulated on links as it found them");
}

void remove_done(const record::StoredRun& run, const experiment::Experiment& experiment,
                 PreparedPoints& points) {
  std::set<std::string> known;
  for (const auto* backing : {&points.emulated, &points.hosts, &points.simulated}) {
    for (const PreparedPoint& point : *backing) known.insert(point.key);
  }
  for (const record::StoredPoint& point : run.points) {
    if (known.contains(point.record.key)) continue;
    const record::Configuration& c = point.record.configuration;
    throw InputError(
        SourcePlace{.file = run.folder.string()},
        fmt::format("{} on {} is no longer what was measured: did a trace, a graph, a plan file, "
                    "a ring's order, a file of counts or gradwire change?",
                    c.algorithm, c.wiring));
  }
  const Resumption done(run);
  for (auto* measured : {&points.emulated, &points.hosts}) {
    std::erase_if(*measured, [&](const PreparedPoint& point) {
      return done.done(point.key, experiment.iterations) == experiment.iterations;
    });
  }
  std::erase_if(points.simulated,
                [&](const PreparedPoint& point) { return done.done(point.key, 1) == 1; });
}

}  // namespace gradwire::run
