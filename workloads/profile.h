#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/extent.h"
#include "core/units.h"
#include "workloads/device.h"
#include "workloads/model.h"

/// How long a model's forward and backward passes take, layer by layer.
namespace gradwire::workloads {

/// Gradients that become ready together: one tensor, or the tensors of what the trace calls a
/// layer.
struct Layer {
  std::string name;
  std::vector<std::size_t> tensors;  ///< elements of each, in forward order
  Seconds forward{};
  Seconds backward{};

  /// Elements of all its tensors.
  [[nodiscard]] std::size_t elements() const;
};

/// The times of a model's layers, measured or derived.
struct Profile {
  std::string model;          ///< may be empty: a trace that stands for itself
  std::string source;         ///< one line: measured where and how, or derived from what
  bool measured = false;      ///< or derived
  std::vector<Layer> layers;  ///< in forward order, at least one

  /// Elements of all layers.
  [[nodiscard]] std::size_t elements() const;
  /// Time of the forward pass through all layers.
  [[nodiscard]] Seconds forward() const;
  /// Time of the backward pass through all layers.
  [[nodiscard]] Seconds backward() const;
};

/// "measured: ..." or "derived: ...", for wherever times are shown.
[[nodiscard]] std::string provenance(const Profile& profile);

/// The share of a device's peak that dense operations reach where nothing else is said.
inline constexpr double kDefaultEfficiency = 0.35;

/// What derive() assumes.
struct Derivation {
  Device device;
  std::size_t devices = 1;  ///< of one host, which share its batch evenly
  std::size_t batch = 1;    ///< samples per host and iteration
  double efficiency =
      kDefaultEfficiency;  ///< share of the peak that dense operations reach, in (0, 1]
};

/// A profile from counts: one layer per tensor.
///
///     forward  = batch max( 2 MACs / (efficiency peak), 8 B norm activations / bandwidth )
///     backward = batch max( 4 MACs / (efficiency peak), 12 B norm activations / bandwidth )
///
/// over all devices of the host. A backward pass has two products per forward one. A norm reads
/// and writes every activation, in backward reads two and writes one: memory, not arithmetic,
/// decides. MACs that read no tensor (attention scores) are added to the dense tensors' in
/// proportion. Biases and embeddings cost nothing of their own. Throws InputError for a batch or
/// devices of 0 and an efficiency outside (0, 1].
[[nodiscard]] Profile derive(const Model& model, const Derivation& derivation);

/// Where each tensor's gradient lies in the buffer, in backward order (see extents_of(Model)).
[[nodiscard]] std::vector<Extent> tensor_extents(const Profile& profile);

}  // namespace gradwire::workloads
