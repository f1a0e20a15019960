#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/file_names.h"
#include "results/record/merge.h"
#include "results/record/sweep_part.h"
#include "tests/results/record/stored_points.h"

/// Parts of a sweep for tests, without anything that runs.
namespace gradwire::record {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_content(const std::filesystem::path& path, const std::string& content) {
  std::ofstream(path, std::ios::trunc) << content;
}

/// The first point is emulated, the second simulated.
inline PointRecord mixed_record(std::size_t point, std::size_t attempt = 0) {
  PointRecord record = point_record(point, attempt);
  if (point == 1) record.configuration.backing = Backing::simulated;
  return record;
}

/// Writes a point: a warm-up and three iterations, or one where it is simulated, and a timeline.
inline void write_point(RunFolder& folder, const PointRecord& record) {
  const bool simulated = record.configuration.backing == Backing::simulated;
  folder.begin(record);
  for (std::size_t i = simulated ? 1 : 0; i < (simulated ? 2u : 4u); ++i) {
    folder.append(sample(record, i, 20 + static_cast<int>(i)));
  }
  folder.keep({.key = record.key,
               .attempt = record.attempt,
               .ranks = {{.end = std::chrono::microseconds(20)}}});
}

/// A sweep of two points, and parts of it.
class Sweep : public ::testing::Test {
 protected:
  using Path = std::filesystem::path;

  /// What a run that measures so many of the two points begins with.
  [[nodiscard]] RunFolder create(const Path& path, std::size_t planned,
                                 std::optional<SweepPart> part) const {
    const experiment::Experiment experiment = experiment::apply(two_points(), overrides_);
    run::RunIdentity identity{
        .planned = planned, .experiment = experiment, .overrides = overrides_};
    if (part) identity.part = PartRecord{.part = *part, .planned = 2, .sweep = "0a1b"};
    return RunFolder::create({.out = path, .name = experiment.name, .experiment = experiment.text},
                             run::run_context(identity));
  }

  /// The folder of part `number` of `of`, with the points that it has.
  Path part(std::size_t number, std::size_t of = 2) const {
    const SweepPart part{.number = number, .of = of};
    const Path path = scratch_ / fmt::format("part-{}-{}", number, of).c_str();
    std::vector<std::size_t> points;
    for (std::size_t point = 0; point < 2; ++point) {
      if (part.has(point)) points.push_back(point);
    }
    RunFolder folder = create(path, points.size(), part);
    for (const std::size_t point : points) write_point(folder, mixed_record(point));
    return path;
  }

  /// The folder of a run that measures both points.
  [[nodiscard]] Path whole() const {
    const Path path = scratch_ / "whole";
    RunFolder folder = create(path, 2, std::nullopt);
    for (std::size_t point = 0; point < 2; ++point) write_point(folder, mixed_record(point));
    return path;
  }

  /// Changes the context.json of a folder.
  static void change(const Path& folder, const std::function<void(nlohmann::json&)>& what) {
    nlohmann::json context = nlohmann::json::parse(content_of(folder / kContextFile));
    what(context);
    write_content(folder / kContextFile, context.dump(2));
  }

  void merge(const std::vector<Path>& parts, bool incomplete = false) const {
    merge_parts({.parts = parts,
                 .to = to_,
                 .arguments = {"gradwire", "results", "merge"},
                 .incomplete = incomplete,
                 .results = [](const StoredRun& run) {
                   return nlohmann::json{{"rows", run.points.size()}};
                 }});
  }

  /// What merging says against these parts. Fails where anything is left behind, or where a part
  /// is another than before.
  [[nodiscard]] std::string refusal(const std::vector<Path>& parts) const {
    const std::vector<std::string> before = everything();
    std::string said = "merged";
    try {
      merge(parts);
    } catch (const InputError& error) {
      said = error.what();
    }
    EXPECT_EQ(everything(), before) << said;
    return said;
  }

  /// Every file and folder there is, with its content.
  [[nodiscard]] std::vector<std::string> everything() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_ / "")) {
      all.push_back(entry.path().string() + ": " +
                    (entry.is_regular_file() ? content_of(entry.path()) : ""));
    }
    std::ranges::sort(all);
    return all;
  }

  const ScratchFolder scratch_;
  Path to_ = scratch_ / "merged";
  experiment::Overrides overrides_;
};

}  // namespace gradwire::record
