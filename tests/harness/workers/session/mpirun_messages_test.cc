#include "harness/workers/session/mpirun_messages.h"

#include <gmock/gmock.h>

namespace gradwire::workers {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// "rank ending" of what some text tells, fed in pieces of a few bytes.
std::vector<std::string> endings(const std::string& text) {
  MpirunMessages messages({"red", "green", "blue", "host-3.example"});
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size(); at += 7) {
    for (const KeptEnding& ending : messages.add(text.substr(at, 7))) {
      found.push_back(std::to_string(ending.rank.index()) + " " + ending.ending);
    }
  }
  return found;
}

TEST(MpirunMessages, AKeeperSaysHowItsRankEnded) {
  EXPECT_THAT(endings(keeper_line(Rank(3), "exited with 7") + "\n"),
              ElementsAre("3 exited with 7"));
  EXPECT_THAT(endings("gradwire: rank 3\ngradwire: rank x died\n"), IsEmpty());
}

// As Open MPI 4.1.4 prints them.
TEST(MpirunMessages, MpirunNamesWhoWasKilled) {
  EXPECT_THAT(endings("--------\nmpirun noticed that process rank 3 with PID 67 on node h3 exited "
                      "on signal 9 (Killed).\n--------\n"),
              ElementsAre("3 was killed by signal 9 (Killed)"));
}

TEST(MpirunMessages, MpirunNamesWhoFailed) {
  EXPECT_THAT(endings("the job to be terminated. The first process to do so was:\n\n"
                      "  Process name: [[27862,1],3]\n  Exit code:    5\n"),
              ElementsAre("3 exited with 5"));
  EXPECT_THAT(endings("mpirun has exited due to process rank 2 with PID 69 on\n"
                      "node h2 exiting improperly. There are three reasons this could occur:\n"),
              ElementsAre("2 ended without a word"));
}

TEST(MpirunMessages, MpirunNamesALostHost) {
  EXPECT_THAT(endings("ORTE has lost communication with a remote daemon.\n\n"
                      "  HNP daemon   : [[1,0],0] on node red\n"
                      "  Remote daemon: [[1,0],2] on node host-3.example\n"),
              ElementsAre("3 is on a host that mpirun has lost"));
}

TEST(MpirunMessages, WhatOnlyLooksLikeAnEndingTellsNone) {
  for (const char* line :
       {"process rank 1234567 with PID 1 on node h exited on signal 9 (Killed).",
        "process rank x with PID 1 on node h exited on signal 9 (Killed).",
        "process rank 1 with PID 1 on node h exited on signal 9", "process rank 1 is fine on",
        "Process name: [[27862,1],3", "Exit code:    5", "Exit code: ", "Process name: [[",
        "Remote daemon: [[1,0],2] on node elsewhere", "[[1,0],2] on node red"}) {
    EXPECT_THAT(endings(line + std::string("\n")), IsEmpty()) << line;
  }
}

TEST(MpirunMessages, KeepsWhatElseWasSaid) {
  MpirunMessages messages({"red"});
  EXPECT_THAT(messages.add("-----\nssh: connect to host red port 22: Connection refused\n---"),
              IsEmpty());
  EXPECT_THAT(messages.summary(), HasSubstr("Connection refused"));
}

TEST(MpirunMessages, HostsCannotFloodOrColourTheTerminal) {
  MpirunMessages messages({"red"});
  const std::string flood(1'000'000, 'x');
  EXPECT_THAT(messages.add("\x1b[31m" + flood), IsEmpty());
  EXPECT_THAT(messages.add(flood + "\nnext\n"), IsEmpty());
  EXPECT_THAT(messages.summary(), ::testing::EndsWith("x / next"));
  EXPECT_THAT(messages.summary(), ::testing::Not(HasSubstr("\x1b")));
  EXPECT_LT(messages.summary().size(), 5000u);
}

}  // namespace
}  // namespace gradwire::workers
