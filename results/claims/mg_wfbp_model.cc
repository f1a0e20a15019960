#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "results/claims/lines.h"
#include "results/claims/mg_wfbp.h"
#include "results/claims/scaled.h"
#include "schedule/optimum.h"
#include "schedule/timeline.h"

/// Claims 19 to 21 and 26 to 30: the model of an iteration, and when to merge.
namespace gradwire::claims::mg_wfbp_claims {
namespace {

using schedule::Affine;
using schedule::BackwardPass;
using schedule::Bucket;
using schedule::Schedule;

constexpr std::size_t kWorkers = 8;

/// TPDS eq. 6-8, written down once more.
double wfbp_by_recursion(const BackwardPass& pass, const Affine& cost) {
  double end = 0;
  for (const schedule::Gradient& gradient : pass.gradients) {
    end = std::max(end, gradient.ready.count()) + cost.at(gradient.bytes).count();
  }
  return std::max(end, pass.end.count());
}

BackwardPass pass_of(const std::vector<double>& ready, const std::vector<double>& bytes) {
  BackwardPass pass;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    pass.gradients.push_back({.ready = Seconds(ready[i]), .bytes = bytes[i]});
  }
  pass.end = Seconds(ready.back());
  return pass;
}

/// What merging the last two of three gradients gains, when they are ready at 1 and 1 + `gap` and
/// the first keeps the network busy until `busy`; with a = 1 and b = 1.
double gain_of_merging(double busy, double gap, double bytes) {
  const Affine cost{Seconds(1), 1};
  const BackwardPass pass = pass_of({0, 1, 1 + gap}, {std::max(busy - 1, 1e-9), bytes, 1});
  return iteration(pass, {.buckets = {{0, 1}, {1, 1}, {2, 1}}}, cost) -
         iteration(pass, {.buckets = {{0, 1}, {1, 2}}}, cost);
}

/// The least that any schedule takes, by trying all; counts them.
double least_of_all(const BackwardPass& pass, const Affine& cost, std::size_t& count) {
  const std::size_t cuts = pass.gradients.size() - 1;
  double least = INFINITY;
  for (std::size_t set = 0; set < std::size_t{1} << cuts; ++set, ++count) {
    Schedule schedule{.buckets = {{0, 1}}};
    for (std::size_t i = 0; i < cuts; ++i) {
      if ((set >> i & 1) != 0)
        schedule.buckets.push_back({i + 1, 1});
      else
        ++schedule.buckets.back().count;
    }
    least = std::min(least, iteration(pass, schedule, cost));
  }
  return least;
}

/// On the wire the best schedule is a tenth faster than MG-WFBP's, or more, where theory says so.
void measure_against_optimum(Evidence& e, const Runs& runs, const Scaled& scaled) {
  measure_scaled(e, runs, scaled, [](const Iterations& all, Entry in) {
    in.beside("{:.3f} of the best", all.mg_wfbp / all.optimum, paper(1));
    in.less("the best is a tenth faster", 1.1 * all.optimum, all.mg_wfbp, false);
  });
}

}  // namespace

Finding claim_19(const Runs& runs) {
  Evidence e("N/(1+r), r = t_c/(t_f+t_b)");
  const BackwardPass& pass = googlenet_trace();
  const Affine cost = schedule::ring(kWorkers, kPlotted);
  const auto timeline = schedule::predict(pass, schedule::no_overlap(pass), cost);
  const double r = timeline.communication() / timeline.compute;
  e.theory().number("{:.3f} times on 8", kWorkers * (timeline.compute / timeline.iteration),
                    paper(kWorkers / (1 + r)));
  e.both(runs, "mg-wfbp", [](const Rows& rows, Entry in) {
    for (const char* model : {"resnet50", "googlenet_caffe"}) {
      const Result row = rows.at({.schedule = "none", .workload = model});
      in.number("{:.3f} times", kWorkers * row.compute() / row.iteration(),
                paper(kWorkers / (1 + row.gst() / row.compute())));
    }
  });
  e.identity("a speed-up is N t/(t + t_c) by definition, where nothing overlaps");
  return e.finish();
}

