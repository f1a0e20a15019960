#include "harness/commands/usage.h"

#include <array>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

namespace gradwire::commands {
namespace {

using Words = std::vector<std::string>;

/// A program with two commands, one of them with commands of its own.
class Usage : public ::testing::Test {
 protected:
  Usage() {
    CLI::App* const run = app_.add_subcommand("run");
    run->add_option("FILE");
    run->add_option("--iterations");
    run->add_option("-o,--out");
    app_.add_subcommand("results")->add_subcommand("show");
    app_.add_subcommand("worker")->group("");
  }

  [[nodiscard]] Misuse misuse(const Words& words) const { return misuse_of(app_, words, "other"); }

  CLI::App app_{"", "gradwire"};
};

TEST_F(Usage, AnUnknownCommandIsNamed) {
  EXPECT_EQ(misuse({"rn", "--x"}).message, "unknown command 'rn' (did you mean 'run'?)");
  EXPECT_EQ(misuse({"results", "shw"}).message, "unknown command 'shw' (did you mean 'show'?)");
  EXPECT_EQ(misuse({"results", "shw"}).command, "gradwire results");
  EXPECT_EQ(misuse({"workr"}).message, "unknown command 'workr'") << "it is no user's";
}

TEST_F(Usage, AnUnknownOptionIsNamedAlone) {
  const Misuse found = misuse({"run", "--itertions", "3", "f.yaml"});
  EXPECT_EQ(found.message, "unknown option '--itertions' (did you mean '--iterations'?)");
  EXPECT_EQ(found.command, "gradwire run");
  EXPECT_EQ(misuse({"run", "--itertions=3"}).message, found.message);
}

// A value, also one that begins with a minus, is no option.
TEST_F(Usage, WhatIsKnownLeavesTheOtherMessage) {
  EXPECT_EQ(misuse({"run", "f.yaml", "--iterations", "-1", "-ofolder"}).message, "other");
  EXPECT_EQ(misuse({"run", "--", "--itertions"}).message, "other");
  EXPECT_EQ(misuse({"worker"}).message, "other");
  EXPECT_EQ(misuse({}).message, "other");
}

TEST(WordsOf, HelpAsksACommandForItsHelp) {
  const std::array line{"gradwire", "help", "results", "show"};
  EXPECT_EQ(words_of(line.size(), line.data()), (Words{"results", "show", "--help"}));
  EXPECT_EQ(words_of(2, line.data()), Words{"--help"});
  EXPECT_EQ(words_of(1, line.data()), Words{});
  EXPECT_EQ(words_of(0, nullptr), Words{});
}

}  // namespace
}  // namespace gradwire::commands
