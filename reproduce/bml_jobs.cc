#include "reproduce/bml_jobs.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bml/plan.h"
#include "core/mtu.h"
#include "ps/plan.h"
#include "reproduce/evidence.h"
#include "testbed/shape.h"
#include "workloads/model.h"
#include "workloads/profile.h"

namespace gradwire::reproduce::bml_claims {
namespace {

constexpr std::size_t kServers = 9;
constexpr std::string_view kBalanced = "ps";
constexpr std::string_view kPerTensor = "ps(per-tensor)";

/// An experiment of the paper's: model, batches, and how well its two GPUs are assumed to be used.
struct Figure {
  const char* experiment;
  const char* model;
  double efficiency;  ///< the experiment file's
  std::vector<std::uint64_t> batches;
};

const Figure& figure6() {
  static const Figure figure{"bml-figure6", "lenet5", 0.052, {128, 256, 512, 1024}};
  return figure;
}

const Figure& figure7() {
  static const Figure figure{"bml-figure7", "vgg19", workloads::kDefaultEfficiency, {16, 32, 64}};
  return figure;
}

/// JCT reduction in percent, as the paper's formula has it: (GST_PS - GST_BML)/(t_comp + GST_PS).
double reduction(const Figure& figure, std::string_view against, std::uint64_t batch) {
  const workloads::Model model = workloads::load_model(figure.model);
  const workloads::Profile profile =
      workloads::derive(model, {.device = workloads::find_device("k40c"),
                                .devices = 2,
                                .batch = batch,
                                .efficiency = figure.efficiency});
  const double compute = profile.forward().count() + profile.backward().count();
  const double payload = 40e9 / 8 * testbed::payload_fraction(kDefaultMtu);
  const double t_f = 4 * static_cast<double>(model.elements()) / payload;
  ps::Options options;
  if (against == kPerTensor) {
    options = {.placement = ps::Placement::per_tensor, .tensors = workloads::extents_of(model)};
  }
  const double ps = t_f * ps::closed_form(kServers, model.elements(), options);
  return 100 * (ps - t_f * bml::closed_form(3, 2)) / (compute + ps);
}

/// The same from runs.
double reduction(const Rows& rows, std::string_view against, std::uint64_t batch) {
  const double bml = rows.at({.algorithm = "bml", .batch = batch}).iteration();
  return 100 * (1 - bml / rows.at({.algorithm = against, .batch = batch}).iteration());
}

template <class Source>
std::vector<double> reductions(const Source& source, const Figure& figure,
                               std::string_view against) {
  std::vector<double> all;
  for (const std::uint64_t batch : figure.batches) {
    all.push_back(reduction(source, against, batch));
  }
  return all;
}

/// From the largest batch to the smallest against whole tensors, beside the published range.
void against_range(Entry in, const std::vector<double>& per_tensor, const char* id) {
  constexpr double kAssumed = 0.25;  // computing times are
  in.number("{:.1f}", per_tensor.back(), number_of(id, 0), kAssumed);
  in.number("to {:.1f} %", per_tensor.front(), number_of(id, 1), kAssumed);
}

Finding published_range(const Runs& runs, const Figure& figure, const char* id) {
  Evidence e(printed(id));
  against_range(e.theory(), reductions(figure, figure, kPerTensor), id);
  e.both(runs, figure.experiment, [&](const Rows& rows, Entry in) {
    against_range(in, reductions(rows, figure, kPerTensor), id);
    const std::vector<double> balanced = reductions(rows, figure, kBalanced);
    in.say(fmt::format("balanced {:.1f}-{:.1f} %", balanced.back(), balanced.front()));
  });
  e.partly(
      fmt::format("both ends within 25 %, against whole tensors on servers, with GPUs assumed at "
                  "{:.1f} % of their peak; their times are not published",
                  100 * figure.efficiency));
  return e.finish();
}

bool falls(const std::vector<double>& values) {
  return std::ranges::is_sorted(values, std::greater<>());
}

}  // namespace

Finding claim_15(const Runs& runs) {
  return published_range(runs, figure6(), "BML-33");
}

Finding claim_16(const Runs& runs) {
  return published_range(runs, figure7(), "BML-36");
}

Finding claim_17(const Runs& runs) {
  Evidence e("smaller batch, larger gain");
  for (const Figure* figure : {&figure6(), &figure7()}) {
    const auto judge = [figure](const auto& source, Entry in) {
      for (const std::string_view against : {kBalanced, kPerTensor}) {
        in.holds(falls(reductions(source, *figure, against)),
                 fmt::format("{} falls as batches grow", figure->model));
      }
    };
    judge(*figure, e.theory());
    e.both(runs, figure->experiment, judge);
  }
  return e.finish();
}

Finding claim_18(const Runs& runs) {
  Evidence e(fmt::format("{}; above by placement", printed("BML-34")));
  for (const Figure* figure : {&figure6(), &figure7()}) {
    const auto judge = [figure](const auto& source, Entry in) {
      const std::vector<double> balanced = reductions(source, *figure, kBalanced);
      const double most = reductions(source, *figure, kPerTensor).front();
      in.holds(balanced.back() > 0 && balanced.front() < number_of("BML-34", 1),
               fmt::format("{} balanced {:.1f}-{:.1f} %", figure->model, balanced.back(),
                           balanced.front()));
      in.holds(most > number_of("BML-34", 1), fmt::format("whole tensors {:.1f} %", most));
    };
    judge(*figure, e.theory());
    e.both(runs, figure->experiment, judge);
  }
  return e.finish();
}

}  // namespace gradwire::reproduce::bml_claims
