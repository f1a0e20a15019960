#include "core/error.h"

#include <cerrno>
#include <functional>
#include <source_location>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StrEq;

TEST(FabricError, NamesEveryKnownPartOfThePlace) {
  const FabricPlace place{.rank = Rank(3), .peer = Rank(7), .port = Port(1), .lane = 0, .step = 12};
  const FabricError error(FabricFailure::stalled, place, "nothing moved for 10 s");
  EXPECT_THAT(error.what(), StrEq("rank 3, peer 7, port 1, lane 0, step 12: stalled: "
                                  "nothing moved for 10 s"));
  EXPECT_EQ(error.place(), place);
}

TEST(FabricError, LeavesOutWhatIsUnknown) {
  EXPECT_EQ(to_string(FabricPlace{.rank = Rank(2), .step = 0}), "rank 2, step 0");
}

TEST(InputError, BeginsWithFileLineAndColumn) {
  const InputError error({.file = "a.yaml", .line = 7, .column = 3}, "unknown key 'x'");
  EXPECT_THAT(error.what(), StrEq("a.yaml:7:3: unknown key 'x'"));
}

TEST(Checked, ThrowsTheOperationAndErrnosText) {
  EXPECT_EQ(checked(5, "anything"), 5);
  errno = ENOENT;
  try {
    checked(-1, "open /nowhere");
    FAIL() << "-1 must throw";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
    EXPECT_THAT(error.what(), HasSubstr("open /nowhere: No such file"));
  }
}

/// What the InternalError says that `action` throws; empty when it throws none.
std::string bug(const std::function<void()>& action) {
  try {
    action();
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

// A user who is told the limit can raise it.
TEST(SystemError, NamesTheLimitThatWasReached) {
  EXPECT_THAT(SystemError("open a file", EMFILE).what(),
              ContainsRegex("open a file: .* \\(ulimit -n is [0-9]+\\)"));
  EXPECT_THAT(SystemError("fork", EAGAIN).what(), HasSubstr("pids.max"));
  EXPECT_THAT(SystemError("receive", EAGAIN).what(), Not(HasSubstr("pids.max")));
  EXPECT_STREQ(SystemError("open a file", ENOENT).what(), "open a file: No such file or directory");
}

TEST(Ensure, ThrowsOnlyWhenTheInvariantIsBroken) {
  EXPECT_NO_THROW(ensure(true, "fine"));
  EXPECT_THROW(ensure(false, "broken"), InternalError);
}

TEST(Ensure, NamesItsPlaceInTheProjectAndWhatWasExpected) {
  const unsigned line = std::source_location::current().line() + 1;
  const std::string said = bug([] { ensure(false, "an hour has sixty minutes"); });
  EXPECT_EQ(said, fmt::format("bug at tests/core/error_test.cc:{}: expected that an hour has sixty "
                              "minutes",
                              line));
}

// A function that checks for its caller names the caller's place.
TEST(Ensure, NamesThePlaceThatItIsGiven) {
  const auto here = std::source_location::current();
  EXPECT_EQ(
      bug([&here] { throw_bug("a year has twelve months", here); }),
      fmt::format("bug at tests/core/error_test.cc:{}: expected that a year has twelve months",
                  here.line()));
}

}  // namespace
}  // namespace gradwire
