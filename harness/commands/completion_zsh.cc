#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "harness/commands/completion_tree.h"

namespace gradwire::commands {
namespace {

/// The text escaped for a specification of _arguments or _describe, where these characters have a
/// meaning.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// Writer of the functions of one program.
class ZshWriter {
 public:
  explicit ZshWriter(const CompletedCommand& program)
      : program_(program), values_(values_of(program)) {}

  [[nodiscard]] std::string script() const;

 private:
  [[nodiscard]] std::string function_of(const CompletedCommand& command) const;
  [[nodiscard]] std::string action_of(const CompletedArgument& argument) const;
  [[nodiscard]] std::vector<std::string> specifications(const CompletedArgument& option) const;
  [[nodiscard]] std::string arguments_call(const CompletedCommand& command) const;
  [[nodiscard]] std::string function(const CompletedCommand& command) const;
  [[nodiscard]] std::string values_function() const;

  const CompletedCommand& program_;
  std::map<std::string, CompletedValue> values_;
};

/// The function of a command: "_gradwire_topo_show".
std::string ZshWriter::function_of(const CompletedCommand& command) const {
  std::string name = "_" + program_.name + (command.path.empty() ? "" : "_" + command.path);
  std::ranges::replace(name, ' ', '_');
  std::ranges::replace(name, '-', '_');
  return name;
}

/// The action of _arguments for a value. It begins with a space, so that nothing is put between its
/// words, and names the kind by its number, because colons would end it.
std::string ZshWriter::action_of(const CompletedArgument& argument) const {
  if (argument.kind.empty()) return " ";
  return fmt::format(" _{}_value {}", program_.name,
                     std::distance(values_.begin(), values_.find(argument.kind)));
}

/// The specifications of an option, one per name, which exclude each other.
std::vector<std::string> ZshWriter::specifications(const CompletedArgument& option) const {
  std::vector<std::string> specifications;
  for (const std::string& name : option.names) {
    std::string text =
        option.names.size() > 1 ? fmt::format("({})", fmt::join(option.names, " ")) : "";
    text += name + (option.takes_value && name.starts_with("--") ? "=" : "");
    text += "[" + escaped(option.help) + "]";
    if (option.takes_value) text += ":value:" + action_of(option);
    specifications.push_back(shell_quoted(text));
  }
  return specifications;
}

std::string ZshWriter::arguments_call(const CompletedCommand& command) const {
  std::vector<std::string> parts{"  _arguments -C -s"};
  for (const CompletedArgument& option : command.options) {
    for (const std::string& one : specifications(option)) parts.push_back(one);
  }
  if (!command.commands.empty()) {
    parts.push_back("'1:command:->command'");
    parts.push_back("'*::argument:->rest'");
  }
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const CompletedArgument& argument = command.arguments[i];
    const std::string place = argument.is_repeated ? "*" : fmt::to_string(i + 1);
    parts.push_back(shell_quoted(
        fmt::format("{}:{}:{}", place, escaped(argument.names.front()), action_of(argument))));
  }
  return fmt::format("{}\n", fmt::join(parts, " \\\n    "));
}

std::string ZshWriter::function(const CompletedCommand& command) const {
  std::string text = fmt::format("\n{}() {{\n", function_of(command));
  text += "  local curcontext=$curcontext state line\n  typeset -A opt_args\n";
  text += arguments_call(command);
  if (command.commands.empty()) return text + "}\n";
  text += "  case $state in\n    command)\n      local -a commands=(\n";
  for (const CompletedCommand& each : command.commands) {
    text += fmt::format("        {}\n", shell_quoted(each.name + ":" + escaped(each.help)));
  }
  text += "      )\n      _describe command commands\n      ;;\n";
  text += "    rest)\n      case $line[1] in\n";
  for (const CompletedCommand& each : command.commands) {
    text += fmt::format("        {}) {} ;;\n", each.name, function_of(each));
  }
  return text + "      esac\n      ;;\n  esac\n}\n";
}

std::string ZshWriter::values_function() const {
  std::string text =
      fmt::format("\n# NUMBER: offers the values of that kind.\n_{}_value() {{\n", program_.name);
  text += "  local -a names open\n  case $1 in\n";
  std::size_t number = 0;
  for (const auto& [kind, value] : values_) {
    std::vector<std::string> names;
    std::vector<std::string> open;  // names that go on behind their parenthesis
    for (const std::string& word : value.words) {
      (word.ends_with('(') ? open : names).push_back(shell_quoted(word));
    }
    text += fmt::format("    {})  # {}\n      names=({})\n      open=({})\n", number++, kind,
                        fmt::join(names, " "), fmt::join(open, " "));
    if (value.files) text += "      _files\n";
    if (value.folders) text += "      _files -/\n";
    text += "      ;;\n";
  }
  return text + "  esac\n  compadd -a names\n  compadd -S '' -a open\n}\n";
}

std::string ZshWriter::script() const {
  std::string script = fmt::format(
      "#compdef {0}\n# Completes {0} in zsh: source <({0} completion zsh), after compinit; or as "
      "the file _{0} in $fpath\n",
      program_.name);
  script += values_function();
  for (const CompletedCommand* each : all_of(program_)) script += function(*each);
  return script + fmt::format(
                      "\nif [[ $funcstack[1] == _{0} ]]; then\n  _{0} \"$@\"\nelse\n  compdef "
                      "_{0} {0}\nfi\n",
                      program_.name);
}

}  // namespace

std::string zsh_completion(const CompletedCommand& command) {
  return ZshWriter(command).script();
}

}  // namespace gradwire::commands
