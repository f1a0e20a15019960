#include "harness/experiment/libraries.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/overrides.h"

namespace gradwire::experiment {
namespace {

using record::Libraries;

const Libraries kAll{{"0.5.0", "4.1.4", "1.13.1", "1.14.44.0"}};
constexpr Libraries kNone{};

/// "none" when a program with these libraries can measure what the file says.
std::string refusal(const std::string& more, const Libraries& libraries,
                    const Overrides& overrides = {}) {
  const std::string file =
      "gradwire: 1\n"
      "name: small\n"
      "link: {rate: 40Gbit}\n"
      "elements: 100\n" +
      more;
  try {
    check_libraries(apply(load_experiment_text(file, "x.yaml"), overrides), libraries);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
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

TEST(Libraries, WhatIsOnlySimulatedNeedsNone) {
  EXPECT_EQ(refusal(kRing + "transport: verbs\nbacking: simulated\n", kNone), "none");
  EXPECT_EQ(refusal(kRing + "transport: verbs\nbacking: [emulated, simulated]\n", kNone),
            "x.yaml:7:12: transport verbs: this gradwire was built without libibverbs");
}

// The command line has no place, and what the file says instead is not to blame.
TEST(Libraries, WhatTheCommandLineSaysIsRefusedWithoutAPlace) {
  EXPECT_EQ(refusal(kRing + "transport: tcp\n", kNone, {.transport = names::TransportKind::ucx}),
            "transport ucx: this gradwire was built without UCX");
  EXPECT_EQ(refusal(kRing + "backing: simulated\n", kNone, {.backings = {record::Backing::hosts}}),
            "backing hosts: this gradwire was built without Open MPI");
}

}  // namespace
}  // namespace gradwire::experiment
