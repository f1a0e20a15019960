#pragma once

#include <string>

/// The speed of a cable, in multiples of the experiment's link rate.
namespace gradwire::topologies {

inline constexpr double kMinSpeed = 0.001;
inline constexpr double kMaxSpeed = 10'000;

/// The end of a wiring's canonical name for a speed: "" for 1, or ",speed=2.5".
[[nodiscard]] std::string speed_suffix(double speed);

}  // namespace gradwire::topologies
