#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire topo`, which shows wirings, computes their costs and exports them, and `topo
/// inventory` (harness/commands/topo_inventory.h). Results go to stdout, or to the file of `export
/// -o`, which is written whole or not at all. Sets `exit_code`, which must outlive `app`'s parsing.
/// Parsing throws InputError for a wiring that does not exist or cannot be, SystemError when the
/// output cannot be written.
void add_topo_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
