#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/overrides.h"

/// What an experiment file, or a run folder, may not decide: which programs are started.
namespace gradwire::experiment {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kHosts =
    "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nalgorithm: ring\nwiring: single-switch(4)\n"
    "elements: 100\nbacking: hosts\n";

/// What is said of this experiment with this inventory of the command line.
std::string refusal_with(const std::string& text, const std::string& inventory = "") {
  Overrides overrides;
  if (!inventory.empty()) overrides.inventory = inventory;
  try {
    check_backings(apply(load_experiment_text(text, "lab/x.yaml"), overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Trust, OnlyTheCommandLineNamesAnInventory) {
  EXPECT_EQ(refusal_with(kHosts, "rack.yaml"), "");
  EXPECT_THAT(refusal_with(kHosts),
              AllOf(StartsWith("lab/x.yaml: "), HasSubstr("--inventory FILE")));
  const std::string named = kHosts + "hosts: {inventory: evil.yaml}\n";
  EXPECT_THAT(refusal_with(named),
              AllOf(StartsWith("lab/x.yaml:8:20: hosts.inventory: an inventory names commands"),
                    HasSubstr("--inventory FILE")));
  EXPECT_EQ(refusal_with(named, "rack.yaml"), "");
  Overrides overrides;
  overrides.inventory = "rack.yaml";
  EXPECT_EQ(apply(load_experiment_text(named, "lab/x.yaml"), overrides).hosts->inventory,
            "rack.yaml");
}

TEST(Trust, AnInventoryOfNoUseIsNoError) {
  EXPECT_EQ(
      refusal_with(kHosts.substr(0, kHosts.find("backing")) + "hosts: {inventory: evil.yaml}\n"),
      "");
}

// Also where a trusted inventory is given: the author of the experiment would not see it go.
TEST(Trust, ArgumentsOfMpirunAreRefused) {
  const std::string text = kHosts + "hosts: {mpirun: [--mca, orte_launch_agent, ./evil]}\n";
  EXPECT_THAT(refusal_with(text, "rack.yaml"),
              AllOf(StartsWith("lab/x.yaml:8:9: hosts.mpirun: "), HasSubstr("the inventory")));
}

// What a folder says was named when its run began counts for nothing.
TEST(Trust, ARunThatIsResumedAsksAgain) {
  Overrides begun;
  begun.inventory = "evil.yaml";
  const Overrides stored = overrides_from_json(to_json(begun));
  EXPECT_EQ(resumed(stored, {}).inventory, std::nullopt);
  Overrides asked;
  asked.inventory = "rack.yaml";
  EXPECT_EQ(resumed(stored, asked).inventory, "rack.yaml");
}

}  // namespace
}  // namespace gradwire::experiment
