#pragma once

#include <vector>

#include "tests/harness/run/key.h"
#include "tests/harness/run/training_keys.h"

/// Every key of results/schema/experiment.schema.json: which points' keys go by it, and what an
/// experiment has that leaves it out. Whoever adds a key to experiments adds it here, and decides
/// then.
namespace gradwire::run {

inline const std::vector<Key> kNamesAndPlaces = {
    {"gradwire", In::none, "there is one version", {}, {}},
    {"name", In::none, "a point is the same by any name", {"name: a"}, {"name: b"}},
    {"description", In::none, "the same", {"description: a"}, {"description: b"}},
    {"backing",
     In::none,
     "a point is made for each backing, and that counts",
     {"backing: simulated"},
     {"backing: [simulated, emulated]"},
     []() -> nlohmann::json { return to_string(plain().backings.at(0)); }},
    {"hosts.inventory",
     In::none,
     "the command line alone names one",
     {"hosts: {inventory: a}"},
     {"hosts: {inventory: b}"}},
    {"hosts.verification",
     In::none,
     "what is refused is not measured",
     {"hosts: {verification: require}"},
     {"hosts: {verification: ignore}"},
     []() -> nlohmann::json { return plain().hosts->ignores_verification ? "ignore" : "require"; }},
};

inline const std::vector<Key> kLinks = {
    {"link.rate", In::all, "", {}, {"link: {rate: 2Gbit}"}},
    {"link.mtu", In::all, "", {}, {"link: {rate: 1Gbit, mtu: 1500}"}, of<&E::mtu>},
    {"link.startup", In::all, "", {}, {"link: {rate: 1Gbit, startup: 5us}"}},
    {"link.delay", In::all, "", {}, {"link: {rate: 1Gbit, delay: 5us}"}},
    {"link.headers",
     In::all,
     "",
     {},
     {"link: {rate: 1Gbit, headers: none}"},
     []() -> nlohmann::json { return plain().headers ? "ethernet" : "none"; }},
    {"transport",
     In::all,
     "",
     {},
     {"transport: ucx"},
     []() -> nlohmann::json { return to_string(plain().transport.kind); }},
    {"integrity",
     In::emulated,
     "virtual time has no frames",
     {},
     {"integrity: off"},
     []() -> nlohmann::json { return plain().transport.check_frames ? "crc32c" : "off"; }},
    {"rdma.ack_timeout",
     In::none,
     "settings of RDMA stand in the context",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {ack_timeout: 9}"},
     of<&R::ack_timeout>},
    {"rdma.retry_count",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {retry_count: 2}"},
     of<&R::retry_count>},
    {"rdma.traffic_class",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {traffic_class: 106}"},
     of<&R::traffic_class>},
    {"rdma.poll",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {poll: true}"},
     of<&R::poll>},
    {"dilation",
     In::emulated,
     "virtual time is not dilated",
     {},
     {"dilation: 4"},
     []() -> nlohmann::json {
       return plain().dilation ? nlohmann::json(*plain().dilation) : nlohmann::json("auto");
     }},
};

inline const std::vector<Key> kSynchronized = {
    {"elements", In::all, "", {}, {"elements: 9001"}},
    {"size", In::all, "", {kNoElements, "size: 36000"}, {kNoElements, "size: 36004"}},
    {"dtype",
     In::all,
     "",
     {},
     {"dtype: int32"},
     []() -> nlohmann::json { return to_string(plain().points.at(0).type); }},
    {"workload", In::all, "", {kNoElements, kLenet}, {kNoElements, "workload: alexnet"}},
    {"algorithm", In::all, "", {}, {kRing}},
    {"wiring", In::all, "", {}, {"wiring: \"bcube(2,2)\""}},
    {"sweep.zip",
     In::none,
     "a point is the same however it is named",
     {},
     {"-algorithm", "sweep: {zip: {algorithm: [bml]}}"}},
    {"sweep.product",
     In::none,
     "the same",
     {},
     {"-algorithm", "sweep: {product: {algorithm: [bml]}}"}},
};

constexpr const char* kReal = "failures are for simulations";
inline const std::vector<Key> kFailures = {
    {"failures.host",
     In::simulated,
     kReal,
     {"failures: [{host: 1, at: 1ms}]"},
     {"failures: [{host: 2, at: 1ms}]"}},
    {"failures.port",
     In::simulated,
     kReal,
     {"failures: [{host: 1, at: 1ms}]"},
     {"failures: [{host: 1, port: 1, at: 1ms}]"}},
    {"failures.switch",
     In::simulated,
     kReal,
     {"failures: [{switch: 1, at: 1ms}]"},
     {"failures: [{switch: 2, at: 1ms}]"}},
    {"failures.link",
     In::simulated,
     kReal,
     {"failures: [{link: 1, at: 1ms}]"},
     {"failures: [{link: 2, at: 1ms}]"}},
    {"failures.at",
     In::simulated,
     kReal,
     {"failures: [{link: 1, at: 1ms}]"},
     {"failures: [{link: 1, at: 2ms}]"}},
    {"failures.until",
     In::simulated,
     kReal,
     {"failures: [{link: 1, at: 1ms}]"},
     {"failures: [{link: 1, at: 1ms, until: 2ms}]"}},
};

inline const std::vector<Key> kMeasuring = {
    {"prices.switch",
     In::none,
     "a price takes no time",
     {},
     {"prices: {switch: 1}"},
     of<&P::per_switch>},
    {"prices.switch_port",
     In::none,
     "the same",
     {},
     {"prices: {switch_port: 1}"},
     of<&P::per_switch_port>},
    {"prices.nic", In::none, "the same", {}, {"prices: {nic: 1}"}, of<&P::per_nic>},
    {"prices.cable", In::none, "the same", {}, {"prices: {cable: 1}"}, of<&P::per_cable>},
    {"warmup", In::none, "how often is not what", {"warmup: 1"}, {"warmup: 3"}, of<&E::warmup>},
    {"iterations", In::none, "the same", {"iterations: 1"}, {"iterations: 3"}, of<&E::iterations>},
    {"check",
     In::none,
     "verified outside the timed part",
     {"check: every"},
     {"check: never"},
     []() -> nlohmann::json { return to_string(plain().check); }},
    {"timeout",
     In::none,
     "a run that fails measures nothing",
     {"timeout: 1s"},
     {"timeout: 2s"},
     []() -> nlohmann::json { return in_seconds(plain().timeout); }},
    {"max_time", In::none, "the same", {"max_time: 1s"}, {"max_time: 2s"}},
    {"seed",
     In::none,
     "values and order are not what is timed",
     {"seed: 1"},
     {"seed: 2"},
     of<&E::seed>},
    {"interleave",
     In::none,
     "the same",
     {"interleave: true"},
     {"interleave: false"},
     of<&E::interleave>},
};

inline std::vector<Key> all_keys() {
  std::vector<Key> all;
  for (const auto& part :
       {kNamesAndPlaces, kLinks, kSynchronized, kTraining, kFailures, kMeasuring}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace gradwire::run
