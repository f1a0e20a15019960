#include "results/claims/mg_wfbp_halves.h"

#include <fmt/format.h>

#include "results/claims/iterations_of_rows.h"

namespace gradwire::claims::mg_wfbp_claims {

const Half& googlenet() {
  static const Half half{.name = "GoogLeNet",
                         .pass = &googlenet_trace(),
                         .figure10 = "mg-wfbp-figure10",
                         .figure11 = "mg-wfbp-figure11",
                         .base = "MGT-27a",
                         .wfbp = "MGT-27b",
                         .merged = "MGT-27c",
                         .synceasgd = "MGT-27d",
                         .messages = "MGT-22a",
                         .over_wfbp = "MGT-23a",
                         .over_synceasgd = "MGT-23b"};
  return half;
}

const Half& resnet() {
  static const Half half{.name = "ResNet-50",
                         .is_derived = true,
                         .pass = &resnet50_derived(),
                         .figure10 = "mg-wfbp-figure10-resnet50",
                         .figure11 = "mg-wfbp-figure11-resnet50",
                         .base = "MGT-28a",
                         .wfbp = "MGT-28b",
                         .merged = "MGT-28c",
                         .synceasgd = "MGT-28d",
                         .messages = "MGT-22b",
                         .over_wfbp = "MGT-23c",
                         .over_synceasgd = "MGT-23d"};
  return half;
}

std::array<const Half*, 2> halves() {
  return {&googlenet(), &resnet()};
}

void say_derived(Evidence& e) {
  e.fitted(
      "1, how long ResNet-50 computes: 0.72 s; assumed: in 107 layers, multiply-adds at 26 % of a "
      "K80's peak, and norms by its memory");
}

Iterations figure10(const Half& half, std::size_t workers) {
  return iterations(*half.pass, schedule::ring_as_plotted(workers, kPlotted));
}

Iterations figure11(const Half& half, std::size_t workers) {
  return iterations(*half.pass, schedule::double_binary_trees(workers, kPlotted));
}

Iterations with_workers(const Rows& rows, std::size_t workers) {
  return iterations_of(rows, {.wiring = fmt::format("single-switch({})", workers)});
}

void agree_with_theory(Entry in, const Iterations& all, const Iterations& theory) {
  in.agrees("over WFBP", all.wfbp / all.mg_wfbp, ours(theory.wfbp / theory.mg_wfbp), 0.02);
  in.agrees("over SyncEASGD", all.synceasgd / all.mg_wfbp, ours(theory.synceasgd / theory.mg_wfbp),
            0.02);
}

}  // namespace gradwire::claims::mg_wfbp_claims
