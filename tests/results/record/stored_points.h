#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "harness/run/context.h"
#include "results/record/run_folder.h"

/// Run folders for tests, without anything that runs.
namespace gradwire::record {

/// A folder of this test's own, removed with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    static int made = 0;
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("gradwire_store_test_{}_{}", ::getpid(), ++made);
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() { std::filesystem::remove_all(path_); }

  [[nodiscard]] std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// Makes a file or folder look as a killed process leaves it (core/text/partial.h).
inline void mark_unfinished(const std::filesystem::path& path) {
  std::filesystem::permissions(path, std::filesystem::perms::sticky_bit,
                               std::filesystem::perm_options::add);
}

/// An experiment of two points.
inline experiment::Experiment two_points() {
  return experiment::load_experiment_text(
      "gradwire: 1\nname: two\ndescription: for tests\nlink: {rate: 40Gbit}\nelements: 9000\n"
      "warmup: 1\niterations: 3\nsweep: {zip: {algorithm: [ring, bml], "
      "wiring: [single-switch(9), \"bcube(3,2)\"]}}\n",
      "two.yaml");
}

inline RunFolder create_folder(const std::filesystem::path& path) {
  const experiment::Experiment experiment = two_points();
  const experiment::Overrides overrides;
  return RunFolder::create(
      {.out = path, .name = experiment.name, .experiment = experiment.text},
      run::run_context({.planned = 2, .experiment = experiment, .overrides = overrides}));
}

/// Point 0 is the ring, 1 is BML; both with the bound of 10 us.
inline PointRecord point_record(std::size_t point, std::size_t attempt = 0) {
  return {.key = fmt::format("key-{}", point),
          .attempt = attempt,
          .configuration = {.point = point,
                            .backing = record::Backing::emulated,
                            .wiring = point == 0 ? "single-switch(9)" : "bcube(3,2)",
                            .algorithm = point == 0 ? "ring" : "bml",
                            .ranks = 9,
                            .ports_per_host = point + 1,
                            .elements = 9000},
          .dilation = 100,
          .warmup = 1,
          .iterations = 3,
          .bound = Seconds(10e-6)};
}

/// An iteration of `microseconds`, undilated, on two ranks.
inline Sample sample(const PointRecord& record, std::size_t iteration, int microseconds) {
  const Nanoseconds end = std::chrono::microseconds(100 * microseconds);
  return {.key = record.key,
          .attempt = record.attempt,
          .configuration = record.configuration,
          .iteration = iteration,
          .warmup = iteration < record.warmup,
          .dilation = record.dilation,
          .ranks = {{.end = end}, {.end = end - std::chrono::microseconds(1)}},
          .wrong = 0};
}

}  // namespace gradwire::record
