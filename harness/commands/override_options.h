#pragma once

#include <string>

#include "harness/experiment/overrides.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Parses a dilation of the command line. Throws InputError, without a place, for anything but auto
/// and a factor that the experiment file accepts.
[[nodiscard]] experiment::Dilation parse_dilation(const std::string& text);

/// Parses a time of the command line. Throws InputError, without a place, for 0 and for what is no
/// time.
[[nodiscard]] Nanoseconds parse_positive_duration(const std::string& text);

/// Adds -w/--warmup, -n/--iterations, --dilation, --rate, --seed, --timeout, --backing, --transport
/// and --inventory. They accept the same values as these keys of the experiment file. `overrides`
/// must outlive the parsing.
void add_override_options(CLI::App& app, experiment::Overrides& overrides);

}  // namespace gradwire::commands
