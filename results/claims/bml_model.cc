#include "results/claims/bml_model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "bml/plan.h"
#include "core/mtu.h"
#include "ps/plan.h"
#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "testbed/shape.h"
#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/profile.h"

namespace gradwire::claims::bml_claims {
namespace {

constexpr std::size_t kServers = 9;

double seconds_per_byte() {
  return 8 / (40e9 * testbed::payload_fraction(kDefaultMtu));
}

/// Read once: a fit asks for it hundreds of times.
const workloads::Model& model_of(const Figure& figure) {
  static std::map<std::string_view, workloads::Model> models;
  const auto found = models.find(figure.model);
  if (found != models.end()) return found->second;
  return models.emplace(figure.model, workloads::load_model(figure.model)).first->second;
}

schedule::BackwardPass pass_of(const Job& job) {
  return schedule::backward_pass(
      workloads::derive(model_of(*job.figure), {.device = workloads::find_device("k40c"),
                                                .devices = 2,
                                                .batch = job.batch,
                                                .efficiency = job.efficiency}));
}

/// A synchronization of the whole gradient, in T_F.
double whole(const workloads::Model& model, std::string_view algorithm) {
  if (algorithm == "bml") return bml::closed_form(3, 2);
  ps::Options options;
  if (algorithm == kPerTensor) {
    options = {.placement = ps::Placement::per_tensor, .tensors = workloads::extents_of(model)};
  }
  return ps::closed_form(kServers, model.elements(), options);
}

/// A synchronization of one tensor, in units of the time that its bytes take: whole on one server,
/// all others push to it and pull from it one after the other.
double single(std::string_view algorithm) {
  if (algorithm == "bml") return bml::closed_form(3, 2);
  return algorithm == kPerTensor ? 2.0 * (kServers - 1) : two_t_f(kServers);
}

double iteration_of(const Job& job, std::string_view algorithm, Sending sending) {
  const schedule::BackwardPass pass = pass_of(job);
  if (sending == Sending::overlapped) {
    return iteration(pass, schedule::wfbp(pass), {.b = single(algorithm) * seconds_per_byte()});
  }
  const workloads::Model& model = model_of(*job.figure);
  const double t_f = 4 * static_cast<double>(model.elements()) * seconds_per_byte();
  return pass.end.count() + t_f * whole(model, algorithm);
}

/// The reductions with one share of the peak.
Fitted reductions(const Figure& figure, Sending sending, double efficiency) {
  const auto reduction = [&](std::uint64_t batch) {
    return 100 * (1 - share({&figure, batch, efficiency}, kPerTensor, sending));
  };
  Fitted fitted{.efficiency = efficiency,
                .low = reduction(figure.batches.back()),
                .high = reduction(figure.batches.front())};
  fitted.off = std::max(std::abs(fitted.low / number_of(figure.reductions, 0) - 1),
                        std::abs(fitted.high / number_of(figure.reductions, 1) - 1));
  return fitted;
}

}  // namespace

const Figure& figure6() {
  static const Figure figure{"bml-figure6", "lenet5", 0.052, {128, 256, 512, 1024}, "BML-33"};
  return figure;
}

const Figure& figure7() {
  static const Figure figure{
      "bml-figure7", "vgg19", workloads::kDefaultEfficiency, {16, 32, 64}, "BML-36"};
  return figure;
}

double share(const Job& job, std::string_view against, Sending sending) {
  return iteration_of(job, "bml", sending) / iteration_of(job, against, sending);
}

Fitted fit(const Figure& figure, Sending sending) {
  constexpr double kSmallest = 0.001, kStep = 1.03;
  Fitted best{.off = INFINITY};
  for (double efficiency = kSmallest; efficiency <= 1; efficiency *= kStep) {
    const Fitted fitted = reductions(figure, sending, efficiency);
    if (fitted.off < best.off) best = fitted;
  }
  return best;
}

}  // namespace gradwire::claims::bml_claims
