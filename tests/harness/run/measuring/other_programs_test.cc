#include "harness/run/measuring/other_programs.h"

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "tests/testbed/burner.h"
#include "tests/testbed/in_sandbox.h"

namespace gradwire::run {
namespace {

using namespace std::chrono_literals;
using testbed::testing::Burner;

bool names(const std::optional<std::string>& said, const std::string& whom) {
  return said && said->find("most of all " + whom + ": it ran ") != std::string::npos;
}

// A program outside that takes a core is named as long as iterations are disturbed, and once.
int check_named(const std::string& whom) {
  const SteadyClock clock;
  const Deadline deadline(clock, 40s);
  OtherPrograms programs(clock);
  if (programs.look(false)) return 1;
  for (bool named = false; !named;) {
    if (deadline.passed()) return 2;
    std::this_thread::sleep_for(150ms);
    named = names(programs.look(true), whom);
  }
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(150ms);
    if (names(programs.look(true), whom)) return 3;
  }
  return 0;
}

TEST(OtherPrograms, AreNamedOnceWhileTheyDisturb) {
  SKIP_WITHOUT_SANDBOX();
  const Burner burner;
  const std::string whom = burner.name() + " (process " + std::to_string(burner.process()) + ")";
  EXPECT_EQ(testbed::testing::in_sandbox([&] { return check_named(whom); }), 0);
}

// Nobody is named where nothing was disturbed, however busy.
int check_undisturbed() {
  const SteadyClock clock;
  OtherPrograms programs(clock);
  for (int i = 0; i < 5; ++i) {
    if (programs.look(false)) return 1;
    std::this_thread::sleep_for(150ms);
  }
  return 0;
}

TEST(OtherPrograms, AreNotNamedWhereTheyDisturbNobody) {
  SKIP_WITHOUT_SANDBOX();
  const Burner burner;
  EXPECT_EQ(testbed::testing::in_sandbox(check_undisturbed), 0);
}

}  // namespace
}  // namespace gradwire::run
