#include "harness/run/point_key.h"

#include <set>

#include <gtest/gtest.h>

namespace gradwire::run {
namespace {

std::vector<std::string> keys(const std::string& more,
                              record::Backing backing = record::Backing::emulated) {
  const experiment::Experiment experiment = experiment::load_experiment_text(
      "gradwire: 1\nname: t\nelements: 9000\nwiring: \"bcube(3,2)\"\n" + more, "x.yaml");
  std::vector<std::string> found;
  for (const PreparedPoint& point : prepare(experiment, backing)) found.push_back(point.key);
  return found;
}

std::string key(const std::string& more) {
  return keys(more).front();
}

const std::string kLink = "link: {rate: 1Gbit}\n";
const std::string kBml = "algorithm: bml\n";

// How often and under what name a point is measured is not what is measured.
TEST(PointKey, IsOfThePointAlone) {
  const std::string plain = key(kLink + kBml);
  EXPECT_EQ(plain.size(), 16u);
  EXPECT_EQ(key(kLink + kBml + "iterations: 3\nwarmup: 0\nseed: 5\ntimeout: 9s\n"), plain);
  EXPECT_EQ(keys(kLink + "sweep: {product: {algorithm: [ring, bml]}}\n").at(1), plain);
  EXPECT_EQ(key("link: {rate: 1000Mbit, mtu: 9000}\n" + kBml), plain);
}

TEST(PointKey, ChangesWithEverythingThatDecides) {
  std::set<std::string> all{
      key(kLink + kBml),
      key(kLink + "algorithm: ring\n"),
      key(kLink + kBml + "dilation: 4\n"),
      key("link: {rate: 2Gbit}\n" + kBml),
      key("link: {rate: 1Gbit, mtu: 1500}\n" + kBml),
      key("link: {rate: 1Gbit, startup: 5us}\n" + kBml),
      keys("backing: simulated\n" + kLink + kBml, record::Backing::simulated).front(),
      keys("backing: simulated\ncost: {gamma: 1}\n" + kLink + kBml, record::Backing::simulated)
          .front(),
      keys("backing: simulated\nfailures: [{host: 1, at: 1ms}]\n" + kLink + kBml,
           record::Backing::simulated)
          .front(),
  };
  EXPECT_EQ(all.size(), 9u);
}

// They decide what RDMA connections take, and nothing of others or of a simulation.
TEST(PointKey, ChangesWithTheSettingsOfRdma) {
  const std::string verbs = "transport: verbs\n" + kLink + kBml;
  const std::set<std::string> all{
      key(verbs),
      key(verbs + "rdma: {poll: true}\n"),
      key(verbs + "rdma: {ack_timeout: 14}\n"),
      key(verbs + "rdma: {retry_count: 3}\n"),
      key(verbs + "rdma: {traffic_class: 106}\n"),
      key(verbs + "rdma: {traffic_class: 14}\n"),
  };
  EXPECT_EQ(all.size(), 6u);
  EXPECT_EQ(key(verbs + "rdma: {poll: false, ack_timeout: 20, retry_count: 6, traffic_class: 0}\n"),
            key(verbs));
  EXPECT_EQ(key(kLink + kBml + "rdma: {poll: true}\n"), key(kLink + kBml));
  const std::string simulated = "backing: simulated\n" + verbs;
  EXPECT_EQ(keys(simulated + "rdma: {poll: true}\n", record::Backing::simulated),
            keys(simulated, record::Backing::simulated));
}

TEST(PointKey, TellsTwinsApart) {
  const auto twins = keys(kLink + "sweep: {product: {algorithm: [bml, bml]}}\n");
  EXPECT_EQ(twins.at(1), twins.at(0) + "-2");
}

}  // namespace
}  // namespace gradwire::run