Finding claim_20(const Runs& runs) {
  Evidence e("t_iter by equations 6-8");
  const BackwardPass& pass = googlenet_trace();
  for (const std::size_t workers : {4u, 64u, 2048u}) {
    const Affine cost = schedule::ring(workers, kPlotted);
    e.theory().agrees("t_iter", iteration(pass, schedule::wfbp(pass), cost),
                      paper(wfbp_by_recursion(pass, cost)), 1e-9);
  }
  e.theory().say("the same as predicted, 4 to 2048 workers");
  e.both(runs, "mg-wfbp", [](const Rows& rows, Entry in) {
    for (const char* model : {"resnet50", "googlenet_caffe"}) {
      const Result row = rows.at({.schedule = "wfbp", .workload = model});
      const double predicted = row.training().plan.predicted.iteration.count();
      in.number("{:.4f} of predicted", row.iteration() / predicted, ours(1));
    }
  });
  e.prediction("the recursion predicts our iterations; the paper prints no value");
  return e.finish();
}

Finding claim_21(const Runs& runs) {
  Evidence e("t_f + t_b + a + b M");
  const BackwardPass& pass = googlenet_trace();
  const Affine cost = schedule::ring(kWorkers, kPlotted);
  double bytes = 0;
  for (const schedule::Gradient& gradient : pass.gradients) bytes += gradient.bytes;
  e.theory().number("{:.3f} s", iteration(pass, schedule::synceasgd(pass), cost),
                    paper((pass.end + cost.at(bytes)).count()));
  e.both(runs, "mg-wfbp", [](const Rows& rows, Entry in) {
    for (const char* model : {"resnet50", "googlenet_caffe"}) {
      const Result row = rows.at({.schedule = "synceasgd", .workload = model});
      const auto size = static_cast<double>(row.row->configuration.bytes());
      const double formula = row.compute() + row.training().plan.cost.fit.line.at(size).count();
      in.number("{:.4f} of that", row.iteration() / formula, ours(1));
    }
  });
  e.prediction("the sum predicts our iterations; the paper prints no value");
  return e.finish();
}

Finding claim_26(const Runs& runs) {
  Evidence e("merging saves a unless the wait is longer");
  bool holds = true;
  for (double busy = 1; busy < 6; busy += 0.5) {
    for (double gap = 0.25; gap < 6; gap += 0.5) {
      for (const double bytes : {0.5, 2.0}) {
        const double start = std::max(busy, 1.0);
        const double wait = std::max(1 + gap - start, 0.0);
        const double gain = gain_of_merging(busy, gap, bytes);
        const bool hidden = start + 1 + bytes <= 1 + gap;    // case 1
        const double expected = hidden ? -bytes : 1 - wait;  // cases 2 to 4
        holds = holds && std::abs(gain - expected) < 1e-6;
      }
    }
  }
  e.theory().holds(holds, "cases 1 to 4 on 264 instances");
  e.simulated(runs, "mg-wfbp-figure10", [](const Rows& rows, Entry in) {
    for (const char* wiring : {"single-switch(8)", "single-switch(64)"}) {
      const Result row = rows.at({.wiring = wiring, .schedule = "mg-wfbp"});
      in.agrees(wiring, row.iteration(), ours(row.training().plan.predicted.iteration.count()));
    }
    in.say("merged layers take what the rules predict");
  });
  return e.finish();
}

