// Numbers of the command line: nothing wraps, and every message names its option.
#include "harness/commands/number_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "harness/commands/job.h"
#include "harness/commands/jobs.h"
#include "harness/commands/override_options.h"
#include "harness/commands/place.h"
#include "harness/commands/plan.h"
#include "harness/commands/schedule.h"
#include "harness/commands/topo.h"
#include "harness/commands/workload.h"

namespace gradwire::commands {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// What the command line says of these words, before any command runs.
std::string said_of(std::vector<std::string> words) {
  CLI::App app;
  app.require_subcommand(1);
  int exit_code = 0;
  add_plan_command(app, exit_code);
  add_place_command(app, exit_code);
  add_job_command(app, exit_code);
  add_jobs_command(app, exit_code);
  add_schedule_command(app, exit_code);
  add_topo_command(app, exit_code);
  add_workload_command(app, exit_code);
  experiment::Overrides overrides;
  add_override_options(*app.add_subcommand("run"), overrides);
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("accepted: ") + error.what();
  }
  return "accepted";
}

struct Numeric {
  std::vector<std::string> command;
  std::string option;
};

const std::vector<Numeric> kWhole{
    {{"plan", "ring", "single-switch(4)"}, "--elements"},
    {{"plan", "ring", "single-switch(4)"}, "--rank"},
    {{"place", "a.yaml", "fat-tree(4)"}, "--exact"},
    {{"place", "a.yaml", "fat-tree(4)"}, "--simulations"},
    {{"place", "a.yaml", "fat-tree(4)"}, "--mtu"},
    {{"job", "a.yaml", "fat-tree(4)"}, "--iterations"},
    {{"job", "a.yaml", "fat-tree(4)"}, "--nodes"},
    {{"job", "a.yaml", "fat-tree(4)"}, "--runs"},
    {{"job", "a.yaml", "fat-tree(4)"}, "--dilation"},
    {{"jobs", "a.yaml", "fat-tree(4)"}, "--runs"},
    {{"jobs", "a.yaml", "fat-tree(4)"}, "--dilation"},
    {{"schedule", "lenet5", "--device", "k80"}, "--batch"},
    {{"schedule", "lenet5", "--device", "k80"}, "--devices"},
    {{"schedule", "lenet5", "--device", "k80"}, "--mtu"},
    {{"workload", "show", "lenet5", "--device", "k80"}, "--batch"},
    {{"workload", "show", "lenet5", "--device", "k80"}, "--devices"},
    {{"run"}, "--iterations"},
    {{"run"}, "--warmup"},
    {{"run"}, "--seed"},
};

TEST(NumberOptions, RefuseWhatWouldWrap) {
  for (const Numeric& numeric : kWhole) {
    for (const char* value : {"-1", "18446744073709551615", "18446744073709551616", "1e30", "0x10",
                              "4 ", "+4", "many"}) {
      std::vector<std::string> words = numeric.command;
      words.push_back(numeric.option + "=" + value);
      EXPECT_THAT(said_of(words), AllOf(HasSubstr(numeric.option), HasSubstr("expected")))
          << numeric.command.front() << " " << numeric.option << "=" << value;
    }
  }
  EXPECT_THAT(said_of({"plan", "ring", "single-switch(4)", "--elements", "4611686018427387904"}),
              HasSubstr("--elements: expected a whole number from 1 to 100000000000"));
}

TEST(NumberOptions, RefuseWhatIsNoNumber) {
  const std::vector<Numeric> real{
      {{"schedule", "lenet5", "--device", "k80"}, "--beta"},
      {{"schedule", "lenet5", "--device", "k80"}, "--gamma"},
      {{"schedule", "lenet5", "--device", "k80"}, "--efficiency"},
      {{"workload", "show", "lenet5", "--device", "k80"}, "--efficiency"},
      {{"topo", "cost", "bcube(3,2)"}, "--price-nic"},
  };
  for (const Numeric& numeric : real) {
    for (const char* value : {"nan", "inf", "-1", "1e30", "0x10", "1,5"}) {
      std::vector<std::string> words = numeric.command;
      words.push_back(numeric.option + "=" + value);
      EXPECT_THAT(said_of(words), AllOf(HasSubstr(numeric.option), HasSubstr("expected a number")))
          << numeric.option << "=" << value;
    }
  }
}

// A rate without a unit would be bits a second, and a rate beyond all bounds no limit at all.
TEST(NumberOptions, RefuseWhatHasNoUnit) {
  const std::vector<Numeric> rates{
      {{"run"}, "--rate"},
      {{"job", "a.yaml", "fat-tree(4)"}, "--rate"},
      {{"jobs", "a.yaml", "fat-tree(4)"}, "--rate"},
      {{"place", "a.yaml", "fat-tree(4)"}, "--rate"},
      {{"schedule", "lenet5", "--device", "k80"}, "--rate"},
      {{"topo", "inventory", "bcube(3,2)", "--hosts", "hosts.csv"}, "--rate"},
  };
  for (const Numeric& numeric : rates) {
    std::vector<std::string> words = numeric.command;
    words.push_back(numeric.option + "=10");
    EXPECT_THAT(said_of(words), HasSubstr("--rate: '10' has no unit; write 10bit/s"));
    words.back() = numeric.option + "=1e300Tbit";
    EXPECT_THAT(said_of(words), HasSubstr("--rate: '1e300Tbit' is not a link rate"));
    words.back() = numeric.option + "=10gbps";
    EXPECT_THAT(said_of(words), HasSubstr("write 10Gbit/s or 10GB/s"));
  }
  const std::vector<Numeric> times{
      {{"run"}, "--timeout"},
      {{"job", "a.yaml", "fat-tree(4)"}, "--timeout"},
      {{"job", "a.yaml", "fat-tree(4)"}, "--startup"},
      {{"place", "a.yaml", "fat-tree(4)"}, "--delay"},
      {{"schedule", "lenet5", "--device", "k80"}, "--alpha"},
  };
  for (const Numeric& numeric : times) {
    std::vector<std::string> words = numeric.command;
    words.push_back(numeric.option + "=10");
    EXPECT_THAT(said_of(words), HasSubstr(numeric.option + ": '10' has no unit"));
  }
}

// CLI11 by itself reads 010 as 8.
TEST(NumberOptions, AreDecimal) {
  std::size_t value = 0;
  CLI::App app;
  app.add_option("--count", value)->transform(whole_number(1, 100));
  app.parse("--count 010");
  EXPECT_EQ(value, 10u);
}

}  // namespace
}  // namespace gradwire::commands
