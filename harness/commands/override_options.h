#pragma once

#include <cstdint>
#include <string>

#include "harness/experiment/overrides.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Parses a number of the command line. Throws InputError, without a place, for anything but a
/// whole number from `least` to `most`.
[[nodiscard]] std::uint64_t parse_whole(const std::string& text, std::uint64_t least,
                                        std::uint64_t most);

/// Parses a dilation of the command line. Throws InputError, without a place, for anything but auto
/// and a factor that the experiment file accepts.
[[nodiscard]] experiment::Dilation parse_dilation(const std::string& text);

/// Adds -w/--warmup, -n/--iterations, --dilation, --rate, --seed, --timeout, --backing, --transport
/// and --inventory. They accept the same values as these keys of the experiment file. `overrides`
/// must outlive the parsing.
void add_override_options(CLI::App& app, experiment::Overrides& overrides);

}  // namespace gradwire::commands
