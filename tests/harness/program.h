#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/commands/exit_code.h"

/// The program as a user runs it: real namespaces, real sockets, real signals.
namespace gradwire::testing {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kPatience = 60s;

inline std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A folder for the test's files, and a mark in the environment by which its processes are found.
class Program : public ::testing::Test {
 protected:
  Program() {
    fs::create_directories(scratch_);
    ::setenv("GRADWIRE_TEST_MARK", mark_.c_str(), 1);
  }
  ~Program() override { fs::remove_all(scratch_); }

  void SetUp() override {
    static const std::string refusal = ask_doctor();  // once for all cases
    if (!refusal.empty()) GTEST_SKIP() << "this machine cannot emulate wirings: " << refusal;
  }

  [[nodiscard]] std::string experiment(const std::string& more) const {
    const fs::path file = scratch_ / "experiment.yaml";
    std::ofstream(file) << "gradwire: 1\nname: test\nlink: {rate: 1Gbit, mtu: 9000}\n" << more;
    return file;
  }

  /// A run that goes on until it is stopped.
  [[nodiscard]] std::string endless() const {
    return experiment(
        "dilation: 4\nelements: 300000\niterations: 100000\ntimeout: 2s\n"
        "algorithm: bml\nwiring: \"bcube(2,2)\"\n");
  }

  /// plain: as a child; group: as the leader of a process group; shell: a shell with these
  /// arguments instead.
  enum class StartIn { plain, group, shell };

  [[nodiscard]] pid_t start(std::vector<std::string> arguments, StartIn in = StartIn::plain) const {
    const std::string program = in == StartIn::shell ? "/bin/sh" : GRADWIRE_PROGRAM;
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&files, 1, (scratch_ / "stdout").c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&files, 2, (scratch_ / "stderr").c_str(), flags, 0600);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    if (in == StartIn::group) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid = -1;
    EXPECT_EQ(::posix_spawn(&pid, program.c_str(), &files, &attributes, argv.data(), environ), 0);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return pid;
  }

  /// Starts the program in a child whose `prepare()` succeeded there; else it ends with 99. Its
  /// output goes to files, as with start().
  template <class Prepare>
  [[nodiscard]] pid_t start_after(const Prepare& prepare, std::vector<std::string> words) const {
    words.insert(words.begin(), GRADWIRE_PROGRAM);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const std::array<std::string, 2> files{scratch_ / "stdout", scratch_ / "stderr"};
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    for (int i = 0; i < 2; ++i) {
      const auto& file = files[static_cast<std::size_t>(i)];
      ::dup2(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), i + 1);
    }
    if (prepare()) ::execv(argv.front(), argv.data());
    ::_exit(99);
  }

  /// The same as start() with a library preloaded into it and all that it starts.
  [[nodiscard]] pid_t start_with(const char* library, std::vector<std::string> arguments) const {
    ::setenv("LD_PRELOAD", library, 1);
    const pid_t pid = start(std::move(arguments));
    ::unsetenv("LD_PRELOAD");
    return pid;
  }

  /// Waits for the end; 128 + signal when killed, -1 (and kills it) when it takes too long.
  [[nodiscard]] static int finish(pid_t pid, std::chrono::seconds patience = kPatience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() > until) {
        ::kill(pid, SIGKILL);
        ::waitpid(pid, &status, 0);
        return -1;
      }
      std::this_thread::sleep_for(2ms);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  /// finish(start(arguments)) for what calibrates links. Where they do not carry their rate, which a
  /// machine may be too busy for, it is tried again after a moment, into a folder that is empty again.
  [[nodiscard]] int measure(const std::vector<std::string>& arguments,
                            std::chrono::seconds patience = kPatience) const {
    for (int attempt = 1;; ++attempt) {
      const int code = finish(start(arguments), patience);
      if (attempt == kAttempts || code != commands::kExitPreflight || !was_too_busy()) return code;
      forget(arguments);
    }
  }

  /// start(arguments) for the same, which returns once so many iterations are in the folder.
  [[nodiscard]] pid_t start_measuring(const std::vector<std::string>& arguments,
                                      const fs::path& folder, std::size_t count) const {
    for (int attempt = 1;; ++attempt) {
      const pid_t pid = start(arguments);
      wait_for_samples(folder, count, [pid] { return has_ended(pid); });
      if (attempt == kAttempts || !has_ended(pid) || !was_too_busy()) {
        EXPECT_GE(samples(folder), count) << read(scratch_ / "stderr");
        return pid;
      }
      static_cast<void>(finish(pid));
      forget(arguments);
    }
  }

  /// Processes, other than this one, that carry the mark.
  [[nodiscard]] std::vector<pid_t> marked() const {
    std::vector<pid_t> pids;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      const pid_t pid = std::stoi(name);
      if (pid == ::getpid()) continue;
      if (read(entry.path() / "environ").find(mark_) != std::string::npos) pids.push_back(pid);
    }
    return pids;
  }

  [[nodiscard]] std::vector<pid_t> workers() const {
    std::vector<pid_t> pids;
    for (const pid_t pid : marked()) {
      const std::string command = read("/proc/" + std::to_string(pid) + "/cmdline");
      if (command.find("worker") != std::string::npos) pids.push_back(pid);
    }
    return pids;
  }

  [[nodiscard]] std::size_t samples(const fs::path& folder) const {
    std::ifstream lines(folder / "samples.ndjson");
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) ++count;
    return count;
  }

  /// Waits for so many, until it is over or patience is at an end.
  void wait_for_samples(const fs::path& folder, std::size_t count,
                        const std::function<bool()>& is_over) const {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (samples(folder) < count && !is_over() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(5ms);
    }
  }

  /// Blocks until the run has measured something.
  void await_samples(const fs::path& folder, std::size_t count) const {
    wait_for_samples(folder, count, [] { return false; });
    ASSERT_GE(samples(folder), count) << read(scratch_ / "stderr");
  }

  static constexpr int kAttempts = 4;

  /// As the last program that ended says.
  [[nodiscard]] bool was_too_busy() const {
    return read(scratch_ / "stderr").find("Mbit/s of payload instead of") != std::string::npos;
  }

  /// What the doctor says where no wirings can be emulated; otherwise nothing.
  [[nodiscard]] std::string ask_doctor() const {
    return finish(start({"doctor"})) == commands::kExitOk ? "" : read(scratch_ / "stdout");
  }

  /// Removes the folder that was written to, and waits for a quieter moment.
  static void forget(const std::vector<std::string>& arguments) {
    const auto option = std::ranges::find_if(
        arguments, [](const std::string& each) { return each == "-o" || each == "--out"; });
    if (option != arguments.end()) fs::remove_all(*std::next(option));
    std::this_thread::sleep_for(5s);
  }

  /// Without waiting for it.
  [[nodiscard]] static bool has_ended(pid_t pid) {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid;
  }

  const std::string mark_ = "gradwire-test-" + std::to_string(::getpid());
  const fs::path scratch_ = fs::temp_directory_path() / mark_;
};

}  // namespace gradwire::testing
