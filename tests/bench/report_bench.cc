// How long it takes to read a group's results and make their page: 100 runs of 10 points with 10
// samples each; with GRADWIRE_BENCH_LARGE set, 1000 each, one million in all.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "harness/commands/configured_plans.h"
#include "harness/run/context.h"
#include "results/record/file_names.h"
#include "results/record/run_folder.h"
#include "results/record/sample_line.h"
#include "results/report/page/assets.h"
#include "results/report/page/page.h"
#include "results/report/page/page_data.h"

namespace gradwire::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRuns = 100;
constexpr std::size_t kPoints = 10;
constexpr std::size_t kRanks = 9;

std::size_t samples_per_point() {
  return std::getenv("GRADWIRE_BENCH_LARGE") != nullptr ? 1000 : 10;
}

record::PointRecord record_of(std::size_t point) {
  return {.key = fmt::format("{:016x}", point),
          .configuration = {.point = point,
                            .backing = record::Backing::emulated,
                            .wiring = point % 2 == 0 ? "bcube(3,2)" : "single-switch(9)",
                            .algorithm = point % 2 == 0 ? "bml" : "ring",
                            .ranks = kRanks,
                            .ports_per_host = 2 - point % 2,
                            .elements = 1'000'000 * (point + 1)},
          .dilation = 100,
          .warmup = 1,
          .iterations = samples_per_point(),
          .bound = Seconds(1e-3)};
}

record::Sample sample_of(const record::PointRecord& record, std::size_t iteration) {
  record::Sample sample{.key = record.key,
                        .configuration = record.configuration,
                        .iteration = iteration,
                        .dilation = record.dilation,
                        .wrong = 0};
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    const auto noise = static_cast<Nanoseconds::rep>((iteration * 7919 + rank * 104729) % 9973);
    sample.ranks.push_back({.start = Nanoseconds(noise), .end = Nanoseconds(110'000'000 + noise)});
  }
  return sample;
}

/// A hundred run folders, as a run leaves them but not synced line by line.
class Folders {
 public:
  Folders() {
    const experiment::Experiment experiment = experiment::load_experiment_text(
        "gradwire: 1\nname: bench\nlink: {rate: 40Gbit}\nelements: 9\nalgorithm: ring\n"
        "wiring: single-switch(9)\niterations: 1000\n",
        "bench.yaml");
    for (std::size_t run = 0; run < kRuns; ++run) {
      paths_.push_back(root_ / fmt::format("run-{:03}", run));
      write(experiment, paths_.back());
    }
  }
  ~Folders() { fs::remove_all(root_); }

  [[nodiscard]] const std::vector<fs::path>& paths() const { return paths_; }

 private:
  static void write(const experiment::Experiment& experiment, const fs::path& path) {
    const experiment::Overrides overrides;
    record::RunFolder folder = record::RunFolder::create(
        {.out = path, .name = "bench", .experiment = experiment.text},
        run::run_context({.planned = kPoints, .experiment = experiment, .overrides = overrides}));
    std::ofstream samples(path / record::kSamplesFile);
    for (std::size_t i = 0; i < kPoints; ++i) {
      const record::PointRecord record = record_of(i);
      folder.begin(record);
      for (std::size_t k = 0; k < samples_per_point(); ++k)
        samples << record::sample_line(sample_of(record, k)) << '\n';
    }
  }

  const fs::path root_ =
      fs::temp_directory_path() / fmt::format("gradwire_report_bench_{}", ::getpid());
  std::vector<fs::path> paths_;
};

const Folders& folders() {
  static const Folders all;
  return all;
}

void read_runs_of_many_samples(benchmark::State& state) {
  const Folders& all = folders();  // made before the clock runs
  for (auto _ : state) benchmark::DoNotOptimize(record::read_runs(all.paths()));
}
BENCHMARK(read_runs_of_many_samples)->Unit(benchmark::kMillisecond)->UseRealTime();

void make_page_of_many_samples(benchmark::State& state) {
  if (report::page_template().empty()) {
    state.SkipWithError("built without the report page");
    return;
  }
  const Folders& all = folders();
  std::size_t bytes = 0;
  for (auto _ : state) {
    const std::vector<record::StoredRun> runs = record::read_runs(all.paths());
    bytes = report::report_page(report::page_data(runs, {.plans = commands::configured_plans},
                                                  std::chrono::system_clock::now()))
                .size();
  }
  state.counters["page_MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(make_page_of_many_samples)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace gradwire::bench

BENCHMARK_MAIN();
