#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/experiment.h"
#include "topologies/registry.h"

/// The keys of a simulation: backing, link.delay, link.headers, failures, prices.
namespace gradwire::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Experiment load(const std::string& keys, const std::string& link = "rate: 10Gbit") {
  return load_experiment_text("gradwire: 1\nname: t\nlink: {" + link +
                                  "}\nalgorithm: ring\nwiring: single-switch(4)\nelements: 100\n" +
                                  keys,
                              "x.yaml");
}

std::string refusal(const std::string& keys) {
  try {
    static_cast<void>(load(keys));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SimulationKeys, ABackingIsAWordOrAList) {
  EXPECT_THAT(load("").backings, ElementsAre(record::Backing::emulated));
  EXPECT_THAT(load("backing: simulated\n").backings, ElementsAre(record::Backing::simulated));
  EXPECT_THAT(load("backing: [simulated]\n").backings, ElementsAre(record::Backing::simulated));
  const Experiment both = load("backing: [emulated, simulated]\n");
  EXPECT_TRUE(runs_on(both, record::Backing::emulated));
  EXPECT_TRUE(runs_on(both, record::Backing::simulated));
  EXPECT_TRUE(runs_on(load("backing: [hosts, simulated]\n"), record::Backing::hosts));
  EXPECT_THAT(refusal("backing: [emulated, hosts]\n"), HasSubstr("x.yaml:7:10: "));
  EXPECT_THAT(refusal("backing: [simulated, simulated]\n"), HasSubstr("x.yaml:7:10: "));
  EXPECT_THAT(refusal("backing: imagined\n"), HasSubstr("emulated, simulated or hosts"));
}

// Payload: 10 Gbit/s x 8948/9014 with Ethernet's headers at MTU 9000, all of it without.
TEST(SimulationKeys, HeadersTakeTheirShare) {
  EXPECT_DOUBLE_EQ(payload_rate(load("")).bits_per_second, 10e9 * 8948 / 9014);
  const Experiment bare = load("", "rate: 10Gbit, headers: none, delay: 500ns");
  EXPECT_DOUBLE_EQ(payload_rate(bare).bits_per_second, 10e9);
  EXPECT_DOUBLE_EQ(bare.delay.count(), 500e-9);
}

TEST(SimulationKeys, AnEmulationHasNoneOfIt) {
  EXPECT_NO_THROW(check_backings(load("")));
  EXPECT_THROW(check_backings(load("", "rate: 10Gbit, headers: none")), InputError);
  EXPECT_THROW(check_backings(load("", "rate: 10Gbit, delay: 1us")), InputError);
  EXPECT_THROW(check_backings(load("failures: [{host: 1, at: 1us}]\n")), InputError);
  EXPECT_NO_THROW(check_backings(load("backing: simulated\nfailures: [{host: 1, at: 1us}]\n")));
}

TEST(SimulationKeys, FailuresNameTheirPlace) {
  const Experiment experiment = load("failures: [{host: 1, port: 0, at: 0s, until: 2us}]\n");
  ASSERT_EQ(experiment.failures.size(), 1u);
  EXPECT_EQ(experiment.failures[0].at, Nanoseconds(0));
  EXPECT_EQ(experiment.failures[0].until, Nanoseconds(2000));
  EXPECT_THAT(refusal("failures: [{host: 1, at: -2ms}]\n"),
              HasSubstr("x.yaml:7:26: at: '-2ms' is before the iteration begins"));
  EXPECT_THAT(refusal("failures: [{host: 1, at: 2ms, until: 2ms}]\n"), HasSubstr("x.yaml:7:38: "));
  EXPECT_THAT(refusal("failures: [{at: 2ms}]\n"), HasSubstr("one of host, switch and link"));
  EXPECT_THAT(refusal("failures: [{host: 1, switch: 0, at: 2ms}]\n"), HasSubstr("x.yaml:7:12: "));
  EXPECT_THAT(refusal("failures: [{switch: 0, port: 1, at: 2ms}]\n"), HasSubstr("x.yaml:7:30: "));
}

// On one switch with four hosts: cable i is host i's, switch 0 has all four.
TEST(SimulationKeys, FailuresAreCables) {
  const auto topology = topologies::make_topology("single-switch(4)");
  const auto cables = [&](const std::string& failure) {
    const Experiment experiment = load("failures: [" + failure + "]\n");
    return cables_of(experiment.failures.front(), *topology);
  };
  EXPECT_THAT(cables("{host: 2, at: 1us}"), ElementsAre(LinkId(2)));
  EXPECT_THAT(cables("{link: 3, at: 1us}"), ElementsAre(LinkId(3)));
  EXPECT_THAT(cables("{host: 1, port: 0, at: 1us}"), ElementsAre(LinkId(1)));
  EXPECT_EQ(cables("{switch: 0, at: 1us}").size(), 4u);
  for (const char* none : {"{host: 4, at: 1us}", "{switch: 1, at: 1us}", "{link: 4, at: 1us}",
                           "{host: 0, port: 1, at: 1us}"}) {
    EXPECT_THROW(static_cast<void>(cables(none)), InputError) << none;
  }
}

TEST(SimulationKeys, AFabricHasABuffer) {
  const Experiment plain = load("");
  EXPECT_FALSE(plain.fabric.is_lossless);
  EXPECT_EQ(plain.fabric.buffer, 100 * plain.mtu) << "100 packets";
  EXPECT_TRUE(load("fabric: lossless\n").fabric.is_lossless);
  EXPECT_THAT(refusal("fabric: wet\n"), HasSubstr("x.yaml:7:9: fabric: expected lossless or"));
}

TEST(SimulationKeys, EmulatedSwitchesDropNothing) {
  const std::string emulated =
      "gradwire: 1\nname: t\nlink: {rate: 1Gbit, buffer: 64KiB}\nelements: 90\nalgorithm: ring\n"
      "wiring: single-switch(3)\n";
  const Experiment lossless = load_experiment_text(emulated + "fabric: lossless\n", "x.yaml");
  EXPECT_NO_THROW(check_backings(lossless));
  EXPECT_EQ(lossless.fabric.buffer, 65'536u);
  const Experiment dropping = load_experiment_text(emulated + "fabric: tail-drop\n", "x.yaml");
  try {
    check_backings(dropping);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.yaml:7:9: fabric: tail-drop is for simulations"));
  }
  EXPECT_NO_THROW(check_backings(load("backing: simulated\nfabric: tail-drop\n")));
}

TEST(SimulationKeys, PricesThatAreLeftOutAreZero) {
  const Experiment experiment = load("prices: {switch: 100, cable: 2.5}\n");
  ASSERT_TRUE(experiment.prices.has_value());
  EXPECT_EQ(experiment.prices->per_switch, 100);
  EXPECT_EQ(experiment.prices->per_cable, 2.5);
  EXPECT_EQ(experiment.prices->per_nic, 0);
  EXPECT_THAT(refusal("prices: {switch: -1}\n"), HasSubstr("x.yaml:7:"));
}

}  // namespace
}  // namespace gradwire::experiment
