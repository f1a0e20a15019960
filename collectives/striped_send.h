#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/plan.h"

/// A send from one rank to another over several NICs at once: each part is addressed at one port of
/// the receiver, and leaves by the port from which the wiring goes there.
///
///     member 0   port 0 ──── part 0 ────> port 0   member 1      k NICs, one step:
///                port 1 ──── part 1 ────> port 1                 alpha + T_F/k
///
/// k counts the ports of the receiver that the wiring's routes from the sender arrive at: on a
/// BCube one for each digit in which the two differ.
namespace gradwire::collectives::striped_send {

/// The member's Plan: member 0 sends all elements to member 1. One lane of one step. Requires a
/// group of two members.
[[nodiscard]] Plan plan(const Member& self, std::size_t elements);

/// The time in units of T_F, 1/k with k = `ports`, when start-up costs nothing and parts share no
/// links.
[[nodiscard]] double closed_form(std::size_t ports);

}  // namespace gradwire::collectives::striped_send
