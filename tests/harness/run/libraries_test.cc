#include "harness/run/libraries.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/overrides.h"
#include "harness/run/resumption.h"

namespace gradwire::run {
namespace {

using experiment::Experiment;
using experiment::Overrides;
using record::Libraries;

const Libraries kAll{{"0.5.0", "4.1.4", "1.13.1", "1.14.44.0", "0.3.21", "13.0.88"}};
constexpr Libraries kNone{};

Experiment experiment_of(const std::string& more, const Overrides& overrides = {}) {
  const std::string file =
      "gradwire: 1\n"
      "name: small\n"
      "link: {rate: 40Gbit}\n"
      "elements: 100\n" +
      more;
  return apply(experiment::load_experiment_text(file, "x.yaml"), overrides);
}

/// All points. There is no rack: those of hosts are made as an emulation's.
PreparedPoints points_of(const Experiment& experiment) {
  const auto of = [&](record::Backing backing, record::Backing as) {
    return runs_on(experiment, backing) ? prepare(experiment, as) : std::vector<PreparedPoint>();
  };
  return {.emulated = of(record::Backing::emulated, record::Backing::emulated),
          .hosts = of(record::Backing::hosts, record::Backing::emulated),
          .simulated = of(record::Backing::simulated, record::Backing::simulated)};
}

/// "none" when a program with these libraries can measure the points.
std::string refusal(const Experiment& experiment, const PreparedPoints& points,
                    const Libraries& libraries) {
  try {
    require_libraries(experiment, points, libraries);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// The same of all points of what the file says.
std::string refusal(const std::string& more, const Libraries& libraries,
                    const Overrides& overrides = {}) {
  const Experiment experiment = experiment_of(more, overrides);
  return refusal(experiment, points_of(experiment), libraries);
}

const std::string kRing = "wiring: single-switch(4)\nalgorithm: ring\n";

TEST(Libraries, ATransportIsRefusedWhereItStands) {
  EXPECT_EQ(refusal(kRing + "transport: ucx\n", kNone),
            "x.yaml:7:12: transport ucx: this gradwire was built without UCX");
  EXPECT_EQ(refusal(kRing + "transport: ucx-rc\n", kNone),
            "x.yaml:7:12: transport ucx-rc: this gradwire was built without UCX");
  EXPECT_EQ(refusal(kRing + "transport: verbs\n", kNone),
            "x.yaml:7:12: transport verbs: this gradwire was built without libibverbs");
  EXPECT_EQ(refusal(kRing + "transport: tcp\n", kNone), "none");
  EXPECT_EQ(refusal(kRing, kNone), "none");
}

TEST(Libraries, AnAlgorithmIsRefusedWhereItStands) {
  const std::string both =
      "wiring: single-switch(4)\n"
      "sweep:\n"
      "  product:\n"
      "    algorithm: [ring, gloo(ring), mpi]\n";
  EXPECT_EQ(refusal(both, kNone), "x.yaml:8:23: gloo(ring): this gradwire was built without Gloo");
  EXPECT_EQ(refusal(both, Libraries{{"0.5.0", "", "", ""}}),
            "x.yaml:8:35: mpi: this gradwire was built without Open MPI");
  EXPECT_EQ(refusal(both, kAll), "none");
}

// The ranks of hosts meet over MPI, whatever carries the gradient.
TEST(Libraries, HostsAreRefusedWhereTheyStand) {
  const std::string inventory = "hosts: {inventory: rack.yaml}\n";
  EXPECT_EQ(refusal(kRing + inventory + "backing: hosts\n", kNone),
            "x.yaml:8:10: backing hosts: this gradwire was built without Open MPI");
  EXPECT_EQ(refusal(kRing + inventory + "backing: [hosts, simulated]\n", kNone),
            "x.yaml:8:10: backing hosts: this gradwire was built without Open MPI");
  EXPECT_EQ(refusal(kRing + inventory + "backing: hosts\n", kAll), "none");
}

TEST(Libraries, MemoryOfDevicesIsRefusedWhereItStands) {
  const std::string device = kRing + "backing: hosts\nmemory: device\n";
  Libraries without_cuda = kAll;
  without_cuda.versions[static_cast<std::size_t>(record::Library::cuda)] = "";
  EXPECT_EQ(refusal(device, without_cuda),
            "x.yaml:8:9: memory: device: this gradwire was built without CUDA");
  EXPECT_EQ(refusal(device, kAll), "none");
  EXPECT_EQ(refusal(kRing + "memory: host\n", without_cuda), "none");
}

TEST(Libraries, WhatIsOnlySimulatedNeedsNone) {
  EXPECT_EQ(refusal(kRing + "transport: verbs\nbacking: simulated\n", kNone), "none");
  EXPECT_EQ(refusal(kRing + "transport: verbs\nbacking: [emulated, simulated]\n", kNone),
            "x.yaml:7:12: transport verbs: this gradwire was built without libibverbs");
}

// The command line has no place, and what the file says instead is not to blame.
TEST(Libraries, WhatTheCommandLineSaysIsRefusedWithoutAPlace) {
  EXPECT_EQ(
      refusal(kRing + "transport: tcp\n", kNone, {.transport = execution::TransportKind::ucx}),
      "transport ucx: this gradwire was built without UCX");
  EXPECT_EQ(refusal(kRing + "backing: simulated\n", kNone, {.backings = {record::Backing::hosts}}),
            "backing hosts: this gradwire was built without Open MPI");
}

// Those that are left of a run need theirs, those that have all their iterations none.
TEST(Libraries, WhatIsDoneNeedsNone) {
  const Experiment experiment = experiment_of(
      "wiring: single-switch(4)\nbacking: [emulated, simulated]\ntransport: ucx\n"
      "algorithm: ring\niterations: 3\n");
  PreparedPoints left = points_of(experiment);
  EXPECT_EQ(refusal(experiment, left, kNone),
            "x.yaml:7:12: transport ucx: this gradwire was built without UCX");
  record::StoredRun before;
  before.points.resize(1);
  before.points[0].record.key = left.emulated.at(0).key;
  before.points[0].gst = {1, 1};
  remove_done(before, experiment, left);
  EXPECT_NE(refusal(experiment, left, kNone), "none") << "an iteration is left to be measured";
  before.points[0].gst = {1, 1, 1};
  remove_done(before, experiment, left);
  ASSERT_EQ(left.size(), 1u) << "the simulation";
  EXPECT_EQ(refusal(experiment, left, kNone), "none");
}

// A sweep over libraries goes on without the one whose points are done.
TEST(Libraries, EachPointNeedsItsOwn) {
  const Experiment experiment =
      experiment_of("wiring: single-switch(4)\nsweep: {product: {algorithm: [gloo(ring), mpi]}}\n");
  PreparedPoints left = points_of(experiment);
  left.emulated.erase(left.emulated.begin());
  EXPECT_EQ(refusal(experiment, left, kNone),
            "x.yaml:6:43: mpi: this gradwire was built without Open MPI");
  EXPECT_EQ(refusal(experiment, left, Libraries{{"", "4.1.4", "", ""}}), "none");
}

}  // namespace
}  // namespace gradwire::run
