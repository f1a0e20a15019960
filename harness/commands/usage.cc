#include "harness/commands/usage.h"

#include <algorithm>
#include <cctype>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/text/suggest.h"

namespace gradwire::commands {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The names of the commands that help shows. The others are the program's own.
std::vector<std::string> shown_names(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* const command : commands) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

/// "--rate" of "--rate=10Gbit"; empty for a value, such as "-1".
std::string option_in(const std::string& word) {
  if (word.size() < 2 || word.front() != '-') return "";
  if (std::isdigit(static_cast<unsigned char>(word[1])) != 0 || word[1] == '.') return "";
  return word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2);
}

std::vector<std::string> names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::vector<std::string> words_of(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return words;
}

Misuse misuse_of(const CLI::App& app, std::span<const std::string> words,
                 const std::string& otherwise) {
  const CLI::App* at = &app;
  std::string path = app.get_name();
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string option = option_in(word);
    if (!option.empty() && at->get_option_no_throw(option) == nullptr) {
      return {text::unknown_name("option", option, names_of_options(*at)), path};
    }
    const std::vector<const CLI::App*> commands = commands_of(*at);
    if (!option.empty() || commands.empty()) continue;
    const auto named = std::ranges::find(commands, word, &CLI::App::get_name);
    if (named == commands.end()) {
      return {text::unknown_name("command", word, shown_names(commands)), path};
    }
    at = *named;
    path += " " + word;
  }
  return {otherwise, path};
}

}  // namespace gradwire::commands
