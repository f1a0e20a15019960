#pragma once

#include <string>
#include <vector>

#include "program.h"

namespace gradwire::testing {

/// gradwire emulate as a user runs it, with a folder for temporary files of its own. Nothing may be
/// left in it, and no process, after any end.
class Emulated : public Program {
 protected:
  Emulated() {
    fs::create_directories(temporary_);
    ::setenv("TMPDIR", temporary_.c_str(), 1);
  }
  ~Emulated() override { ::unsetenv("TMPDIR"); }

  void TearDown() override {
    EXPECT_TRUE(await([this] { return marked().empty(); }));
    EXPECT_TRUE(await([this] { return fs::is_empty(temporary_); }));
  }

  /// Words of `gradwire emulate OPTIONS -- sh -c SCRIPT`.
  [[nodiscard]] static std::vector<std::string> words(std::vector<std::string> options,
                                                      const std::string& script) {
    options.insert(options.begin(), "emulate");
    options.insert(options.end(), {"--", "sh", "-c", script});
    return options;
  }

  /// Runs a shell's script on the hosts, to its end. The exit code.
  [[nodiscard]] int emulate(std::vector<std::string> options, const std::string& script) const {
    return finish(start(words(std::move(options), script)));
  }

  [[nodiscard]] std::string out() const { return read(scratch_ / "stdout"); }
  [[nodiscard]] std::string err() const { return read(scratch_ / "stderr"); }

  template <class Holds>
  [[nodiscard]] static bool await(const Holds& holds) {
    const auto until = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(2ms);
    }
    return true;
  }

  const fs::path temporary_ = scratch_ / "tmp";
};

}  // namespace gradwire::testing
