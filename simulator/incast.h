#pragma once

#include "core/plan.h"

/// How much arrives at one port before anything can slow its senders down. Flows that share links
/// max-min fair lose nothing, whatever it is; a switch that drops what does not fit does.
namespace gradwire::simulator {

/// The bytes that a buffer must hold in the worst step of a Plan, for the worst port of its rank:
/// every sender's first window, or what it has to send if that is less, but for the largest of them,
/// which leaves while the others arrive. 0 with a single sender for each port. Ports of switches
/// that several hosts share on the way are not looked at. `window` is bytes, and so is an element's
/// size `element_bytes`.
[[nodiscard]] double largest_onrush(const Plan& plan, double window, double element_bytes);

}  // namespace gradwire::simulator
