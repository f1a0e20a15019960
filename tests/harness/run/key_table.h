#pragma once

#include <string_view>
#include <vector>

/// Every key of results/schema/experiment.schema.json, and which points' keys go by it. Whoever adds
/// a key to experiments adds it here, and decides then.
namespace gradwire::run {

enum class In { all, emulated, simulated, none };

/// A key of results/schema/experiment.schema.json. `one` and `other` are lines that differ in it
/// and replace those of kPlain with the same first key; "-key" takes a line away.
struct Key {
  const char* path;
  In in;            ///< the keys of which points change with it
  const char* why;  ///< it does not count where it does not
  std::vector<std::string_view> one;
  std::vector<std::string_view> other;
};

/// The experiment that is varied: one point.
inline const std::vector<std::string_view> kPlain = {
    "gradwire: 1",    "name: t",        "link: {rate: 1Gbit}",
    "elements: 9000", "algorithm: bml", "wiring: \"bcube(3,2)\""};

constexpr std::string_view kNoElements = "-elements";
constexpr std::string_view kLenet = "workload: lenet5";
constexpr std::string_view kBatch = "batch: 8";
constexpr std::string_view kDevice = "compute: {device: k80}";
constexpr std::string_view kTrace = "compute: {trace: googlenet-k80}";
constexpr std::string_view kRing = "algorithm: ring";

inline const std::vector<Key> kNamesAndPlaces = {
    {"gradwire", In::none, "there is one version", {}, {}},
    {"name", In::none, "a point is the same by any name", {"name: a"}, {"name: b"}},
    {"description", In::none, "the same", {"description: a"}, {"description: b"}},
    {"backing",
     In::none,
     "a point is made for each backing, and that counts",
     {"backing: simulated"},
     {"backing: [simulated, emulated]"}},
    {"hosts.inventory",
     In::none,
     "hosts change their names",
     {"hosts: {inventory: a}"},
     {"hosts: {inventory: b}"}},
    {"hosts.verification",
     In::none,
     "what is refused is not measured",
     {"hosts: {verification: require}"},
     {"hosts: {verification: ignore}"}},
    {"hosts.mpirun",
     In::none,
     "how ranks are started is not timed",
     {"hosts: {mpirun: [a]}"},
     {"hosts: {mpirun: [b]}"}},
};

inline const std::vector<Key> kLinks = {
    {"link.rate", In::all, "", {}, {"link: {rate: 2Gbit}"}},
    {"link.mtu", In::all, "", {}, {"link: {rate: 1Gbit, mtu: 1500}"}},
    {"link.startup", In::all, "", {}, {"link: {rate: 1Gbit, startup: 5us}"}},
    {"link.delay", In::all, "", {}, {"link: {rate: 1Gbit, delay: 5us}"}},
    {"link.headers", In::all, "", {}, {"link: {rate: 1Gbit, headers: none}"}},
    {"transport", In::all, "", {}, {"transport: ucx"}},
    {"rdma.ack_timeout",
     In::none,
     "settings of RDMA stand in the context",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {ack_timeout: 9}"}},
    {"rdma.retry_count",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {retry_count: 2}"}},
    {"rdma.traffic_class",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {traffic_class: 106}"}},
    {"rdma.poll",
     In::none,
     "the same",
     {"transport: verbs"},
     {"transport: verbs", "rdma: {poll: true}"}},
    {"dilation", In::emulated, "virtual time is not dilated", {}, {"dilation: 4"}},
};

inline const std::vector<Key> kSynchronized = {
    {"elements", In::all, "", {}, {"elements: 9001"}},
    {"size", In::all, "", {kNoElements, "size: 36000"}, {kNoElements, "size: 36004"}},
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

inline const std::vector<Key> kTraining = {
    {"batch",
     In::all,
     "",
     {kNoElements, kLenet, kDevice, kBatch},
     {kNoElements, kLenet, kDevice, "batch: 16"}},
    {"schedule", In::all, "", {kNoElements, kTrace}, {kNoElements, kTrace, "schedule: synceasgd"}},
    {"compute.device",
     In::all,
     "",
     {kNoElements, kLenet, kBatch, kDevice},
     {kNoElements, kLenet, kBatch, "compute: {device: v100}"}},
    {"compute.devices",
     In::all,
     "",
     {kNoElements, kLenet, kBatch, kDevice},
     {kNoElements, kLenet, kBatch, "compute: {device: k80, devices: 2}"}},
    {"compute.efficiency",
     In::all,
     "",
     {kNoElements, kLenet, kBatch, kDevice},
     {kNoElements, kLenet, kBatch, "compute: {device: k80, efficiency: 0.5}"}},
    {"compute.trace", In::all, "", {kNoElements, kLenet, kBatch, kDevice}, {kNoElements, kTrace}},
    {"compute.load",
     In::all,
     "",
     {kNoElements, kTrace},
     {kNoElements, "compute: {trace: googlenet-k80, load: cpu}"}},
    {"cost.row",
     In::none,
     "a run measures what a synchronization costs",
     {"cost: {row: ring}"},
     {"cost: {row: ps}"}},
    {"cost.alpha", In::none, "the same", {"cost: {alpha: 1us}"}, {"cost: {alpha: 2us}"}},
    {"cost.beta", In::none, "the same", {"cost: {beta: 1}"}, {"cost: {beta: 2}"}},
    {"cost.gamma",
     In::simulated,
     "a worker takes the time that it takes",
     {},
     {"cost: {gamma: 1}"}},
    {"compare.algorithm",
     In::none,
     "what is printed of results is not one",
     {kNoElements, kTrace},
     {kNoElements, kTrace, "compare: {algorithm: bml, against: [bml]}"}},
    {"compare.schedule",
     In::none,
     "the same",
     {kNoElements, kTrace},
     {kNoElements, kTrace, "compare: {schedule: wfbp, against: [wfbp]}"}},
    {"compare.against",
     In::none,
     "the same",
     {kNoElements, kTrace},
     {kNoElements, kTrace, "compare: {algorithm: bml, against: [bml, bml]}"}},
    {"compare.published",
     In::none,
     "the same",
     {kNoElements, kTrace},
     {kNoElements, kTrace, "compare: {algorithm: bml, against: [bml], published: more}"}},
    {"compare.source",
     In::none,
     "the same",
     {kNoElements, kTrace},
     {kNoElements, kTrace, "compare: {algorithm: bml, against: [bml], source: me}"}},
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
    {"prices.switch", In::none, "a price takes no time", {}, {"prices: {switch: 1}"}},
    {"prices.switch_port", In::none, "the same", {}, {"prices: {switch_port: 1}"}},
    {"prices.nic", In::none, "the same", {}, {"prices: {nic: 1}"}},
    {"prices.cable", In::none, "the same", {}, {"prices: {cable: 1}"}},
    {"warmup", In::none, "how often is not what", {"warmup: 1"}, {"warmup: 3"}},
    {"iterations", In::none, "the same", {"iterations: 1"}, {"iterations: 3"}},
    {"check", In::none, "verified outside the timed part", {"check: every"}, {"check: never"}},
    {"timeout", In::none, "a run that fails measures nothing", {"timeout: 1s"}, {"timeout: 2s"}},
    {"max_time", In::none, "the same", {"max_time: 1s"}, {"max_time: 2s"}},
    {"seed", In::none, "values and order are not what is timed", {"seed: 1"}, {"seed: 2"}},
    {"interleave", In::none, "the same", {"interleave: true"}, {"interleave: false"}},
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
