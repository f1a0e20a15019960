#pragma once

#include "harness/experiment/overrides.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds -w/--warmup, -n/--iterations, --dilation, --rate, --seed, --timeout, --backing,
/// --transport and --inventory, which accept what the experiment file accepts for these keys.
/// `overrides` must outlive the parsing.
void add_override_options(CLI::App& app, experiment::Overrides& overrides);

}  // namespace gradwire::commands
