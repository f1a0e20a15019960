#include <algorithm>

#include "core/error.h"
#include "harness/experiment/experiment.h"
#include "harness/run/prepare.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small_wirings.h"

/// Experiment files, up to points that are made ready. Nothing runs.
namespace gradwire::experiment {
namespace {

/// Large wirings and long lists of points take as long as they should.
constexpr std::size_t kMostHosts = 16;
constexpr std::size_t kMostPoints = 4;
constexpr std::uint64_t kMostElements = 1 << 20;

bool is_small(const Experiment& experiment) {
  return experiment.points.size() <= kMostPoints &&
         std::ranges::all_of(experiment.points, [](const Point& point) {
           return point.task.wiring->hosts() <= kMostHosts &&
                  point.task.workload.elements() <= kMostElements;
         });
}

}  // namespace
}  // namespace gradwire::experiment

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  if (fuzz::names_large_wiring(text)) return 0;
  const auto experiment = fuzz::value_of<InputError>(
      [&] { return experiment::load_experiment_text(text, "fuzz/experiment.yaml"); });
  if (!experiment) return 0;
  fuzz::require(!experiment->points.empty(), "an experiment has a point");
  if (!experiment::is_small(*experiment)) return 0;
  static_cast<void>(fuzz::value_of<InputError>([&] {
    experiment::check_backings(*experiment);
    return run::prepare_all(*experiment);
  }));
  return 0;
}
