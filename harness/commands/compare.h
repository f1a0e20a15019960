#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire compare A B`, which compares two run folders point by point. Exits with 3 when
/// one of them has wrong data, else with 2 when something in them could not be read, else with 5
/// when their numbers cannot be compared (--anyway compares them nevertheless), else with 4 when a
/// gate failed.
void add_compare_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
