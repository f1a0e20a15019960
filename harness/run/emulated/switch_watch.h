#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.h"
#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/emulation.h"
#include "testbed/link_history.h"
#include "testbed/link_state.h"
#include "topologies/topology.h"

namespace gradwire::run {

/// Watches the switches of an emulated wiring, and their ends of its cables, for the process that
/// built them. Ranks watch their own ends, but of a switch that is set down, or that lets go of a
/// cable, they only notice silence. Costs a system call per namespace when there is no news.
class SwitchWatch {
 public:
  /// Switches as they are now are as they should be. Emulation and clock must outlive it. Throws
  /// SystemError.
  SwitchWatch(const testbed::Emulation& emulation,
              std::shared_ptr<const topologies::Topology> topology, const Clock& clock);

  /// Finds what has been down for at least so long: a switch with the ports behind it, or the ends
  /// of cables of one switch, with the ranks at their other ends. Looks at most every 20 ms. Throws
  /// SystemError.
  [[nodiscard]] std::optional<FabricError> find_down(Nanoseconds at_least);

  /// Changes since the last call, but for what was over before `since`, in words. Throws
  /// SystemError.
  [[nodiscard]] std::vector<std::string> take_changes(TimePoint since);

 private:
  using Interface = testbed::Emulation::SwitchInterface;
  struct Space {
    FileDescriptor news;
    testbed::LinkReader reader;
    std::vector<Interface> interfaces;
    testbed::LinkHistory history;
  };

  void look();
  /// Error that tells of outages in one namespace that are long enough. Requires one.
  [[nodiscard]] FabricError down(const Space& space,
                                 const std::vector<testbed::LinkHistory::Outage>& outages) const;
  /// "level 0 switch 1"
  [[nodiscard]] std::string switch_of(const Interface& interface) const;
  /// "rank 2, port 0", or the switch at the other end of its cable.
  [[nodiscard]] std::string far_end(const Interface& interface) const;

  std::shared_ptr<const topologies::Topology> topology_;
  const Clock& clock_;
  std::vector<Space> spaces_;
  TimePoint looked_ = TimePoint::min();
};

}  // namespace gradwire::run
