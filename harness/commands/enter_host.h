#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// gradwire enter-host FOLDER NAME COMMAND...: what mpirun starts its daemons with when hosts are
/// network namespaces; hidden. NAME is "namespaceN", N the descriptor of the namespace in FOLDER.
void add_enter_host_command(CLI::App& app);

}  // namespace gradwire::commands
