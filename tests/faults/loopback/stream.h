#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tests/faults/loopback/incident.h"
#include "tests/faults/loopback/scenario.h"

namespace gradwire::faults {

/// One direction of a connection that a fault meets: cuts what comes into units, two of the
/// handshake and then frames, and passes each on as the fault wants it.
class Stream {
 public:
  /// Both must outlive it.
  Stream(const StreamFault& fault, Incident& incident) : fault_(fault), incident_(incident) {}

  /// What goes on of what has come. What is no whole unit yet waits.
  [[nodiscard]] std::string take(std::string_view arrived);
  /// Whether the connection is to close behind what take() returned.
  [[nodiscard]] bool is_cut() const { return is_cut_; }

 private:
  [[nodiscard]] std::size_t size_of(std::size_t unit) const;
  [[nodiscard]] std::string pass(std::string unit);
  [[nodiscard]] std::string strike(std::string unit);

  const StreamFault& fault_;
  Incident& incident_;
  std::string waiting_;  ///< the beginning of a unit
  std::string kept_;     ///< a unit to come again, or later
  std::size_t unit_ = 0;
  bool is_silent_ = false;
  bool is_cut_ = false;
};

}  // namespace gradwire::faults
