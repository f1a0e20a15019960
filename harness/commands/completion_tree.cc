#include "harness/commands/completion_tree.h"

#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "harness/commands/registries.h"

namespace gradwire::commands {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

/// The values that a type name such as "TRACE|FILE" or "TEXT:{csv,json}" admits.
CompletedValue value_of(const std::string& type) {
  CompletedValue value;
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open != std::string::npos && close != std::string::npos) {
    value.words = split(type.substr(open + 1, close - open - 1), ',');
    return value;
  }
  for (const std::string& part : split(type, '|')) {
    value.files = value.files || part == "FILE";
    value.folders = value.folders || part == "FOLDER";
    const Registry* const registry = registry_of(part);
    if (registry == nullptr) continue;
    for (const Listed& row : registry->rows()) {
      value.words.push_back(row.typed);
      if (row.name != row.typed) value.forms.push_back(row.name);
    }
  }
  return value;
}

CompletedArgument argument_of(const CLI::Option& option) {
  CompletedArgument argument{.names = {},
                             .help = option.get_description(),
                             .kind = option.get_type_name(),
                             .takes_value = option.get_items_expected_max() > 0,
                             .is_repeated = option.get_items_expected_max() > 1};
  if (!argument.takes_value || value_of(argument.kind).empty()) argument.kind.clear();
  if (option.get_positional()) {
    argument.names.push_back(option.get_name(true));
    return argument;
  }
  for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
  return argument;
}

CompletedCommand command_of(const CLI::App& app, const std::string& path) {
  CompletedCommand command{.path = path,
                           .name = app.get_name(),
                           .help = app.get_description(),
                           .options = {},
                           .arguments = {},
                           .commands = {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? command.arguments : command.options)
        .push_back(argument_of(*option));
  }
  const auto shown = [](const CLI::App* each) { return !each->get_group().empty(); };
  for (const CLI::App* each : app.get_subcommands(shown)) {
    const std::string& name = each->get_name();
    command.commands.push_back(command_of(*each, path.empty() ? name : path + " " + name));
  }
  return command;
}

}  // namespace

CompletedCommand completed_command(const CLI::App& app) {
  return command_of(app, "");
}

std::vector<const CompletedCommand*> all_of(const CompletedCommand& command) {
  std::vector<const CompletedCommand*> all{&command};
  for (const CompletedCommand& each : command.commands) {
    const std::vector<const CompletedCommand*> below = all_of(each);
    all.insert(all.end(), below.begin(), below.end());
  }
  return all;
}

std::map<std::string, CompletedValue> values_of(const CompletedCommand& command) {
  std::map<std::string, CompletedValue> values;
  const auto add = [&values](const CompletedArgument& argument) {
    if (!argument.kind.empty()) values.try_emplace(argument.kind, value_of(argument.kind));
  };
  for (const CompletedCommand* each : all_of(command)) {
    for (const CompletedArgument& option : each->options) add(option);
    for (const CompletedArgument& argument : each->arguments) add(argument);
  }
  return values;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace gradwire::commands
