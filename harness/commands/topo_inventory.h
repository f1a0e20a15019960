#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire topo inventory`, which lays a wiring over the servers of a hosts.csv, and writes
/// the inventory of the playbooks, the cabling list and the inventory of `gradwire run` into a
/// folder. As add_topo_command; parsing throws InputError, too, for a list that does not fit the
/// wiring and for existing files.
void add_topo_inventory_command(CLI::App& topo, int& exit_code);

}  // namespace gradwire::commands
