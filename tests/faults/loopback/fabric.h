#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.h"
#include "tests/faults/loopback/incident.h"
#include "tests/faults/loopback/meddler.h"
#include "tests/faults/loopback/reference.h"
#include "tests/faults/loopback/saboteur.h"
#include "tests/faults/loopback/scenario.h"
#include "tests/faults/loopback/strangers.h"
#include "transport/cancellation.h"
#include "transport/loopback/rendezvous.h"

namespace gradwire::faults {

/// What the ranks of one run share: where they meet, and who stands between and before them.
class Fabric {
 public:
  /// The scenario must outlive it. `on_stop` is called when a rank stops for ever.
  Fabric(const Scenario& scenario, std::function<void()> on_stop)
      : scenario_(scenario),
        on_stop_(std::move(on_stop)),
        meeting_(scenario.ranks(), scenario.meeting),
        cancellations_(scenario.ranks()),
        reference_(scenario.contributors, scenario.elements, scenario.executions) {
    for (std::size_t i = 0; i < sizeof scenario.number; ++i) {
      key_[i] = static_cast<std::uint8_t>(scenario.number >> (8 * i));
    }
    if (scenario.stream) meddler_.emplace(*scenario.stream, incident_);
    if (scenario.visit) strangers_.emplace(*scenario.visit, key_, incident_);
    if (scenario.must == Must::name_all || scenario.odd_plan || scenario.clock_jumps) {
      incident_.note();
    }
  }

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] const transport::RunKey& key() const { return key_; }
  [[nodiscard]] transport::loopback::MeetingPoint& meeting() { return meeting_; }
  [[nodiscard]] transport::Cancellation& cancellation(Rank rank) {
    return cancellations_[rank.index()];
  }
  [[nodiscard]] Reference& reference() { return reference_; }
  [[nodiscard]] Incident& incident() { return incident_; }
  [[nodiscard]] Incident& wrong_found() { return wrong_found_; }
  [[nodiscard]] Release& release() { return release_; }
  [[nodiscard]] std::string claim() const { return strangers_ ? strangers_->answer() : ""; }

  [[nodiscard]] Saboteur::Options saboteur_of(Rank rank) {
    return {.self = rank,
            .faults = scenario_.rank_faults,
            .incident = incident_,
            .release = release_,
            .on_stop = on_stop_};
  }

  /// What happens where a rank meets the others.
  [[nodiscard]] SabotagedRendezvous::Hooks hooks_of(Rank rank);

  /// Tells all ranks to stop.
  void stop();

 private:
  const Scenario& scenario_;
  std::function<void()> on_stop_;
  transport::RunKey key_{0x42};
  transport::loopback::MeetingPoint meeting_;
  std::vector<transport::Cancellation> cancellations_;
  Reference reference_;
  Incident incident_;
  Incident wrong_found_;
  Release release_;
  std::optional<Meddler> meddler_;
  std::optional<Strangers> strangers_;
  std::vector<transport::tcp::Listening> doors_;  ///< of who is visited
};

}  // namespace gradwire::faults
