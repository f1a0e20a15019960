#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/record/point_record.h"
#include "results/record/row.h"
#include "results/record/store_problem.h"

/// Reading run folders, also while they are written, and when they are damaged.
namespace gradwire::record {

enum class RunStatus : std::uint8_t {
  complete,    ///< every point has all its iterations
  incomplete,  ///< it ended before
  running,     ///< somebody writes it now
};

/// "complete", "incomplete", "running".
[[nodiscard]] std::string_view to_string(RunStatus status);

/// A point on one backing, with at least one measured iteration.
struct StoredPoint {
  PointRecord record;
  Row row;                         ///< as the run's own table has it
  std::vector<double> gst;         ///< of the measured iterations, in order, undilated seconds
  std::vector<double> iterations;  ///< the same of a training job's iterations; otherwise empty
  std::vector<double> losses =
      {};  ///< of the same, of a program that trains a model; otherwise empty
};

/// A run folder as it was found.
struct StoredRun {
  std::filesystem::path folder;
  std::string name;         ///< the experiment's
  std::string description;  ///< the experiment's
  std::string started;      ///< UTC, "2026-03-01T12:00:05Z"
  RunStatus status = RunStatus::incomplete;
  std::size_t planned = 0;     ///< points, each backing counted, that the experiment has
  nlohmann::json context;      ///< context.json
  nlohmann::json calibration;  ///< calibration.json, or null; the last of each wiring
  nlohmann::json hosts;        ///< hosts.json, or null; the last attempt's
  /// Of a run that was put together of parts: what each found of its links, or null, by part;
  /// `calibration` has the last of each wiring then, and `hosts` the last part's. Otherwise empty.
  std::vector<nlohmann::json> part_calibrations;
  std::vector<StoredPoint> points;     ///< in the experiment's order, backing after backing
  std::vector<StoreProblem> problems;  ///< in the order of their files and lines
};

/// Reads a run folder. Lines and files that are truncated, damaged, foreign or of a newer version
/// are named in `problems` and left out; a last line that is being written at this moment is no
/// problem. Throws InputError only where nothing can be had: no such folder, or one that holds no
/// run.
[[nodiscard]] StoredRun read_run(const std::filesystem::path& folder);

/// What was found of the links on which a point of the run was measured, or null: the calibration of
/// the run, or of the point's part.
[[nodiscard]] const nlohmann::json& calibration_of(const StoredRun& run,
                                                   const Configuration& point);

/// Throws InputError when there is no such folder, or it holds no run.
void require_run_folder(const std::filesystem::path& folder);

/// Reads several folders, two at a time, in their order. Throws as read_run.
[[nodiscard]] std::vector<StoredRun> read_runs(std::span<const std::filesystem::path> folders);

/// The run folders that paths mean: each itself, or those directly in it, by name. Throws
/// InputError for a path that means none.
[[nodiscard]] std::vector<std::filesystem::path> folders_of(std::span<const std::string> paths);

}  // namespace gradwire::record
