#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds gradwire doctor, which tells what the emulated backing needs of this machine, and what is
/// missing; with --gpu, what gradients in the memory of a GPU need. `exit_code` must outlive the
/// app.
void add_doctor_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
