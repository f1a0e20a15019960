#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/extent.h"
#include "core/units.h"
#include "workloads/device.h"
#include "workloads/model.h"

/// The times of a model's forward and backward passes, layer by layer.
namespace gradwire::workloads {

/// Gradients that become ready together: one tensor, or the tensors of one layer of a trace.
struct Layer {
  std::string name;
  std::vector<std::size_t> tensors;  ///< elements of each tensor, in forward order
  Seconds forward{};
  Seconds backward{};

  /// The elements of all its tensors.
  [[nodiscard]] std::size_t elements() const;
};

/// The times of a model's layers, measured or derived.
struct Profile {
  std::string model;          ///< may be empty, for a trace without a model
  std::string source;         ///< one line: place and way of measuring, or of deriving
  bool measured = false;      ///< false: derived
  std::vector<Layer> layers;  ///< in forward order, at least one

  /// The elements of all layers.
  [[nodiscard]] std::size_t elements() const;
  /// The time of the forward pass through all layers.
  [[nodiscard]] Seconds forward() const;
  /// The time of the backward pass through all layers.
  [[nodiscard]] Seconds backward() const;
};

/// The origin of the times, to be shown next to them: "measured: ..." or "derived: ...".
[[nodiscard]] std::string provenance(const Profile& profile);

/// The default share of a device's peak that dense operations reach.
inline constexpr double kDefaultEfficiency = 0.35;

/// The assumptions of derive().
struct Derivation {
  Device device;
  std::size_t devices = 1;  ///< devices of one host, which share its batch evenly
  std::size_t batch = 1;    ///< samples per host and iteration
  double efficiency =
      kDefaultEfficiency;  ///< share of the peak that dense operations reach, in (0, 1]
};

/// A profile derived from counts: one layer per tensor.
///
///     forward  = batch max( 2 MACs / (efficiency peak), 8 B norm activations / bandwidth )
///     backward = batch max( 4 MACs / (efficiency peak), 12 B norm activations / bandwidth )
///
/// over all devices of the host. A backward pass has two products per forward one. A norm reads and
/// writes every activation, in backward reads two and writes one: memory, not arithmetic, decides.
/// MACs that read no tensor (attention scores) are added to the dense tensors' in proportion.
/// Biases and embeddings cost nothing of their own. Throws InputError for a batch or devices of 0
/// and an efficiency outside (0, 1].
[[nodiscard]] Profile derive(const Model& model, const Derivation& derivation);

/// The extent of each tensor's gradient in the buffer, in backward order (see extents_of(Model)).
[[nodiscard]] std::vector<Extent> tensor_extents(const Profile& profile);

}  // namespace gradwire::workloads
