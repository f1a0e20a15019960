#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire enter-host FOLDER NAME COMMAND..., which mpirun runs to start its daemons when
/// hosts are network namespaces; hidden. NAME is "namespaceN", N the descriptor of the namespace in
/// FOLDER. With --named, FOLDER and NAME are those of harness/emulate/host_room.h, and a shell
/// reads the command, as with ssh.
void add_enter_host_command(CLI::App& app);

}  // namespace gradwire::commands
