#pragma once

#include <cstddef>

#include "collectives/member.h"
#include "core/plan.h"

/// From one rank to another over all their NICs at once: part p of k is addressed at port p of the
/// receiver, and leaves by the port from which the wiring goes there.
///
///     member 0   port 0 ──── part 0 ────> port 0   member 1      k NICs, one step:
///                port 1 ──── part 1 ────> port 1                 alpha + T_F/k
namespace gradwire::collectives::striped_send {

/// The member's Plan: member 0 sends all elements to member 1. One lane of one step. Requires a group
/// of two members.
[[nodiscard]] Plan plan(const Member& self, std::size_t elements);

/// 1/k with k = `ports`: the time in units of T_F when start-up costs nothing and parts share no
/// links.
[[nodiscard]] double closed_form(std::size_t ports);

}  // namespace gradwire::collectives::striped_send
