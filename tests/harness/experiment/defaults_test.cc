// Every default that results/schema/experiment.schema.json states is the one that the program takes.
#include <functional>
#include <map>
#include <set>
#include <string>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/experiment/experiment.h"
#include "text/schemas.h"

namespace gradwire::experiment {
namespace {

using nlohmann::json;

/// An experiment that says no more than it must.
constexpr const char* kPlain =
    "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nalgorithm: ring\nwiring: single-switch(3)\n";

Experiment plain() {
  return load_experiment_text(std::string(kPlain) + "elements: 9\nhosts: {inventory: i.yaml}\n",
                              "x");
}

/// The same as a training job.
Compute plain_compute() {
  return load_experiment_text(
             std::string(kPlain) + "workload: lenet5\ncompute: {device: k80}\nbatch: 1\n", "x")
      .compute.value();
}

/// With prices of which only one is given.
topologies::Prices prices_but(const std::string& given) {
  return load_experiment_text(std::string(kPlain) + "elements: 9\nprices: {" + given + ": 7}\n",
                              "x")
      .prices.value();
}

/// What an experiment has where it does not say so, by the key's path, in the schema's form.
const std::map<std::string, std::function<json()>>& taken() {
  static const std::map<std::string, std::function<json()>> all{
      {"backing", [] { return to_string(plain().backings.at(0)); }},
      {"transport", [] { return to_string(plain().transport.kind); }},
      {"rdma.ack_timeout", [] { return plain().transport.ack_timeout; }},
      {"rdma.retry_count", [] { return plain().transport.retry_count; }},
      {"rdma.traffic_class", [] { return plain().transport.traffic_class; }},
      {"rdma.poll", [] { return plain().transport.poll; }},
      {"hosts.verification",
       [] { return plain().hosts->ignores_verification ? "ignore" : "require"; }},
      {"link.mtu", [] { return plain().mtu; }},
      {"link.headers", [] { return plain().headers ? "ethernet" : "none"; }},
      {"dilation", [] { return plain().dilation ? json(*plain().dilation) : json("auto"); }},
      {"compute.devices", [] { return plain_compute().devices; }},
      {"compute.efficiency", [] { return plain_compute().efficiency; }},
      {"compute.load", [] { return to_string(plain_compute().load); }},
      {"cost.gamma", [] { return plain().cost.gamma; }},
      {"prices.switch", [] { return prices_but("nic").per_switch; }},
      {"prices.switch_port", [] { return prices_but("nic").per_switch_port; }},
      {"prices.nic", [] { return prices_but("cable").per_nic; }},
      {"prices.cable", [] { return prices_but("nic").per_cable; }},
      {"warmup", [] { return plain().warmup; }},
      {"iterations", [] { return plain().iterations; }},
      {"check", [] { return to_string(plain().check); }},
      {"timeout", [] { return fmt::format("{:g}s", Seconds(plain().timeout).count()); }},
      {"seed", [] { return plain().seed; }},
      {"interleave", [] { return plain().interleave; }},
  };
  return all;
}

/// The defaults that a schema states, by path.
std::map<std::string, json> stated(const json& schema, const std::string& path) {
  std::map<std::string, json> found;
  if (schema.contains("default")) found[path] = schema.at("default");
  const json properties = schema.value("properties", json::object());
  for (const auto& [key, inner] : properties.items()) {
    found.merge(stated(inner, path.empty() ? key : path + "." + key));
  }
  return found;
}

TEST(Defaults, AreWhatTheSchemaStates) {
  const auto all = stated(json::parse(text::schema("experiment")), "");
  EXPECT_EQ(all.size(), taken().size()) << "of every default that is looked at";
  for (const auto& [path, value] : all) {
    ASSERT_TRUE(taken().contains(path)) << path;
    EXPECT_EQ(json(taken().at(path)()), value) << path;
  }
}

// Said in words, because the link may have another.
TEST(Defaults, OfAStartUpTimeAreSaidInTheSchemasText) {
  const json cost = json::parse(text::schema("experiment")).at("properties").at("cost");
  const std::string text = cost.at("properties").at("alpha").at("description");
  EXPECT_THAT(text, ::testing::HasSubstr(fmt::format("or {:g}us.", kDefaultAlpha.count() * 1e6)));
}

}  // namespace
}  // namespace gradwire::experiment
