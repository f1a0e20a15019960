#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/link_state.h"

namespace gradwire::testbed {

/// History of interfaces: changes from one reading of their states to the next.
class LinkHistory {
 public:
  /// Change that has happened.
  struct Event {
    std::size_t interface = 0;  ///< in the order of the names given
    std::string what;           ///< "p0 was down for 0.21 s"
    TimePoint when;             ///< when its end was noticed
    bool lasts = false;         ///< whether the interface has been different ever since
  };
  /// Interface that cannot carry now what it should.
  struct Outage {
    std::size_t interface = 0;
    std::string what;  ///< "p0 is down"
    TimePoint since;   ///< when that was noticed
  };
  /// Whether an interface counts as down when its other end is down.
  enum class Carrier : bool { ignored, needed };

  LinkHistory(std::vector<std::string> interfaces, Carrier carrier);

  [[nodiscard]] const std::vector<std::string>& interfaces() const { return interfaces_; }

  /// Notes the states at `time`, by interface. The first call defines how all should be: it gives
  /// no events, but interfaces that are down give outages.
  void note(std::span<const LinkState> states, TimePoint time);

  /// The interfaces that are down as of the last note(), in order.
  [[nodiscard]] std::vector<Outage> outages() const;
  /// The beginning of the longest outage; max without one.
  [[nodiscard]] TimePoint first_outage() const;
  /// The events since the last call, except those that were over before `since`.
  [[nodiscard]] std::vector<Event> take_events(TimePoint since);

 private:
  enum class Trouble { none, down, no_carrier, detached, small_mtu };
  struct Interface {
    LinkState first;
    LinkState last;
    Trouble trouble = Trouble::none;
    TimePoint since;            ///< beginning of the trouble
    std::size_t small_mtu = 0;  ///< MTU during the trouble small_mtu
  };

  [[nodiscard]] Trouble trouble_of(const LinkState& first, const LinkState& state) const;
  /// Describes a trouble: "p0 is down", or "p0 was down" once it is over.
  [[nodiscard]] std::string described(std::size_t interface, bool is_over) const;
  void note_trouble(std::size_t interface, const LinkState& state, TimePoint time);
  void note_settings(std::size_t interface, const LinkState& state, TimePoint time);

  std::vector<std::string> interfaces_;
  Carrier carrier_;
  std::vector<Interface> states_;  ///< empty before the first note()
  std::vector<Event> events_;
};

}  // namespace gradwire::testbed
