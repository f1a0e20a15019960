#include <string>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "harness/commands/completion_tree.h"

namespace gradwire::commands {
namespace {

/// Bash functions that read the tables before them. NAME stands for the program's.
constexpr std::string_view kEngine = R"bash(
# Completes the word that the cursor is on.
_NAME() {
  local path='' option='' joined='' position=0 at word
  local -a commands options words
  local kind files folders
  _NAME_command "$path"
  for ((at = 1; at < COMP_CWORD; at++)); do
    word=${COMP_WORDS[at]}
    if [[ $joined ]]; then joined=''; continue; fi
    if [[ $word == [=:] ]]; then [[ $option ]] || joined=1; continue; fi  # bash splits words here
    if [[ $option ]]; then option=''; continue; fi                       # the value of an option
    if [[ $word == -* ]]; then
      _NAME_option "$path" "$word" && option=$word
    elif [[ " ${commands[*]} " == *" $word "* ]]; then
      path="${path:+$path }$word"
      position=0
      _NAME_command "$path"
    else
      ((position += 1))
    fi
  done

  local current=${COMP_WORDS[COMP_CWORD]} quote=''
  [[ $current == [=:] ]] && current=''
  if [[ $current == [\"\']* ]]; then
    quote=${current:0:1}
    current=${current:1}
  else
    current=${current//\\/}
  fi

  words=()
  if [[ $option ]]; then
    _NAME_option "$path" "$option"
    _NAME_value "$kind"
  elif [[ $current == -* ]]; then
    words=("${options[@]}")
  else
    _NAME_argument "$path" "$position"
    _NAME_value "$kind"
    words+=("${commands[@]}")
  fi

  COMPREPLY=()
  for word in "${words[@]}"; do
    [[ $word == "$current"* ]] || continue
    if [[ ! $quote ]]; then printf -v word '%q' "$word"; fi
    COMPREPLY+=("$word")
  done
  if [[ $files || $folders ]]; then
    local -a paths
    mapfile -t paths < <(compgen "-${folders:-f}" -- "$current")
    COMPREPLY+=("${paths[@]}")
    compopt -o filenames
  fi
}
complete -F _NAME NAME
)bash";

constexpr std::string_view kName = "NAME";

std::string words_of(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  for (const std::string& word : words) quoted.push_back(shell_quoted(word));
  return fmt::format("{}", fmt::join(quoted, " "));
}

/// A bash function that sets variables by its argument; without a case it sets them to nothing.
std::string function(std::string_view name, std::string_view comment, std::string_view nothing,
                     std::string_view subject, const std::vector<std::string>& cases) {
  std::string text =
      fmt::format("\n# {}\n{}() {{\n  {}\n  case {} in\n", comment, name, nothing, subject);
  for (const std::string& one : cases) text += fmt::format("    {}\n", one);
  return text + "  esac\n}\n";
}

std::string commands_table(const CompletedCommand& command) {
  std::vector<std::string> cases;
  for (const CompletedCommand* each : all_of(command)) {
    std::vector<std::string> commands;
    std::vector<std::string> options;
    for (const CompletedCommand& below : each->commands) commands.push_back(below.name);
    for (const CompletedArgument& option : each->options) {
      options.insert(options.end(), option.names.begin(), option.names.end());
    }
    cases.push_back(fmt::format("{}) commands=({}) options=({}) ;;", shell_quoted(each->path),
                                words_of(commands), words_of(options)));
  }
  return function(fmt::format("_{}_command", command.name),
                  "COMMANDS: sets what may follow, and their options.", "commands=() options=()",
                  "$1", cases);
}

std::string options_table(const CompletedCommand& command) {
  std::vector<std::string> cases;
  for (const CompletedCommand* each : all_of(command)) {
    for (const CompletedArgument& option : each->options) {
      if (!option.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : option.names) {
        patterns.push_back(shell_quoted(each->path + " " + name));
      }
      cases.push_back(
          fmt::format("{}) kind={} ;;", fmt::join(patterns, "|"), shell_quoted(option.kind)));
    }
  }
  cases.emplace_back("*) return 1 ;;");
  return function(fmt::format("_{}_option", command.name),
                  "COMMANDS OPTION: sets the kind of its value; fails where it takes none.",
                  "kind=''", "\"$1 $2\"", cases);
}

std::string arguments_table(const CompletedCommand& command) {
  std::vector<std::string> cases;
  for (const CompletedCommand* each : all_of(command)) {
    for (std::size_t i = 0; i < each->arguments.size(); ++i) {
      const CompletedArgument& argument = each->arguments[i];
      const std::string place = argument.is_repeated ? "*" : fmt::format("' {}'", i);
      cases.push_back(fmt::format("{}{}) kind={} ;;", shell_quoted(each->path), place,
                                  shell_quoted(argument.kind)));
    }
  }
  return function(fmt::format("_{}_argument", command.name),
                  "COMMANDS POSITION: sets the kind of an argument without a name.", "kind=''",
                  "\"$1 $2\"", cases);
}

std::string values_table(const CompletedCommand& command) {
  std::vector<std::string> cases;
  for (const auto& [kind, value] : values_of(command)) {
    std::vector<std::string> words = value.words;
    words.insert(words.end(), value.forms.begin(), value.forms.end());
    cases.push_back(fmt::format("{}) words=({}) files={} folders={} ;;", shell_quoted(kind),
                                words_of(words), value.files ? "1" : "''",
                                value.folders ? "d" : "''"));
  }
  return function(fmt::format("_{}_value", command.name),
                  "KIND: sets the words of it, and whether it is a path.",
                  "words=() files='' folders=''", "$1", cases);
}

}  // namespace

std::string bash_completion(const CompletedCommand& command) {
  std::string script = fmt::format(
      "# Completes {0} in bash: source <({0} completion bash)\n# shellcheck shell=bash\n",
      command.name);
  script += commands_table(command) + options_table(command) + arguments_table(command) +
            values_table(command);
  std::string engine(kEngine);
  for (std::size_t at = 0; (at = engine.find(kName, at)) != std::string::npos;) {
    engine.replace(at, kName.size(), command.name);
  }
  return script + engine;
}

}  // namespace gradwire::commands
