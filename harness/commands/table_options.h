#pragma once

#include "results/report/run_text.h"

namespace CLI {
class App;
}

namespace gradwire::commands {

/// Adds --wide and --columns. `form` must outlive the parsing.
void add_table_options(CLI::App& command, report::RunForm& form);

}  // namespace gradwire::commands
