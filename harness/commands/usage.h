#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gradwire::commands {

/// The words of a command line without the program's name. "help WORDS" stands for "WORDS --help".
[[nodiscard]] std::vector<std::string> words_of(int argc, const char* const* argv);

/// A mistake of a command line.
struct Misuse {
  std::string message;
  std::string command;  ///< the one to ask for help: "gradwire results show"
};

/// The first word that is no command, or no option of its command, with the one that was probably
/// meant; `otherwise` if every word is known.
[[nodiscard]] Misuse misuse_of(const CLI::App& app, std::span<const std::string> words,
                               const std::string& otherwise);

}  // namespace gradwire::commands
