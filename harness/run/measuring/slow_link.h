#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbed/calibration.h"
#include "topologies/topology.h"

/// Blame for a link that does not carry its rate, from what it and its neighbours carried.
/// Pure: calibrate.h measures. Rates are payload bytes per second.
namespace gradwire::run {

/// A link further off its rate than this fails the run.
inline constexpr double kLinkTolerance = 0.05;

/// Distance of a rate from the expected one, as a share of it: never negative, and 0 where nothing
/// is expected (infinity).
[[nodiscard]] double off_rate(double measured, double expected);

/// A link that stayed off its rate.
struct OffLink {
  testbed::Flow flow;
  std::vector<double> rates;  ///< rates of all times that it was measured; not empty
  /// Rate at which the same port sends to another host; nothing where there is no other, or it was
  /// not tried.
  std::optional<double> sends = {};
  /// Rate at which the same port receives from another host; nothing as for `sends`.
  std::optional<double> receives = {};
};

enum class Blame {
  machine,   ///< it was too busy: the link was now slower and now faster
  link,      ///< the link itself, no matter which of its ends
  sender,    ///< the sender's end: it is as slow to another host, and another reaches the receiver
  receiver,  ///< the receiver's end: the other way round
};

/// A link that is slow itself never gets past what it carries, so that the fastest of its
/// measurements, at least three, agree within 4 %; a busy machine is busy now more and now less.
[[nodiscard]] Blame blame(const OffLink& link, double expected);

/// The rate of those measured that is closest to the expected one.
[[nodiscard]] double closest_rate(const OffLink& link, double expected);

/// A flow from the port that sends `flow` to another host, or from another host to the port that
/// receives it. Nothing where the wiring has none that is a single hop between two hosts' ports.
[[nodiscard]] std::optional<testbed::Flow> same_sender(const topologies::Topology& topology,
                                                       const testbed::Flow& flow);
[[nodiscard]] std::optional<testbed::Flow> same_receiver(const topologies::Topology& topology,
                                                         const testbed::Flow& flow);

/// Sentence, without an end, that says who is to blame, with rank, port and figures.
[[nodiscard]] std::string describe(const OffLink& link, double expected, Blame whom);

}  // namespace gradwire::run
