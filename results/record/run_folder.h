#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "results/record/line_file.h"
#include "results/record/point_record.h"
#include "results/record/row.h"
#include "results/record/sample.h"
#include "results/record/timeline.h"

namespace gradwire::record {

/// Folder with everything that is kept of one run; results/README.md lists the files.
///
/// A folder appears with its first files or not at all. Appended lines survive a kill or a power
/// cut; a reader never takes part of a line, or of a file, for the whole. One program writes at a
/// time.
class RunFolder {
 public:
  /// Files to which lines are appended.
  struct Files {
    LineFile samples;
    LineFile points;
    LineFile timelines;
  };

  struct Options {
    /// The folder itself, which must be absent or empty. Without it, a new one in `parent` is named
    /// <name>-<UTC time>-<six random letters or digits>.
    std::optional<std::filesystem::path> out;
    std::filesystem::path parent = "results/runs";
    std::string name;  ///< the experiment's
    std::chrono::system_clock::time_point started;
    std::string_view experiment;  ///< the experiment file's text
  };

  /// Creates the folder. Throws InputError when `out` is a file or is not empty, SystemError when
  /// it cannot be written; both name the path.
  [[nodiscard]] static RunFolder create(const Options& options, const nlohmann::json& context);

  /// Opens the folder of a run to continue it, and locks it against other programs. Cuts off lines
  /// that a kill left incomplete. Throws InputError when another program writes into it now,
  /// SystemError when it cannot be written.
  [[nodiscard]] static RunFolder resume(const std::filesystem::path& path);

  /// Begins an attempt, to which everything written from now on belongs: 0 is the run itself, 1 the
  /// first time that it was resumed.
  void begin_attempt(std::size_t attempt) { attempt_ = attempt; }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Number of the current attempt: 0 is the run itself, n the n-th time it is resumed.
  [[nodiscard]] std::size_t attempt() const { return attempt_; }

  // All of these throw SystemError, and after a failed append every later one to the same file.

  /// Begins to measure a point. The record's attempt must be the current one.
  void begin(const PointRecord& record);
  /// Appends a sample, whose point must have begun; it is on the disk when this returns.
  void append(const Sample& sample);
  /// Adds a flag of a point as a whole, found after measuring it.
  void mark(const std::string& key, const std::string& flag);
  /// Keeps what every rank did in one iteration.
  void keep(const Timeline& timeline);

  /// Writes context.json anew.
  void write_context(const nlohmann::json& context) const;
  /// Writes calibration.json, or for a resumed run calibration-<attempt>.json.
  void write_calibration(const nlohmann::json& calibration) const;
  /// Writes hosts.json, or for a resumed run hosts-<attempt>.json.
  void write_hosts(const nlohmann::json& hosts) const;
  /// Writes results.json (results/schema/results.schema.json).
  void write_results(const nlohmann::json& results) const;

 private:
  RunFolder(std::filesystem::path path, std::size_t attempt, Files files);

  std::filesystem::path path_;
  std::size_t attempt_ = 0;
  Files files_;
};

}  // namespace gradwire::record
