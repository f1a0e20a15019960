#pragma once

#include <string>

#include "workloads/profile.h"

/// Computing times drawn as text.
namespace gradwire::report {

/// The backward pass of a profile, a line for each layer in the order in which gradients become ready: its bytes in
/// float32, how long it computes, when it is ready since the backward pass began, which share of the pass's time has then
/// passed, which share of all bytes is then ready, and a bar from its begin to its end. Ends with a newline.
[[nodiscard]] std::string draw_profile(const workloads::Profile& profile);

}  // namespace gradwire::report
