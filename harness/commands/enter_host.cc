#include "harness/commands/enter_host.h"

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "harness/emulate/host_room.h"
#include "testbed/capabilities.h"

namespace gradwire::commands {
namespace {

constexpr std::string_view kNamespace = "namespace";

struct Entering {
  std::string folder;
  std::string host;
  bool named = false;  ///< whether the host is named as in `gradwire emulate`
};

void enter(const Entering& entering) {
  if (!entering.host.starts_with(kNamespace)) {
    throw InputError(fmt::format("expected a host such as namespace7, found '{}'", entering.host));
  }
  const std::string path = entering.folder + "/" + entering.host.substr(kNamespace.size());
  const FileDescriptor space(checked(::open(path.c_str(), O_RDONLY | O_CLOEXEC), "open " + path));
  checked(::setns(space.get(), CLONE_NEWNET), "enter " + path);
  if (!testbed::drop_all_capabilities()) throw SystemError("drop capabilities", errno);
}

/// Gives this host a folder of its own for temporary files. mpirun's daemons believe that hosts do
/// not share these, and end when two make the same file at once.
void take_folder_of_its_own(const std::string& host) {
  const char* const shared = std::getenv("TMPDIR");
  if (shared == nullptr) return;
  const std::string own = std::string(shared) + "/" + host;
  if (::mkdir(own.c_str(), 0700) == -1 && errno != EEXIST) throw SystemError("mkdir " + own, errno);
  ::setenv("TMPDIR", own.c_str(), 1);
}

/// The words of a command line that mpirun writes for a remote shell: values in double quotes, and
/// nothing else with a meaning to a shell. Throws InputError for anything more.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // that is being read
  bool quoted = false;
  for (const char c : line) {
    const std::string_view special = quoted ? "\\`$" : "\\'`$;|&<>";
    if (special.find(c) != std::string_view::npos) {
      throw InputError(fmt::format("expected plain words, found '{}'", line));
    }
    if (c == '"') {
      quoted = !quoted;
      word = word.value_or("");
    } else if (c != ' ' || quoted) {
      word = word.value_or("") + c;
    } else if (word) {
      words.push_back(*std::exchange(word, std::nullopt));
    }
  }
  if (word) words.push_back(*word);
  return words;
}

[[noreturn]] void execute(const std::vector<std::string>& words) {
  if (words.empty()) throw InputError("expected a command");
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  throw SystemError("execute " + words.front(), errno);
}

}  // namespace

void add_enter_host_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("enter-host", "Runs a command in a host's namespace");
  command->group("");         // hidden
  command->prefix_command();  // what follows the host is not ours
  auto entering = std::make_shared<Entering>();
  command->add_option("folder", entering->folder)->required();
  command->add_option("host", entering->host)->required();
  command->add_flag("--named", entering->named, "folder and host are those of an emulation");
  command->callback([entering, command] {
    const std::string line = fmt::format("{}", fmt::join(command->remaining(), " "));
    if (entering->named) {
      emulate::enter_by_name(entering->folder, entering->host);
      execute({"/bin/sh", "-c", line});  // as a remote shell does
    }
    enter(*entering);
    take_folder_of_its_own(entering->host);
    execute(words_of(line));
  });
}

}  // namespace gradwire::commands
