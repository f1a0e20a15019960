#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "core/file_descriptor.h"
#include "harness/report/comparison.h"
#include "harness/report/result.h"

namespace gradwire::harness {

/// Everything that is kept of one run, under one folder:
///
///     experiment.yaml    the file, unchanged
///     context.json       machine, build, command line, start time (harness/report/context.h)
///     calibration.json   what the links were found to carry
///     samples.ndjson     one line per iteration, appended and synced as it is measured
///     results.json       {"version": 1, "rows": [...]}, at the end
///
/// A folder appears with experiment.yaml and context.json in it, or not at all. What has been
/// appended survives a kill or a power cut; a reader never sees part of a line or of a file.
class RunFolder {
 public:
  struct Options {
    /// The folder itself: absent or empty. Without it, a new one in `parent` is named
    /// <name>-<UTC time>-<six random letters or digits>.
    std::optional<std::filesystem::path> out;
    std::filesystem::path parent = "results/runs";
    std::string name;  ///< the experiment's
    std::chrono::system_clock::time_point started;
    std::string_view experiment;  ///< text of the experiment file
  };

  /// Creates the folder. Throws InputError when `out` is a file or is not empty, SystemError when
  /// it cannot be written; both name the path.
  [[nodiscard]] static RunFolder create(const Options& options, const nlohmann::json& context);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Appends one line to samples.ndjson: one write and one fdatasync. Throws SystemError when
  /// either fails; part of a line is taken back, and every later call throws as well.
  void append(const Sample& sample);

  /// Writes calibration.json. Throws SystemError.
  void write_calibration(const nlohmann::json& calibration) const;
  /// Writes results.json. Throws SystemError.
  void write_results(std::span<const Row> rows,
                     const std::optional<Comparison>& comparison = std::nullopt) const;

 private:
  RunFolder(std::filesystem::path path, FileDescriptor samples);

  [[noreturn]] void fail_append(const std::string& operation, int error_number);

  std::filesystem::path path_;
  FileDescriptor samples_;
  std::size_t samples_bytes_ = 0;
  int append_error_ = 0;  ///< errno of the first failure
};

}  // namespace gradwire::harness