Finding claim_27(const Runs& runs) {
  Evidence e(fmt::format("merge iff {}; optimal", printed("MGT-3")));
  const BackwardPass small = pass_of({1, 2, 4}, {1, 1, 1});
  const Iterations three = iterations(small, {Seconds(2), 1});
  e.theory().number("greedy {:.0f}", three.mg_wfbp, ours(9), 0);
  e.theory().number("best {:.0f}", three.optimum, ours(8), 0);
  e.theory().beside("{:.3f} of the best", three.mg_wfbp / three.optimum, paper(1));
  const BackwardPass& pass = googlenet_trace();
  bool never_worse = true;
  for (std::size_t workers = 2; workers <= 4096; workers *= 2) {
    const Iterations all = iterations(pass, schedule::ring(workers, kPlotted));
    never_worse = never_worse && all.mg_wfbp <= std::min(all.wfbp, all.synceasgd) + 1e-12;
  }
  e.theory().holds(never_worse, "never worse than WFBP and SyncEASGD");
  e.simulated(runs, "mg-wfbp-figure10", [&](const Rows& rows, Entry in) {
    for (const std::size_t n : {64u, 128u, 256u}) {
      const std::string wiring = fmt::format("single-switch({})", n);
      const double merged = rows.at({.wiring = wiring, .schedule = "mg-wfbp"}).iteration();
      const double best = rows.at({.wiring = wiring, .schedule = "optimum"}).iteration();
      const Iterations theory = iterations(pass, schedule::ring(n, kPlotted));
      in.beside("{:.3f} of the best", merged / best, paper(1));
      in.agrees(wiring, merged / best, ours(theory.mg_wfbp / theory.optimum), 0.02);
    }
  });
  for (const std::size_t n : {64u, 128u, 256u}) measure_against_optimum(e, runs, scaled_ring(n));
  e.differs(
      "the proof's Lemma 1 compares the end of one layer only; the rule is at most twice the "
      "optimum");
  return e.finish();
}

Finding claim_28(const Runs& /*runs*/) {
  Evidence e(fmt::format("{} of {} schedules", printed("MGT-5"), printed("MGT-4")));
  std::vector<double> ready, bytes;
  for (int i = 0; i < 12; ++i) {
    ready.push_back((ready.empty() ? 0 : ready.back()) + 1 + i * 7 % 5);
    bytes.push_back(1 + i * 5 % 7);
  }
  const BackwardPass pass = pass_of(ready, bytes);
  const Affine cost{Seconds(2), 0.5};
  std::size_t count = 0;
  const double least = least_of_all(pass, cost, count);
  const auto schedules = static_cast<double>(count);
  e.theory().beside("{} schedules of 12 layers", schedules, paper(std::pow(2, 12)));
  e.theory().counts("schedules", schedules, ours(std::pow(2, 11)));
  e.theory().agrees("O(L^2)", iteration(pass, schedule::optimum(pass, cost), cost), ours(least),
                    1e-9);
  e.theory().agrees("O(L)", iteration(pass, schedule::optimum_affine(pass, cost), cost),
                    ours(least), 1e-9);
  e.theory().say("their best found in O(L^2), and in O(L)");
  e.differs("2^(L-1), as the last layer has nothing to be merged into; the rule itself takes O(L)");
  return e.finish();
}

Finding claim_29(const Runs& runs) {
  Evidence e("the same averaged gradients, 13 epochs");
  e.measured(runs, "mg-wfbp", [](const Rows& rows, Entry in) {
    for (const char* schedule : {"none", "mg-wfbp"}) {
      const Result row = rows.at({.schedule = schedule});
      in.count(std::string(schedule) + ": {} elements wrong", row.wrong(), paper(0));
      in.counts("runs whose parameters differ", row.has_flag("diverged") ? 1 : 0, paper(0));
    }
  });
  e.partly("sums are compared, to the bit; nothing is trained for 13 epochs");
  return e.finish();
}

Finding claim_30(const Runs& runs) {
  Evidence e("push and pull each a + b M; no value");
  const Affine line = schedule::parameter_server(8, kPlotted);
  const Iterations all = iterations(googlenet_trace(), line);
  e.theory().number("{:.0f} us = 2 alpha", 1e6 * line.a.count(),
                    ours(2e6 * kPlotted.alpha.count()));
  e.theory().holds(all.mg_wfbp <= std::min(all.wfbp, all.synceasgd),
                   "merging is never slower with it", false);
  const auto judge = [](const Rows& rows, Entry in) { judge_line(in, rows, "ps"); };
  e.simulated(runs, "all-reduce-sizes", judge);
  e.measured(runs, "all-reduce-lines", judge);
  e.prediction(
      "times of a parameter server lie on a line, so merging applies; the paper prints no value, "
      "and that its rule is optimal there is Theorem 1 again (claim 27)");
  return e.finish();
}

}  // namespace gradwire::claims::mg_wfbp_claims
