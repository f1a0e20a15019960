#pragma once

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds `gradwire workload`, which lists models, traces and devices, and shows a model's tensors
/// with how long they compute, or draws the times of a trace in a file. Results go to stdout. Sets
/// `exit_code`, which must outlive `app`'s parsing. Parsing throws InputError for a model, device
/// or trace that does not exist, for a trace that is wrong or of another model, and for options
/// that do not apply to a file.
void add_workload_command(CLI::App& app, int& exit_code);

}  // namespace gradwire::commands
