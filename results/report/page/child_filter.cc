#include "results/report/page/child_filter.h"

#include <cerrno>
#include <thread>

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/pipe.h"

namespace gradwire::report {
namespace {

/// Writes the text. Ignores a reader that has gone, as its exit status tells.
void write_all(const FileDescriptor& to, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(to.get(), text.data(), text.size());
    if (written == -1 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string read_all(const FileDescriptor& from) {
  std::string text;
  char block[1 << 16];
  while (true) {
    const ssize_t got = ::read(from.get(), block, sizeof block);
    if (got == -1 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block, static_cast<std::size_t>(got));
  }
}

pid_t start(const std::vector<std::string>& arguments, const Pipe& in, const Pipe& out) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read.get(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) throw InputError(fmt::format("{} is not installed", arguments.front()));
  if (error == EPERM) throw SystemError("start " + arguments.front() + " (clone3)", error);
  if (error != 0) throw SystemError("start " + arguments.front(), error);
  return child;
}

void wait_for(pid_t child, const std::string& name) {
  int status = 0;
  while (::waitpid(child, &status, 0) == -1) {
    if (errno != EINTR) throw SystemError("wait for " + name, errno);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  throw SystemError(fmt::format("{} failed ({} {})", name, WIFEXITED(status) ? "exit" : "signal",
                                WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status)),
                    ECHILD);
}

}  // namespace

TemporaryFile::TemporaryFile(std::string_view content, std::string_view suffix) {
  std::string name = (std::filesystem::temp_directory_path() / "gradwire-XXXXXX").string();
  name += suffix;
  const FileDescriptor file(checked(
      ::mkostemps(name.data(), static_cast<int>(suffix.size()), O_CLOEXEC), "create " + name));
  path_ = name;
  write_all(file, content);
}

TemporaryFile::~TemporaryFile() {
  ::unlink(path_.c_str());
}

std::string filter_through(const std::vector<std::string>& arguments, std::string_view input) {
  Pipe in = make_pipe();
  Pipe out = make_pipe();
  const pid_t child = start(arguments, in, out);
  in.read.reset();
  out.write.reset();
  std::thread writer([&] {
    write_all(in.write, input);
    in.write.reset();
  });
  std::string text = read_all(out.read);
  writer.join();
  wait_for(child, arguments.front());
  return text;
}

}  // namespace gradwire::report
