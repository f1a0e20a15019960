#pragma once

#include "core/plan.h"

/// The bytes that arrive at one port before anything can slow their senders down. Flows that share
/// links max-min fair lose none of them; a switch that drops bytes beyond its buffer does.
namespace gradwire::simulator {

/// The bytes that a buffer must hold in the worst step of a Plan, for the worst port of its rank.
/// They are every sender's first window, or all its bytes if those are less, except the largest of
/// these, which leaves while the others arrive. 0 with a single sender for each port. Ports of
/// switches that several hosts share on the way are ignored. `window` is bytes, and so is an
/// element's size `element_bytes`.
[[nodiscard]] double largest_onrush(const Plan& plan, double window, double element_bytes);

}  // namespace gradwire::simulator
