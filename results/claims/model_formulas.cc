#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "bml/plan.h"
#include "core/mtu.h"
#include "ps/plan.h"
#include "results/claims/formula_table.h"
#include "schedule/backward_pass.h"
#include "schedule/policy.h"
#include "schedule/timeline.h"
#include "testbed/shape.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"

/// Formulas of models and devices, and of the jobs of the BML paper's Figures 6 and 7.
namespace gradwire::claims {

/// Read once.
const workloads::Model& model_of(const std::string& name) {
  static std::map<std::string, workloads::Model> models;
  const auto found = models.find(name);
  if (found != models.end()) return found->second;
  return models.emplace(name, workloads::load_model(name)).first->second;
}

namespace {

/// A model's counts, those of its fully connected layers among them: their weights K N, the sum of
/// N + K, and their parameters with biases.
Numbers model(const std::string& name) {
  const workloads::Model& model = model_of(name);
  Numbers counts{{"tensors", real(model.tensors.size())},
                 {"elements", real(model.elements())},
                 {"macs", real(model.dense_forward_macs())},
                 {"norm_macs", 0},
                 {"dense_weights", 0},
                 {"dense_units", 0},
                 {"dense_parameters", 0}};
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const workloads::Tensor& tensor = model.tensors[i];
    if (tensor.is_norm()) counts["norm_macs"] += real(tensor.forward_macs);
    if (tensor.shape.size() != 2) continue;
    const bool is_last = i + 1 == model.tensors.size();
    counts["dense_weights"] += real(tensor.elements);
    counts["dense_units"] += real(tensor.shape[0] + tensor.shape[1]);
    counts["dense_parameters"] +=
        real(tensor.elements + (is_last ? 0 : model.tensors[i + 1].elements));
  }
  return counts;
}

std::size_t tensor_elements(const std::string& model, std::size_t tensor) {
  return model_of(model).tensors.at(tensor).elements;
}

/// Number of tensors of a model that have so many bytes.
std::ptrdiff_t tensors_of_bytes(const std::string& model, std::size_t bytes) {
  return std::ranges::count(model_of(model).tensors, bytes / 4, &workloads::Tensor::elements);
}

Numbers device(const std::string& name) {
  return {{"flops", workloads::find_device(name).flops},
          {"efficiency", workloads::kDefaultEfficiency}};
}

/// The payload's share of a link: what headers leave.
double payload_share() {
  return testbed::payload_fraction(kDefaultMtu);
}

/// A job of the BML paper's Figures 6 and 7 on BCube(3,2). The paper prints no formula of a job, and
/// neither its GPUs' times: they are derived from multiply-adds and an assumed share of the peak.
struct Job {
  const workloads::Model& model;
  std::uint64_t batch = 0;
  double efficiency = 0;
  bool overlaps =
      false;  ///< gradients are sent layer by layer, as section 4.1 says, not afterwards
};

/// An iteration: with "bml", or with servers of balanced shares or of whole tensors. A tensor that
/// is sent alone lies whole on one server, all others push to it and pull one after the other.
double iteration_of(const Job& job, std::string_view algorithm) {
  constexpr std::size_t kServers = 9;
  const double per_byte = 8 / (40e9 * testbed::payload_fraction(kDefaultMtu));
  const schedule::BackwardPass pass = schedule::backward_pass(
      workloads::derive(job.model, {.device = workloads::find_device("k40c"),
                                    .devices = 2,
                                    .batch = job.batch,
                                    .efficiency = job.efficiency}));
  const bool is_bml = algorithm == "bml", is_whole = algorithm == "ps(per-tensor)";
  if (job.overlaps) {
    const double alone = is_bml     ? bml::closed_form(3, 2)
                         : is_whole ? 2.0 * (kServers - 1)
                                    : two_t_f(kServers);
    return schedule::predict(pass, schedule::wfbp(pass), schedule::Affine{.b = alone * per_byte})
        .iteration.count();
  }
  ps::Options options;
  if (is_whole) {
    options = {.placement = ps::Placement::per_tensor, .tensors = workloads::extents_of(job.model)};
  }
  const double all =
      is_bml ? bml::closed_form(3, 2) : ps::closed_form(kServers, job.model.elements(), options);
  return pass.end.count() + 4 * real(job.model.elements()) * per_byte * all;
}

double share_of(const Job& job, std::string_view against) {
  return iteration_of(job, "bml") / iteration_of(job, against);
}

/// An iteration with BML as a share of one with another algorithm; "overlapped" or "afterwards".
double share(const std::string& model, std::size_t batch, double efficiency,
             const std::string& against, const std::string& sending) {
  return share_of({model_of(model), batch, efficiency, sending == "overlapped"}, against);
}

/// Percent by which jobs are shorter. What rounds to none is none, not "-0.0".
double reduction(double share) {
  constexpr double kNone = 0.05;
  const double percent = 100 * (1 - share);
  return std::abs(percent) < kNone ? 0 : percent;
}

/// The reductions of a model's jobs at the largest and the smallest batch against whole tensors on
/// servers, with the share of the peak that comes nearest to both printed ends, `low` and `high`.
/// `off` is the larger of the two deviations.
template <bool overlaps>
Numbers fit(const std::string& name, std::size_t largest, std::size_t smallest, double low,
            double high) {
  constexpr double kSmallest = 0.001, kStep = 1.03;
  const auto reduced = [&](std::size_t batch, double efficiency) {
    return 100 * (1 - share_of({model_of(name), batch, efficiency, overlaps}, "ps(per-tensor)"));
  };
  Numbers best{{"off", INFINITY}};
  for (double efficiency = kSmallest; efficiency <= 1; efficiency *= kStep) {
    const double at_largest = reduced(largest, efficiency);
    const double at_smallest = reduced(smallest, efficiency);
    const double off = std::max(std::abs(at_largest / low - 1), std::abs(at_smallest / high - 1));
    if (off >= best.at("off")) continue;
    best = {{"efficiency", efficiency}, {"low", at_largest}, {"high", at_smallest}, {"off", off}};
  }
  return best;
}

constexpr Formula kModelFormulas[] = {
    {"model", as<model>},
    {"tensor_elements", as<tensor_elements>},
    {"tensors_of_bytes", as<tensors_of_bytes>},
    {"device", as<device>},
    {"payload_share", as<payload_share>},
    {"share", as<share>},
    {"reduction", as<reduction>},
    {"fit_overlapped", as<fit<true>>},
    {"fit_afterwards", as<fit<false>>},
};

}  // namespace

std::span<const Formula> model_formulas() {
  return kModelFormulas;
}

}  // namespace gradwire::claims
