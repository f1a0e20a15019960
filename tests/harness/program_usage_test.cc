#include <csignal>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "program.h"

/// Command lines that are mistyped, and output that nobody reads.
namespace gradwire::harness {
namespace {

using ::testing::HasSubstr;

class Usage : public testing::Program {
 protected:
  void SetUp() override {}

  [[nodiscard]] std::string err() const { return testing::read(scratch_ / "stderr"); }

  /// Starts the program with an output that nobody reads any more.
  [[nodiscard]] pid_t start_unread(const std::vector<std::string>& words) const {
    const auto close_output = [] {
      int ends[2];
      if (::pipe(ends) != 0) return false;
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      return true;
    };
    return start_after(close_output, words);
  }
};

// Short output, which is written at the end, and long output, which is written on the way.
TEST_F(Usage, ACommandWhoseReaderHasGoneIsSilent) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"list", "wirings"},
                                             {"list"},
                                             {"plan", "ring", "single-switch(64)"},
                                             {"topo", "export", "fat-tree(8)", "--format", "json"},
                                             {"results", "schema", "results"},
                                             {"version"}}) {
    SCOPED_TRACE(words.front());
    EXPECT_EQ(finish(start_unread(words)), commands::kSignalled + SIGPIPE);
    EXPECT_EQ(err(), "");
  }
}

TEST_F(Usage, AFullDiskIsNoReaderThatHasGone) {
  const std::string line = std::string(GRADWIRE_PROGRAM) + " list > /dev/full";
  EXPECT_EQ(finish(start({"-c", line}, StartIn::shell)), commands::kExitRunFailed);
  EXPECT_THAT(err(), HasSubstr("No space left on device"));
}

TEST_F(Usage, AnErrorThatNobodyHearsIsStillOne) {
  const std::string line = std::string(GRADWIRE_PROGRAM) + " run nosuch.yaml 2> /dev/full";
  EXPECT_EQ(finish(start({"-c", line}, StartIn::shell)), commands::kExitUsage);
}

TEST_F(Usage, AMistypedCommandIsNamed) {
  EXPECT_EQ(finish(start({"rn"})), commands::kExitUsage);
  EXPECT_THAT(err(), HasSubstr("unknown command 'rn' (did you mean 'run'?)"));
  EXPECT_EQ(finish(start({"run", "--itertions", "3", "f.yaml"})), commands::kExitUsage);
  EXPECT_THAT(err(), HasSubstr("unknown option '--itertions' (did you mean '--iterations'?)"));
  EXPECT_THAT(err(), HasSubstr("Try 'gradwire run --help'."));
}

TEST_F(Usage, HelpIsACommand) {
  EXPECT_EQ(finish(start({"help", "results", "show"})), commands::kExitOk);
  const std::string said = testing::read(scratch_ / "stdout");
  EXPECT_THAT(said, HasSubstr("gradwire results show"));
  EXPECT_EQ(finish(start({"results", "show", "--help"})), commands::kExitOk);
  EXPECT_EQ(testing::read(scratch_ / "stdout"), said);
}

}  // namespace
}  // namespace gradwire::harness
