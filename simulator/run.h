#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/fabric.h"
#include "simulator/machine.h"
#include "simulator/simulation.h"

namespace gradwire::simulator {

/// One simulation, from its first moment to its last: simulate() of simulation.h, whose arguments
/// it refers to. One collective has the machine for itself.
class Run final : private Driver {
 public:
  Run(const Fabric& fabric, const PlanOfActor& plan_of, std::span<const double> ready,
      const NetworkModel& model, const SimulationOptions& options);

  [[nodiscard]] Outcome run();

 private:
  /// Notes that the actor's stage is over, and sets an alarm for its next one.
  void on_stage_done(std::uint32_t collective, std::size_t actor) override;
  /// Begins the actor's next stage.
  void on_alarm(const Alarm& alarm) override;
  void report();

  const Fabric& fabric_;
  const SimulationOptions& options_;
  std::span<const double> ready_;
  Machine machine_;
  std::uint32_t collective_;
  std::size_t actors_left_;
  std::uint64_t messages_in_all_;
  std::uint64_t report_at_ = 0;  ///< when so much work is done
  Outcome outcome_;
};

}  // namespace gradwire::simulator
