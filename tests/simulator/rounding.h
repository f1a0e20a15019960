#pragma once

namespace gradwire::simulator {

/// How far two times may be apart, relatively, that are the same but for rounding.
inline constexpr double kRounding = 1e-9;

}  // namespace gradwire::simulator
