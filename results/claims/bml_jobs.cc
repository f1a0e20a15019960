#include "results/claims/bml_jobs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "results/claims/bml_model.h"
#include "results/claims/evidence.h"

namespace gradwire::claims::bml_claims {
namespace {

/// An iteration with BML as a share of one with the parameter server `against`, at one batch.
using ShareOf = std::function<double(std::string_view against, std::uint64_t batch)>;

/// A way of sending, as the experiments and the table call it.
struct Way {
  Sending sending;
  std::string_view schedule;
  std::string_view name;
};

constexpr Way kAfterwards{Sending::afterwards, "synceasgd", "sent afterwards"};
constexpr Way kOverlapped{Sending::overlapped, "wfbp", "overlapped"};

ShareOf by_formula(const Figure& figure, const Way& way) {
  return [&figure, &way](std::string_view against, std::uint64_t batch) {
    return share({&figure, batch, figure.efficiency}, against, way.sending);
  };
}

ShareOf by_rows(const Rows& rows, const Way& way) {
  return [&rows, &way](std::string_view against, std::uint64_t batch) {
    const auto iteration = [&](std::string_view algorithm) {
      return rows.at({.algorithm = algorithm, .schedule = way.schedule, .batch = batch})
          .iteration();
    };
    return iteration("bml") / iteration(against);
  };
}

/// In percent. What rounds to none is none, not "-0.0".
double reduction(double share) {
  constexpr double kNone = 0.05;
  const double percent = 100 * (1 - share);
  return std::abs(percent) < kNone ? 0 : percent;
}

std::string range(const Figure& figure, const ShareOf& share, std::string_view against) {
  return fmt::format("{:.1f}-{:.1f} %", reduction(share(against, figure.batches.back())),
                     reduction(share(against, figure.batches.front())));
}

/// From the largest batch to the smallest against whole tensors, beside the printed range.
void beside_range(Entry in, std::string_view sending, const Fitted& ends, const Figure& figure) {
  in.beside(std::string(sending) + ": {:.1f}", ends.low, paper(figure.reductions, 0));
  in.beside(std::string(sending) + ": to {:.1f} %", ends.high, paper(figure.reductions, 1));
}

/// Both ends as the experiment has them, and every share of an iteration as the formula has it.
void judge_rows(Entry in, const Rows& rows, const Figure& figure, const Way& way) {
  const ShareOf measured = by_rows(rows, way), formula = by_formula(figure, way);
  for (const std::string_view against : {kPerTensor, kBalanced}) {
    for (const std::uint64_t batch : figure.batches) {
      in.agrees(fmt::format("share with {}, {}", batch, way.name), measured(against, batch),
                ours(formula(against, batch)));
    }
  }
  const Fitted ends{.low = reduction(measured(kPerTensor, figure.batches.back())),
                    .high = reduction(measured(kPerTensor, figure.batches.front()))};
  beside_range(in, way.name, ends, figure);
  in.say(fmt::format("{}, balanced: {}", way.name, range(figure, measured, kBalanced)));
}

/// With which share of the peak a model comes nearest to the paper.
struct BothFits {
  Fitted overlapped;
  Fitted afterwards;
};

BothFits fits_of(const Figure& figure) {
  return {fit(figure, Sending::overlapped), fit(figure, Sending::afterwards)};
}

/// `fits`: those of the figure.
Finding published_range(const Runs& runs, const Figure& figure, const BothFits& fits) {
  Evidence e(printed(figure.reductions));
  e.fitted(
      fmt::format("1, the share of their peak that GPUs reach: {:.1f} % overlapped, {:.1f} % "
                  "sent afterwards",
                  100 * fits.overlapped.efficiency, 100 * fits.afterwards.efficiency));
  beside_range(e.theory(), "overlapped, fitted", fits.overlapped, figure);
  beside_range(e.theory(), "sent afterwards, fitted", fits.afterwards, figure);
  constexpr double kFar = 0.25;
  e.theory().less("no share of the peak brings the overlapped model near both ends", kFar,
                  fits.overlapped.off, false);
  e.both(runs, figure.experiment,
         [&](const Rows& rows, Entry in) { judge_rows(in, rows, figure, kAfterwards); });
  e.both(runs, figure.experiment,
         [&](const Rows& rows, Entry in) { judge_rows(in, rows, figure, kOverlapped); });
  e.differs(
      "section 4.1 overlaps sending and computing, and so modelled no share of the GPUs' peak "
      "gives the printed range; sent afterwards, with whole tensors on servers, one comes near. "
      "Most likely much of the gain is where TensorFlow places tensors, and its own overhead; the "
      "GPUs' times are not published");
  return e.finish();
}

/// Judges formulas and runs of both figures, of gradients sent afterwards; the GPUs' share of their
/// peak is assumed.
Finding of_both_figures(const Runs& runs, const std::string& published,
                        const std::function<void(const Figure&, const ShareOf&, Entry)>& judge) {
  Evidence e(published);
  e.fitted("2, the share of their peak that GPUs reach with either model");
  for (const Figure* figure : {&figure6(), &figure7()}) {
    judge(*figure, by_formula(*figure, kAfterwards), e.theory());
    e.both(runs, figure->experiment,
           [&](const Rows& rows, Entry in) { judge(*figure, by_rows(rows, kAfterwards), in); });
  }
  return e.finish();
}

}  // namespace

Finding claim_15(const Runs& runs) {
  static const BothFits fits = fits_of(figure6());
  return published_range(runs, figure6(), fits);
}

Finding claim_16(const Runs& runs) {
  static const BothFits fits = fits_of(figure7());
  return published_range(runs, figure7(), fits);
}

Finding claim_17(const Runs& runs) {
  return of_both_figures(
      runs, "smaller batch, larger gain", [](const Figure& figure, const ShareOf& share, Entry in) {
        for (const std::string_view against : {kBalanced, kPerTensor}) {
          for (std::size_t i = 1; i < figure.batches.size(); ++i) {
            in.less(fmt::format("{} falls as batches grow", figure.model),
                    share(against, figure.batches[i - 1]), share(against, figure.batches[i]));
          }
        }
      });
}

Finding claim_18(const Runs& runs) {
  return of_both_figures(
      runs, fmt::format("{}; above by placement", printed("BML-34")),
      [](const Figure& figure, const ShareOf& share, Entry in) {
        const double half = 1 - number_of("BML-34", 1) / 100;
        const std::string balanced =
            fmt::format("{} balanced {}", figure.model, range(figure, share, kBalanced));
        in.less(balanced, half, share(kBalanced, figure.batches.front()));
        in.less(balanced, share(kBalanced, figure.batches.back()), 1);
        const double most = share(kPerTensor, figure.batches.front());
        in.less(fmt::format("whole tensors {:.1f} %", reduction(most)), most, half);
      });
}

}  // namespace gradwire::claims::bml_claims
