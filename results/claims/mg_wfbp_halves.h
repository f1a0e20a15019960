#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "results/claims/evidence.h"
#include "results/claims/formulas.h"
#include "results/claims/runs.h"
#include "schedule/backward_pass.h"

/// The two models of MG-WFBP's Figures 6 to 8, 10 and 11. GoogLeNet's trace is the authors'. They
/// have published none of ResNet-50: its layers' times are derived, and are together so long that
/// WFBP on 64 workers reaches the efficiency that is printed.
namespace gradwire::claims::mg_wfbp_claims {

/// How many nodes Figures 6 to 8 have.
inline constexpr std::size_t kNodes[] = {2, 4, 8};

/// One of the models. Texts that begin with MGT are ids of what the paper prints.
struct Half {
  std::string name;  ///< "GoogLeNet"
  bool is_derived = false;
  const schedule::BackwardPass* pass = nullptr;  ///< lives as long as the program
  const char* figure10 = nullptr;                ///< the experiment
  const char* figure11 = nullptr;
  const char* base = nullptr;  ///< images per second on one node, as the authors typed them
  const char* wfbp = nullptr;  ///< on kNodes
  const char* merged = nullptr;
  const char* synceasgd = nullptr;
  const char* messages = nullptr;  ///< of MG-WFBP, 4 to 2048 workers
  const char* over_wfbp = nullptr;
  const char* over_synceasgd = nullptr;  ///< MG-WFBP's gains with 64 workers

  /// What stands before a number of it: "ResNet-50 "; GoogLeNet's stand without a label.
  [[nodiscard]] std::string label() const { return is_derived ? name + " " : ""; }
};

[[nodiscard]] const Half& googlenet();
[[nodiscard]] const Half& resnet();
/// Both, GoogLeNet first.
[[nodiscard]] std::array<const Half*, 2> halves();

/// What claims with both of them say of ResNet-50.
inline constexpr const char* kDerived =
    "ResNet-50's trace is not published: its times are derived, and so long that WFBP reaches "
    "the 55 % that are printed of 64 workers (14 % less than by its throughput on a node)";

/// Of a measured column, where eight hosts stand for other numbers of workers.
inline constexpr const char* kHidden =
    "; measured with half of the start-up time, as bursts hide the rest";

/// Names the free parameter of ResNet-50's times.
void say_derived(Evidence& e);

/// A model's iterations with a ring of `workers`, as Figure 10 has them.
[[nodiscard]] Iterations figure10(const Half& half, std::size_t workers);

/// Its iterations with double binary trees of `workers`.
[[nodiscard]] Iterations figure11(const Half& half, std::size_t workers);

/// The iterations of a run of Figure 10 or 11 with so many workers.
[[nodiscard]] Iterations with_workers(const Rows& rows, std::size_t workers);

/// Holds what a simulation gains against what formulas say: 2 % are allowed.
void agree_with_theory(Entry in, const Iterations& all, const Iterations& theory);

}  // namespace gradwire::claims::mg_wfbp_claims
