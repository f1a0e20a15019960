#include "harness/commands/table_options.h"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "core/error.h"
#include "results/report/metrics/text_columns.h"

namespace gradwire::commands {
namespace {

/// Reason why a name is no column's; empty for one that is.
std::string objection(const std::string& name) try {
  static_cast<void>(report::columns_named(std::vector{name}));
  return "";
} catch (const InputError& error) {
  return error.what();
}

}  // namespace

void add_table_options(CLI::App& command, report::RunForm& form) {
  CLI::Option* const wide =
      command.add_flag("--wide", form.wide, "print all columns of all tables");
  command
      .add_option("--columns", form.columns,
                  "print one table of these columns, such as wiring,algo,gst_p99")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES")
      ->check(objection)
      ->excludes(wide);
}

}  // namespace gradwire::commands
