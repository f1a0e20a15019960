#include "reproduce/scaled.h"

#include <fmt/format.h>

#include "reproduce/iterations_of_rows.h"
#include "schedule/collective_cost.h"

namespace gradwire::reproduce {
namespace {

constexpr double kTolerance = 0.03;

Scaled scaled(std::string experiment, std::size_t workers, const schedule::Affine& cost) {
  return {.experiment = std::move(experiment),
          .stands_for = fmt::format("{} workers by 8 hosts", workers),
          .theory = iterations(googlenet_trace(), cost)};
}

}  // namespace

Scaled scaled_ring(std::size_t workers) {
  return scaled(fmt::format("mg-wfbp-scaled-{}", workers), workers,
                schedule::ring(workers, kPlotted));
}

Scaled scaled_trees(std::size_t workers) {
  return scaled(fmt::format("mg-wfbp-scaled-trees-{}", workers), workers,
                schedule::double_binary_trees(workers, kPlotted));
}

Iterations iterations_of_scaled(const Rows& rows) {
  return iterations_of(rows, {});
}

void beside_theory(Entry in, const Scaled& scaled, const Iterations& measured) {
  in.say(scaled.stands_for);
  const Iterations& theory = scaled.theory;
  in.agrees("WFBP / optimum", measured.wfbp / measured.optimum, ours(theory.wfbp / theory.optimum),
            kTolerance);
  in.agrees("SyncEASGD / optimum", measured.synceasgd / measured.optimum,
            ours(theory.synceasgd / theory.optimum), kTolerance);
  in.agrees("MG-WFBP / optimum", measured.mg_wfbp / measured.optimum,
            ours(theory.mg_wfbp / theory.optimum), kTolerance);
}

}  // namespace gradwire::reproduce
