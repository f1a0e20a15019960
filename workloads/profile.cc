#include "workloads/profile.h"

#include <algorithm>
#include <cstdint>
#include <ranges>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

// Per multiply-add of the forward pass. The backward pass has two products: the gradient of the
// weight and that of the input.
constexpr double kForwardOperations = 2;
constexpr double kBackwardOperations = 4;
// Per activation of a norm, in float32: forward reads it and writes it; backward reads it and the
// gradient that comes in, and writes the one that goes out.
constexpr double kForwardNormBytes = 8;
constexpr double kBackwardNormBytes = 12;

void check(const Derivation& derivation) {
  if (derivation.batch == 0) throw InputError("batch must be at least 1");
  if (derivation.devices == 0) throw InputError("devices must be at least 1");
  // So written that NaN fails.
  if (!(derivation.efficiency > 0 && derivation.efficiency <= 1)) {
    throw InputError(
        fmt::format("efficiency must be above 0 and at most 1, not {}", derivation.efficiency));
  }
  ensure(derivation.device.flops > 0 && derivation.device.bandwidth > 0,
         "a device has a peak and a bandwidth above 0");
}

/// The factor by which dense tensors' operations grow when the operations that read no tensor are
/// added to them.
double share_of_other(const Model& model) {
  const auto dense = static_cast<double>(model.dense_forward_macs());
  return dense > 0 ? 1 + static_cast<double>(model.other_forward_macs) / dense : 1;
}

std::string describe(const Derivation& derivation) {
  return fmt::format("derived: {} {} at {} of {:.4g} Tflop/s float32, batch {} per host",
                     derivation.devices, derivation.device.name, derivation.efficiency,
                     derivation.device.flops / 1e12, derivation.batch);
}

}  // namespace

std::size_t Layer::elements() const {
  std::size_t sum = 0;
  for (const std::size_t tensor : tensors) sum += tensor;
  return sum;
}

std::size_t Profile::elements() const {
  std::size_t sum = 0;
  for (const Layer& layer : layers) sum += layer.elements();
  return sum;
}

Seconds Profile::forward() const {
  Seconds sum{};
  for (const Layer& layer : layers) sum += layer.forward;
  return sum;
}

Seconds Profile::backward() const {
  Seconds sum{};
  for (const Layer& layer : layers) sum += layer.backward;
  return sum;
}

std::string provenance(const Profile& profile) {
  return profile.measured ? "measured: " + profile.source : profile.source;
}

Profile derive(const Model& model, const Derivation& derivation) {
  check(derivation);
  const Device& device = derivation.device;
  const double share = share_of_other(model);
  const double samples =
      static_cast<double>(derivation.batch) / static_cast<double>(derivation.devices);
  const auto time = [&](const Tensor& tensor, double operations, double norm_bytes) {
    const auto macs = static_cast<double>(tensor.forward_macs);
    const double arithmetic = operations * macs / (derivation.efficiency * device.flops);
    if (!tensor.is_norm()) return Seconds(samples * share * arithmetic);
    return Seconds(samples * std::max(arithmetic, norm_bytes * macs / device.bandwidth));
  };
  Profile profile{.model = model.name, .source = describe(derivation)};
  for (const Tensor& tensor : model.tensors) {
    profile.layers.push_back({.name = tensor.name,
                              .tensors = {tensor.elements},
                              .forward = time(tensor, kForwardOperations, kForwardNormBytes),
                              .backward = time(tensor, kBackwardOperations, kBackwardNormBytes)});
  }
  return profile;
}

std::vector<Extent> tensor_extents(const Profile& profile) {
  std::vector<Extent> extents;
  std::size_t next = 0;
  for (const Layer& layer : std::views::reverse(profile.layers)) {
    for (const std::size_t elements : std::views::reverse(layer.tensors)) {
      extents.push_back({.first = next, .count = elements});
      next += elements;
    }
  }
  return extents;
}

}  // namespace gradwire::workloads
