#include "harness/run/verification.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "core/error.h"
#include "testbed/scratch_folder.h"

namespace gradwire::run {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// Of two hosts that passed.
json passed() {
  return {{"gradwire-verification", 1},
          {"wiring", "single-switch(2)"},
          {"finished", "2026-11-21T20:00:00Z"},
          {"passed", true},
          {"settings", {{"lossless", true}, {"qos_provider", "dcb"}, {"mtu", 9000}}},
          {"hosts",
           {{{"name", "red"}, {"rank", 0}, {"boot_id", "a"}, {"kernel", "6.1"}},
            {{"name", "green"}, {"rank", 1}, {"boot_id", "b"}}}},
          {"checks",
           {{{"check", "mtu"}, {"host", "red"}, {"port", 0}, {"passed", true}, {"message", "red"}},
            {{"check", "rping"},
             {"host", "red"},
             {"peer", "green"},
             {"passed", true},
             {"message", "red"}}}}};
}

json with_a_failure() {
  json found = passed();
  found["passed"] = false;
  found["checks"].push_back({{"check", "mtu"},
                             {"host", "green"},
                             {"port", 0},
                             {"passed", false},
                             {"wanted", "9000"},
                             {"found", "1500"},
                             {"message", "green port 0 (data0): MTU 1500, plan says 9000"}});
  return found;
}

Verification verification(const json& found) {
  return parse_verification(found.dump(), "verification.json");
}

hosts::Inventory inventory(const std::string& first = "red", const std::string& second = "green") {
  return hosts::load_inventory_text(
      "gradwire-inventory: 1\ncontrol: [eth0]\nverification: v.json\nhosts:\n"
      "  - {name: " +
          first +
          ", ports: [{device: eth1, address: 10.1.0.1}]}\n"
          "  - {name: " +
          second + ", ports: [{device: eth1, address: 10.1.0.2}]}\n",
      "lab/rack.yaml");
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parse_verification(text, "verification.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Verification, IsNamedRelativeToItsInventory) {
  EXPECT_EQ(inventory().verification, "lab/v.json");
}

TEST(Verification, MayBeAbsent) {
  const testbed::ScratchFolder scratch("gw-verification");
  const auto path = scratch.path() / "verification.json";
  EXPECT_FALSE(load_verification(path).has_value());
  std::ofstream(path) << passed();
  EXPECT_TRUE(load_verification(path).has_value());
}

TEST(Verification, FollowsItsSchema) {
  EXPECT_EQ(refusal(with_a_failure().dump()), "accepted");
  EXPECT_THAT(refusal("{"), StartsWith("verification.json: is not JSON"));
  json found = passed();
  found["gradwire-verification"] = 2;
  EXPECT_THAT(refusal(found.dump()),
              AllOf(HasSubstr("is no verification"), HasSubstr("gradwire-verification")));
  found = passed();
  found["checks"][1].erase("message");
  EXPECT_THAT(refusal(found.dump()), HasSubstr("checks/1"));
}

TEST(Verification, LetsPassWhatPassed) {
  EXPECT_THAT(objections(verification(passed()), inventory(), "single-switch(2)"), IsEmpty());
}

TEST(Verification, IsOfItsWiringAndItsHosts) {
  EXPECT_THAT(objections(verification(passed()), inventory(), "bcube(2,1)"),
              ElementsAre("it is of single-switch(2), not of bcube(2,1)"));
  EXPECT_THAT(objections(verification(passed()), inventory("green", "red"), "single-switch(2)"),
              ElementsAre("green was verified as rank 1, and is rank 0 here",
                          "red was verified as rank 0, and is rank 1 here"));
  EXPECT_THAT(objections(verification(passed()), inventory("red", "blue"), "single-switch(2)"),
              ElementsAre("blue was not verified"));
}

TEST(Verification, ListsWhatFailed) {
  const Verification found = verification(with_a_failure());
  const auto reasons = objections(found, inventory(), "single-switch(2)");
  EXPECT_THAT(reasons, ElementsAre("1 of 3 checks failed"));
  EXPECT_THAT(format_objections(found, reasons),
              AllOf(StartsWith("verification.json, of 2026-11-21T20:00:00Z, does not let"),
                    HasSubstr("\n  1 of 3 checks failed\n"
                              "    mtu  green port 0 (data0): MTU 1500, plan says 9000\n"),
                    HasSubstr("hosts: {verification: ignore}")));
}

TEST(Verification, ThatDidNotEndIsNone) {
  json found = passed();
  found["passed"] = false;
  EXPECT_THAT(objections(verification(found), inventory(), "single-switch(2)"),
              ElementsAre("it did not come to its end"));
}

// Whoever writes the file may make a mistake of its own: a failed check counts.
TEST(Verification, CountsChecksRatherThanBelieve) {
  json found = with_a_failure();
  found["passed"] = true;
  EXPECT_EQ(objections(verification(found), inventory(), "single-switch(2)").size(), 1u);
}

TEST(Verification, DoesNotOutliveARestart) {
  const std::vector<json> same{{{"name", "red"}, {"boot_id", "a"}},
                               {{"name", "green"}, {"boot_id", "b"}}};
  EXPECT_THAT(restarts(verification(passed()), same), IsEmpty());
  const std::vector<json> other{{{"name", "red"}, {"boot_id", "a"}},
                                {{"name", "green"}, {"boot_id", "c"}}};
  EXPECT_THAT(restarts(verification(passed()), other), ElementsAre("green was restarted since"));
  json found = passed();
  found["hosts"][0].erase("boot_id");
  EXPECT_THAT(restarts(verification(found), same), ElementsAre(HasSubstr("red may have been")));
}

TEST(Verification, IsKeptInShort) {
  const std::vector<std::string> ignored{"1 of 3 checks failed"};
  const json kept = summary_of(verification(with_a_failure()), ignored);
  EXPECT_EQ(kept["checks"], json::parse(R"([{"check":"mtu","passed":1,"failed":1},
                                            {"check":"rping","passed":1,"failed":0}])"));
  EXPECT_EQ(kept["failures"], json({"green port 0 (data0): MTU 1500, plan says 9000"}));
  EXPECT_EQ(kept["settings"]["lossless"], true);
  EXPECT_EQ(kept["ignored"], json(ignored));
  EXPECT_FALSE(kept["passed"].get<bool>());
}

}  // namespace
}  // namespace gradwire::run
