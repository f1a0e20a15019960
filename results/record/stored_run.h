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

/// Reading of run folders, also while they are written, and when they are damaged.
namespace gradwire::record {

enum class RunStatus : std::uint8_t {
  complete,    ///< every point has all its iterations
  incomplete,  ///< the run ended before
  running,     ///< somebody writes it now
};

/// The status as text: "complete", "incomplete", "running".
[[nodiscard]] std::string_view to_string(RunStatus status);

/// Point on one backing, with at least one measured iteration.
struct StoredPoint {
  PointRecord record;
  Row row;                          ///< row that the run's own table has
  std::vector<double> gst;          ///< GST of measured iterations, in order, undilated seconds
  std::vector<double> iterations;   ///< training job's iteration times, likewise; otherwise empty
  std::vector<double> losses = {};  ///< losses of a program that trains a model; otherwise empty
};

/// Content of a run folder.
struct StoredRun {
  std::filesystem::path folder;
  std::string name;         ///< the experiment's
  std::string description;  ///< the experiment's
  std::string started;      ///< UTC, "2026-03-01T12:00:05Z"
  RunStatus status = RunStatus::incomplete;
  std::size_t planned = 0;     ///< points of the experiment, each backing counted
  nlohmann::json context;      ///< context.json
  nlohmann::json calibration;  ///< calibration.json, or null; the last of each wiring
  nlohmann::json hosts;        ///< hosts.json, or null; the last attempt's
  /// The calibration of each part of a merged run, or null; then `calibration` has the last of each
  /// wiring, and `hosts` the last part's. Otherwise empty.
  std::vector<nlohmann::json> part_calibrations;
  std::vector<StoredPoint> points;     ///< in the experiment's order, backing after backing
  std::vector<StoreProblem> problems;  ///< in the order of their files and lines
};

/// Reads a run folder. Truncated, damaged or foreign lines and files, and those of a newer version,
/// are named in `problems` and left out; a last line that is being written at this moment is no
/// problem. Throws InputError only where nothing can be read: no such folder, or one that holds no
/// run.
[[nodiscard]] StoredRun read_run(const std::filesystem::path& folder);

/// The calibration of the links on which a point of the run was measured, or null: the run's, or
/// that of the point's part.
[[nodiscard]] const nlohmann::json& calibration_of(const StoredRun& run,
                                                   const Configuration& point);

/// Checks that a folder exists and holds a run. Throws InputError if not.
void require_run_folder(const std::filesystem::path& folder);

/// Reads several folders, two at a time, and returns them in their order. Throws as read_run.
[[nodiscard]] std::vector<StoredRun> read_runs(std::span<const std::filesystem::path> folders);

/// Finds the run folders that paths mean: each itself, or those directly in it, by name. Throws
/// InputError for a path that means none.
[[nodiscard]] std::vector<std::filesystem::path> folders_of(std::span<const std::string> paths);

}  // namespace gradwire::record
