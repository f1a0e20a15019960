#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "simulator/fabric.h"
#include "simulator/machine.h"
#include "simulator/simulation.h"

namespace gradwire::simulator {

/// One simulation, from its first moment to its last: simulate() of simulation.h, to whose fabric
/// and options it refers. The stages have the machine to themselves.
class Run final : private Driver {
 public:
  Run(const Fabric& fabric, std::vector<Stage> stages, const NetworkModel& model,
      const SimulationOptions& options);

  [[nodiscard]] Outcome run();

 private:
  /// A stage that some actor has begun, and not all have ended.
  struct UnderWay {
    std::uint32_t collective = 0;  ///< number in the machine
    std::size_t actors_left = 0;
  };

  /// Notes that the actor's stage is over, and sets an alarm for its next one.
  void on_end(std::uint32_t collective, std::size_t actor) override;
  /// Begins the actor's next stage.
  void on_alarm(const Alarm& alarm) override;
  /// The stage of this number, which is added to the machine if the actor is the first to begin it.
  UnderWay& stage(std::size_t number);
  /// Takes the stages that are over out of the machine.
  void retire_stages();
  void report();

  const Fabric& fabric_;
  const SimulationOptions& options_;
  double element_bytes_;
  std::vector<Stage> stages_;
  Machine machine_;
  std::size_t over_ = 0;              ///< number of stages at the front that all actors have ended
  std::deque<UnderWay> under_way_;    ///< the stages after them
  std::vector<std::size_t> current_;  ///< by actor: its stage
  std::uint64_t messages_in_all_ = 0;
  std::uint64_t report_at_ = 0;  ///< amount of work at the next report
  Outcome outcome_;
};

}  // namespace gradwire::simulator
