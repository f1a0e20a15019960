#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "results/claims/iterations_of_rows.h"
#include "results/claims/mg_wfbp.h"
#include "results/claims/scaled.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"

/// Claims 36 and 37: what merging gains on 16 V100, Figure 9.
namespace gradwire::claims::mg_wfbp_claims {
namespace {

/// A model of Figure 9 on 16 V100, and what is printed for its two networks.
struct Trained {
  const char* model;
  std::size_t batch;
  const char* range[2];  ///< gains, 10GbE and 56GbIB
};

constexpr Trained kModels[] = {{"resnet152", 128, {"MGT-19a", "MGT-19e"}},
                               {"densenet161", 64, {"MGT-19b", "MGT-19f"}},
                               {"densenet201", 64, {"MGT-19c", "MGT-19g"}},
                               {"inceptionv4", 128, {"MGT-19d", "MGT-19h"}}};
constexpr const char* kExperiments[] = {"mg-wfbp-figure9-10gbe", "mg-wfbp-figure9-56gbib"};
constexpr const char* kNetworks[] = {"10GbE", "56GbIB"};
constexpr const char* kAssumed =
    "1, the share of its peak that a V100 reaches, assumed at 35 % for all models";

/// All of Figure 9 by formulas.
struct Formulas {
  Iterations of[std::size(kModels)][std::size(kExperiments)];
};

Formulas compute_formulas() {
  const schedule::Affine costs[std::size(kExperiments)] = {found_on_10gbe(), found_on_56gbib()};
  Formulas all;
  for (std::size_t i = 0; i < std::size(kModels); ++i) {
    const auto profile =
        workloads::derive(workloads::load_model(kModels[i].model),
                          {.device = workloads::find_device("v100"), .batch = kModels[i].batch});
    for (std::size_t network = 0; network < std::size(kExperiments); ++network) {
      all.of[i][network] = iterations(schedule::backward_pass(profile), costs[network]);
    }
  }
  return all;
}

/// `trained`: one of kModels.
const Iterations& figure9(const Trained& trained, std::size_t network) {
  static const Formulas formulas = compute_formulas();
  return formulas.of[&trained - kModels][network];
}

Iterations figure9(const Rows& rows, const Trained& trained) {
  return iterations_of(rows, {.workload = trained.model});
}

/// How many times as fast MG-WFBP is: over the better and over the worse of its rivals, beside what
/// is printed as a gain in percent.
void beside_range(Entry in, const Trained& trained, std::size_t network, const Iterations& all) {
  const auto [low, high] = std::minmax({all.wfbp / all.mg_wfbp, all.synceasgd / all.mg_wfbp});
  const auto printed_factor = [&](std::size_t end) {
    return paper(1 + number_of(trained.range[network], end) / 100);
  };
  const std::string name = fmt::format("{} {} ", trained.model, kNetworks[network]);
  in.beside(name + "{:.2f}", low, printed_factor(0));
  in.beside(name + "to {:.2f} times", high, printed_factor(1));
}

/// MG-WFBP is no slower than either, but for a share that rounding, or a machine, may add.
void is_first(Entry in, const Iterations& all, double slack = 1e-6) {
  in.less("MG-WFBP first", all.mg_wfbp, std::min(all.wfbp, all.synceasgd) * (1 + slack));
}

/// What is on the wire: the two models of claim 37.
constexpr const Trained& kResnet = kModels[0];
constexpr const Trained& kDensenet = kModels[1];

/// Where WFBP merges as MG-WFBP does, on the wire one of them is faster by chance.
constexpr double kByChance = 0.01;

/// What runs have against what formulas give.
void judge_rows(Entry in, const Iterations& rows, const Iterations& formula) {
  in.agrees("WFBP / MG-WFBP", rows.wfbp / rows.mg_wfbp, ours(formula.wfbp / formula.mg_wfbp), 0.02);
  in.agrees("SyncEASGD / MG-WFBP", rows.synceasgd / rows.mg_wfbp,
            ours(formula.synceasgd / formula.mg_wfbp), 0.02);
}

/// A gain of `id` percent, as a factor.
Expected factor(const char* id) {
  return paper(1 + number_of(id) / 100);
}

void judge_resnet(const Iterations& all, Entry in) {
  in.less("WFBP wins ResNet-152", all.wfbp, all.synceasgd);
  in.beside("{:.2f} times", all.synceasgd / all.wfbp, factor("MGT-20c"));
}

void judge_densenet(const Iterations& all, Entry in) {
  in.less("SyncEASGD wins DenseNet-161", all.synceasgd, all.wfbp);
  in.beside("{:.2f} times", all.wfbp / all.synceasgd, factor("MGT-20d"));
  in.beside("MG-WFBP {:.2f} times of it", all.synceasgd / all.mg_wfbp, factor("MGT-20e"));
}

/// Fills the measured column with a model on 10GbE: what `judge` asks, and that MG-WFBP is first.
void measure_first(Evidence& e, const Runs& runs, const Trained& trained,
                   const JudgeIterations& judge) {
  measure_scaled(e, runs, scaled_figure9(trained.model), [&](const Iterations& all, Entry in) {
    judge(all, in);
    is_first(in, all, kByChance);
  });
}

}  // namespace

Finding claim_36(const Runs& runs) {
  std::string published;
  for (const Trained& trained : kModels) {
    published += fmt::format("{}{}: {}, {}", published.empty() ? "" : "; ", trained.model,
                             printed(trained.range[0]), printed(trained.range[1]));
  }
  Evidence e(published);
  e.fitted(kAssumed);
  for (std::size_t network = 0; network < 2; ++network) {
    for (const Trained& trained : kModels) {
      const Iterations formula = figure9(trained, network);
      beside_range(e.theory(), trained, network, formula);
      is_first(e.theory(), formula);
    }
    e.simulated(runs, kExperiments[network], [&](const Rows& rows, Entry in) {
      for (const Trained& trained : kModels) {
        const Iterations all = figure9(rows, trained);
        beside_range(in, trained, network, all);
        is_first(in, all);
        judge_rows(in, all, figure9(trained, network));
      }
    });
  }
  for (const Trained& trained : {kResnet, kDensenet}) {
    measure_first(e, runs, trained,
                  [&](const Iterations& all, Entry in) { beside_range(in, trained, 0, all); });
  }
  e.differs(
      "never slower, but gains are others. Most likely the computing times, which are not "
      "published: derived here from multiply-adds; and the paper's mixed precision is not run");
  return e.finish();
}

Finding claim_37(const Runs& runs) {
  Evidence e(fmt::format("ResNet-152: WFBP +{}; DenseNet-161: SyncEASGD +{}, MG-WFBP +{} over it",
                         printed("MGT-20c"), printed("MGT-20d"), printed("MGT-20e")));
  e.fitted(kAssumed);
  const auto judge = [](const auto& at, Entry in) {
    judge_resnet(at(kResnet), in);
    judge_densenet(at(kDensenet), in);
    for (const Trained& trained : kModels) is_first(in, at(trained));
  };
  judge([](const Trained& trained) { return figure9(trained, 0); }, e.theory());
  e.simulated(runs, kExperiments[0], [&](const Rows& rows, Entry in) {
    judge([&](const Trained& trained) { return figure9(rows, trained); }, in);
  });
  measure_first(e, runs, kResnet, judge_resnet);
  measure_first(e, runs, kDensenet, judge_densenet);
  e.partly("who wins is as published; by how much needs the paper's computing times");
  return e.finish();
}

}  // namespace gradwire::claims::mg_wfbp_claims
