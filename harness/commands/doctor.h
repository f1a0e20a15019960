#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// gradwire doctor: says what the emulated backing needs of this machine, and what is missing. With
/// --gpu the same of gradients in the memory of a GPU.
/// `exit_code` must outlive the app.
void add_doctor_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
