#include "harness/emulate/first_failure.h"

#include <cerrno>
#include <csignal>

#include <gtest/gtest.h>

namespace gradwire::emulate {
namespace {

using testbed::Ending;

// POSIX shells: 127 for a command that is not found, 126 for one that may not be executed, more than
// 128 for one that a signal ended.
TEST(FirstFailure, TellsEndingsAsAShellDoes) {
  EXPECT_EQ(exit_code_of(Ending{.exit_code = 3}), 3);
  EXPECT_EQ(exit_code_of(Ending{.signal = SIGKILL}), 137);
  EXPECT_EQ(exit_code_of_refusal(ENOENT), 127);
  EXPECT_EQ(exit_code_of_refusal(EACCES), 126);
}

TEST(FirstFailure, IsTheFirstOne) {
  FirstFailure failure;
  EXPECT_FALSE(failure.note({.exit_code = 0}));
  EXPECT_FALSE(failure.ends_all());
  EXPECT_EQ(failure.exit_code(), 0);
  EXPECT_TRUE(failure.note({.exit_code = 7}));
  EXPECT_TRUE(failure.ends_all());
  // The others are ended because of it.
  EXPECT_FALSE(failure.note({.signal = SIGTERM}));
  EXPECT_EQ(failure.exit_code(), 7);
}

// Ctrl-C in a terminal reaches the commands, too, and they may be noticed first.
TEST(FirstFailure, IsLessThanAnInterrupt) {
  FirstFailure failure;
  EXPECT_TRUE(failure.note({.exit_code = 1}));
  failure.note_interrupt(SIGINT);
  EXPECT_EQ(failure.exit_code(), 130);
}

TEST(FirstFailure, IsTheShellsWhereThereIsOne) {
  FirstFailure failure;
  failure.leave_to_shell();
  EXPECT_FALSE(failure.note({.exit_code = 7}));
  EXPECT_FALSE(failure.ends_all());
  failure.note_shell({.exit_code = 0});
  EXPECT_TRUE(failure.ends_all());
  EXPECT_EQ(failure.exit_code(), 0);
}

}  // namespace
}  // namespace gradwire::emulate
