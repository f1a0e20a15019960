#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/workers/culprit.h"
#include "tests/faults/loopback/fabric.h"
#include "tests/faults/loopback/run.h"
#include "tests/faults/loopback/saboteur.h"

namespace gradwire::faults {

/// How a rank's life ended.
struct RankEnding {
  bool completed = false;
  bool is_dead = false;
  bool has_stopped = false;
  std::optional<workers::Failure> failure;  ///< what it says itself
};

/// What one rank does, in the order of a worker: agrees on the Plans, connects, and executes again
/// and again, verifying each time.
class RankLife {
 public:
  /// The fabric must outlive it.
  RankLife(Fabric& fabric, Rank self)
      : fabric_(fabric), self_(self), saboteur_(fabric.saboteur_of(self)) {}

  /// Blocks until it has ended.
  [[nodiscard]] RankEnding live();
  [[nodiscard]] const std::vector<SumCheck>& checks() const { return checks_; }
  /// "at meeting 4, after 17 operations". Any thread may ask.
  [[nodiscard]] std::string where() const;

 private:
  void work();
  void fill(std::size_t execution, std::span<float> gradient) const;
  void verify(std::size_t execution, std::span<const float> gradient);
  [[nodiscard]] std::vector<std::unique_ptr<transport::Endpoint>> connect(
      std::span<float> gradient, transport::Rendezvous& rendezvous);

  Fabric& fabric_;
  Rank self_;
  Saboteur saboteur_;
  SteadyClock clock_;
  std::vector<SumCheck> checks_;
};

}  // namespace gradwire::faults
