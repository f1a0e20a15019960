#include "harness/commands/completion_tree.h"

#include <CLI/CLI.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::commands {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A program with a command that has one argument of each kind.
class Tree : public ::testing::Test {
 protected:
  Tree() {
    CLI::App* const draw = app_.add_subcommand("draw", "Draws a wiring: all of it");
    draw->add_option("wiring", text_, "what is drawn")->type_name("WIRING");
    draw->add_option("-o,--out", text_, "where")->type_name("FOLDER");
    draw->add_option("--from", text_, "times")->type_name("TRACE|FILE");
    draw->add_option("--format", text_, "how")->check(CLI::IsMember({"dot", "json"}));
    draw->add_option("--scale", number_, "how large");
    draw->add_flag("--force", flag_, "even so");
    app_.add_subcommand("secret", "")->group("");
    app_.add_subcommand("outer", "")->add_subcommand("inner", "");
  }

  [[nodiscard]] CompletedCommand draw() const { return completed_command(app_).commands.front(); }
  [[nodiscard]] CompletedArgument option(const std::string& name) const {
    for (const CompletedArgument& each : draw().options) {
      if (each.names.front() == name) return each;
    }
    ADD_FAILURE() << name;
    return {};
  }

  CLI::App app_{"Draws", "painter"};
  std::string text_;
  double number_ = 0;
  bool flag_ = false;
};

TEST_F(Tree, HasWhatHelpShows) {
  const CompletedCommand top = completed_command(app_);
  EXPECT_EQ(top.name, "painter");
  ASSERT_EQ(top.commands.size(), 2u) << "hidden commands are left out";
  EXPECT_EQ(top.commands[1].commands[0].path, "outer inner");
  EXPECT_EQ(all_of(top).size(), 4u);
  EXPECT_THAT(option("--out").names, ElementsAre("--out", "-o"));
  EXPECT_FALSE(option("--force").takes_value);
  EXPECT_TRUE(option("--scale").takes_value);
  EXPECT_THAT(option("--scale").kind, IsEmpty()) << "nobody can list all numbers";
}

TEST_F(Tree, TypeNamesSayWhatValuesAre) {
  const auto values = values_of(completed_command(app_));
  EXPECT_THAT(values.at("WIRING").words, Contains("bcube("));
  EXPECT_THAT(values.at("WIRING").forms, Contains("bcube(n,k)"));
  EXPECT_FALSE(values.at("WIRING").files);
  EXPECT_TRUE(values.at("FOLDER").folders);
  EXPECT_THAT(values.at("TRACE|FILE").words, ElementsAre("googlenet-k80", "resnet50-k80"));
  EXPECT_TRUE(values.at("TRACE|FILE").files);
  EXPECT_THAT(values.at(option("--format").kind).words, ElementsAre("dot", "json"));
}

// A new option is in the scripts without another edit.
TEST_F(Tree, ScriptsHaveEveryOption) {
  CLI::App* const draw = app_.get_subcommand("draw");
  draw->add_option("--by", text_, "whose 'hand': [a] or b")->type_name("ALGORITHM");
  const CompletedCommand top = completed_command(app_);
  for (const std::string& script : {bash_completion(top), zsh_completion(top)}) {
    for (const char* each : {"--by", "--out", "-o", "--format", "--force", "inner", "dot"}) {
      EXPECT_THAT(script, HasSubstr(each));
    }
    EXPECT_THAT(script, Not(HasSubstr("secret")));
    EXPECT_THAT(script, HasSubstr("halving-doubling")) << "the names of ALGORITHM";
  }
  EXPECT_THAT(zsh_completion(top), HasSubstr("whose '\\''hand'\\''\\: \\[a\\] or b"));
}

TEST(ShellQuoted, IsOneWord) {
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace gradwire::commands
