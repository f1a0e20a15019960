#pragma once

#include <string>

#include "workloads/profile.h"

/// Drawings of computing times as text.
namespace gradwire::report {

/// The backward pass of a profile, a line for each layer in the order in which gradients become
/// ready: its bytes in float32, how long it computes, when it is ready since the backward pass
/// began, the share of the pass's time that has then passed, the share of all bytes that is then
/// ready, and a bar from its begin to its end. Ends with a newline.
[[nodiscard]] std::string draw_profile(const workloads::Profile& profile);

}  // namespace gradwire::report
