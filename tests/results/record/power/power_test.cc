// The power is cut at every moment while a run is written: whatever of it a disk may then hold,
// everything that was acknowledged is there, nothing half, and the run can be resumed.
#include <cstdlib>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuts.h"
#include "root.h"

namespace gradwire::record {
namespace {

using ::testing::IsEmpty;

/// States of each moment; GRADWIRE_POWER_STATES asks for more.
Trying trying() {
  const char* const asked = std::getenv("GRADWIRE_POWER_STATES");
  return {.states = asked == nullptr ? 12 : std::stoul(asked)};
}

void expect_whole(const Cuts& cuts, const char* what) {
  fmt::print("{}: {} states of the disk at {} moments; {} broken promises\n", what, cuts.states,
             cuts.moments, cuts.broken.size());
  EXPECT_THAT(cuts.broken, IsEmpty()) << fmt::format("{}", fmt::join(cuts.broken, "\n"));
  EXPECT_GT(cuts.states, 2 * cuts.moments) << "most moments have more than one state";
}

TEST(Power, NothingThatWasAcknowledgedIsLost) {
  const Root root;
  const History history = write_history({.root = root.path()});
  expect_whole(cut_everywhere(history, trying()), "a new run");
}

// The power fails again while a run goes on that it had cut before.
TEST(Power, NothingIsLostWhileARunIsResumed) {
  const Root begun;
  const History first = write_history({.root = begun.path()});
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Root root;
    leave_some_state(first, root.path(), seed);
    const History again = write_history({.root = root.path(), .resumes = true});
    expect_whole(cut_everywhere(again, {.states = 4, .seed = seed}), "a run that was resumed");
  }
}

}  // namespace
}  // namespace gradwire::record
