#pragma once

#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// Command line as a shell needs to know it. It is read from the CLI11 App, so that a new option is
/// completed without another edit: the type name in help tells the kind of a value.
///
///     WIRING, ALGORITHM, ...     the names of that registry (harness/commands/registries.h)
///     FILE, FOLDER               a path
///     {a,b}                      these words; CLI::IsMember and CLI11's own sets write it
///     WORKLOAD|FILE              either
namespace gradwire::commands {

/// Words that may be typed as a value.
struct CompletedValue {
  std::vector<std::string> words;
  /// Full forms of the words that end with a parenthesis: "bcube(n,k)". A shell that is offered
  /// both completes "bcube(" and leaves quotes open.
  std::vector<std::string> forms;
  bool files = false;
  bool folders = false;

  [[nodiscard]] bool empty() const { return words.empty() && !files && !folders; }
};

/// Option, or an argument without a name.
struct CompletedArgument {
  std::vector<std::string> names;  ///< "--out", "-o"; of an argument without a name what help says
  std::string help;
  std::string kind;          ///< type name, empty where nothing can be completed
  bool takes_value = true;   ///< false: it is a flag
  bool is_repeated = false;  ///< whether it takes all values that follow
};

struct CompletedCommand {
  std::string path;  ///< path of commands, with spaces between: "topo show"
  std::string name;  ///< last command of the path
  std::string help;
  std::vector<CompletedArgument> options;
  std::vector<CompletedArgument> arguments;  ///< arguments without a name, in order
  std::vector<CompletedCommand> commands;
};

/// The App with its subcommands, but for those that help hides.
[[nodiscard]] CompletedCommand completed_command(const CLI::App& app);

/// The command and all commands below it, from the top.
[[nodiscard]] std::vector<const CompletedCommand*> all_of(const CompletedCommand& command);

/// The values of every kind that the arguments of the command, and of those below it, have.
[[nodiscard]] std::map<std::string, CompletedValue> values_of(const CompletedCommand& command);

/// Completion script for bash, or for zsh. Each defines a function `_<name>` for the program
/// `<name>` that `command` is.
[[nodiscard]] std::string bash_completion(const CompletedCommand& command);
[[nodiscard]] std::string zsh_completion(const CompletedCommand& command);

/// The text as one word for a shell: in single quotes.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace gradwire::commands
