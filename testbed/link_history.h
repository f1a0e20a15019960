#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "testbed/link_state.h"

namespace gradwire::testbed {

/// What happens to interfaces from one reading of their states to the next.
class LinkHistory {
 public:
  /// Something that has happened.
  struct Event {
    std::size_t interface = 0;  ///< as they were given
    std::string what;           ///< "p0 was down for 0.21 s"
    TimePoint when;             ///< when it was noticed that it is over
    bool lasts = false;         ///< the interface has been different ever since
  };
  /// An interface that cannot carry now what it should.
  struct Outage {
    std::size_t interface = 0;
    std::string what;  ///< "p0 is down"
    TimePoint since;   ///< when that was noticed
  };
  /// Whether an interface whose other end is down is down, too.
  enum class Carrier : bool { ignored, needed };

  LinkHistory(std::vector<std::string> interfaces, Carrier carrier);

  [[nodiscard]] const std::vector<std::string>& interfaces() const { return interfaces_; }

  /// The states at `time`, by interface. The first that are noted are how all should be: nothing
  /// has happened, but what is down is an outage.
  void note(std::span<const LinkState> states, TimePoint time);

  /// What is down as of the last states that were noted, by interface.
  [[nodiscard]] std::vector<Outage> outages() const;
  /// When the longest outage began; max without one.
  [[nodiscard]] TimePoint first_outage() const;
  /// What has happened since the last call, but for what was over before `since`.
  [[nodiscard]] std::vector<Event> take_events(TimePoint since);

 private:
  enum class Trouble { none, down, no_carrier, detached, small_mtu };
  struct Interface {
    LinkState first;
    LinkState last;
    Trouble trouble = Trouble::none;
    TimePoint since;            ///< of the trouble
    std::size_t small_mtu = 0;  ///< of a small MTU
  };

  [[nodiscard]] Trouble trouble_of(const LinkState& first, const LinkState& state) const;
  /// "p0 is down", or "p0 was down" once that is over.
  [[nodiscard]] std::string described(std::size_t interface, bool is_over) const;
  void note_trouble(std::size_t interface, const LinkState& state, TimePoint time);
  void note_settings(std::size_t interface, const LinkState& state, TimePoint time);

  std::vector<std::string> interfaces_;
  Carrier carrier_;
  std::vector<Interface> states_;  ///< empty before the first were noted
  std::vector<Event> events_;
};

}  // namespace gradwire::testbed
