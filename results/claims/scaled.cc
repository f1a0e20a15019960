#include "results/claims/scaled.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "results/claims/iterations_of_rows.h"
#include "schedule/collective_cost.h"

namespace gradwire::claims {
namespace {

constexpr double kTolerance = 0.03;

Scaled by_eight(std::string experiment, std::size_t workers, const schedule::Affine& cost) {
  return {.experiment = std::move(experiment),
          .stands_for = fmt::format("{} workers by 8 hosts", workers),
          .cost = cost};
}

void beside_prediction(Entry in, const Rows& rows, Seconds startup) {
  constexpr const char* kSchedules[] = {"wfbp", "synceasgd", "mg-wfbp", "optimum"};
  double found = 0;
  for (const char* schedule : kSchedules) {
    const record::TrainingRow& row = rows.at({.schedule = schedule}).training();
    found += row.plan.cost.fit.line.a.count() / std::size(kSchedules);
    in.agrees(schedule, row.iteration.median, ours(row.plan.predicted.iteration.count()),
              kTolerance);
  }
  in.beside("a {:.2f} ms", 1e3 * found, ours(1e3 * startup.count()));
}

}  // namespace

Scaled scaled_ring(std::size_t workers) {
  return by_eight(fmt::format("mg-wfbp-scaled-{}", workers), workers,
                  schedule::ring(workers, kPlotted));
}

Scaled scaled_trees(std::size_t workers) {
  return by_eight(fmt::format("mg-wfbp-scaled-trees-{}", workers), workers,
                  schedule::double_binary_trees(workers, kPlotted));
}

Scaled scaled_figure9(const std::string& model) {
  return {.experiment = "mg-wfbp-figure9-" + model,
          .stands_for = model + " on 16 workers by 4 hosts",
          .cost = found_on_10gbe()};
}

void measure_scaled(Evidence& e, const Runs& runs, const Scaled& scaled,
                    const JudgeIterations& judge) {
  e.measured(runs, scaled.experiment, [&](const Rows& rows, Entry in) {
    in.say(scaled.stands_for);
    beside_prediction(in, rows, scaled.cost.a);
    judge(iterations_of(rows, {}), in);
  });
}

}  // namespace gradwire::claims
