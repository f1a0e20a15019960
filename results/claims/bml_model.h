#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

/// What the BML paper's training jobs (Figures 6 and 7) take by formulas. The paper prints none for
/// a job, and neither its GPUs' times: they are derived from multiply-adds and an assumed share of
/// the peak.
namespace gradwire::claims::bml_claims {

inline constexpr std::string_view kBalanced = "ps";
inline constexpr std::string_view kPerTensor = "ps(per-tensor)";

/// An experiment of the paper's: model, batches, and how well its two GPUs are assumed to be used.
struct Figure {
  const char* experiment;
  const char* model;
  double efficiency;                   ///< the experiment file's
  std::vector<std::uint64_t> batches;  ///< rising
  const char* reductions;              ///< the printed range (results/reference/bml.json)
};

[[nodiscard]] const Figure& figure6();
[[nodiscard]] const Figure& figure7();

/// Whether gradients are sent while others are computed.
enum class Sending : std::uint8_t {
  afterwards,  ///< all of them after the backward pass
  overlapped,  ///< layer by layer, as section 4.1 says
};

/// A job: its figure, its batch, and the share of the peak that its GPUs reach.
struct Job {
  const Figure* figure = nullptr;
  std::uint64_t batch = 0;
  double efficiency = 0;
};

/// An iteration with BML on BCube(3,2), as a share of one with the parameter server `against`.
[[nodiscard]] double share(const Job& job, std::string_view against, Sending sending);

/// The reductions of JCT, in percent, at the largest batch and at the smallest, against whole
/// tensors on servers, with the share of the peak that comes nearest to both printed ends.
struct Fitted {
  double efficiency = 0;
  double low = 0;
  double high = 0;
  double off = 0;  ///< the larger of the two deviations, a share of what is printed
};

[[nodiscard]] Fitted fit(const Figure& figure, Sending sending);

}  // namespace gradwire::claims::bml_claims
