#include "testbed/doctor.h"

#include <gtest/gtest.h>

#include "tests/testbed/in_sandbox.h"

namespace gradwire::testbed {
namespace {

// Where a sandbox works the doctor says so, and whatever is not ok comes with a remedy.
TEST(Doctor, AgreesWithTheKernel) {
  const bool works = testing::in_sandbox([] { return 0; }) == 0;
  const std::vector<Check> checks = examine();
  ASSERT_FALSE(checks.empty());
  EXPECT_EQ(checks.front().state == Check::State::ok, works);
  for (const Check& check : checks) {
    EXPECT_FALSE(check.name.empty());
    EXPECT_EQ(check.remedy.empty(), check.state == Check::State::ok) << check.name;
  }
}

}  // namespace
}  // namespace gradwire::testbed
