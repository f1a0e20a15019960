#pragma once

#include <filesystem>
#include <string>

#include "testbed/hosts/testbed_plan.h"

/// What is written of a planned testbed. The same plan gives the same text.
namespace gradwire::hosts {

inline constexpr const char* kAnsibleInventoryFile = "inventory.yaml";
inline constexpr const char* kCablingFile = "cabling.csv";
inline constexpr const char* kRunInventoryFile = "gradwire.yaml";
inline constexpr const char* kFirstExperimentFile = "experiment.yaml";
/// Written by ansible/verify.yml beside them.
inline constexpr const char* kVerificationFile = "verification.json";

/// The inventory of the playbooks in ansible/: hosts with their ports, addresses, neighbours and
/// routes.
[[nodiscard]] std::string ansible_inventory(const TestbedPlan& plan);

/// CSV for people with cables in their hands: a header, and a line per cable with its number, the
/// level or layer it climbs to, and both ends; of a host's end also what the interface is called,
/// by what it is found, and its address. Lines end with \n.
[[nodiscard]] std::string cabling_list(const TestbedPlan& plan);

/// The inventory of gradwire run --inventory (results/schema/inventory.schema.json). `program` is
/// where the hosts have gradwire; empty: where this machine has it.
[[nodiscard]] std::string run_inventory(const TestbedPlan& plan, const std::string& program);

/// An experiment for these hosts, and ansible/run.yml's unless told otherwise: the algorithms that
/// the wiring can do, over verbs. `rate` is what the links are sold as, such as 100Gbit.
[[nodiscard]] std::string first_experiment(const TestbedPlan& plan, const std::string& rate);

struct TestbedFolder {
  std::filesystem::path path;
  bool replaces = false;  ///< files that are there already
};

/// What the plan itself does not say.
struct TestbedSettings {
  std::string program;  ///< where the hosts have gradwire; empty: where this machine has it
  std::string rate = "100Gbit";  ///< first_experiment's
};

/// Writes the four into a folder, which is made if need be. Throws InputError, before anything is
/// written, when one is there already; SystemError.
void write_testbed(const TestbedPlan& plan, const TestbedFolder& folder,
                   const TestbedSettings& settings);

}  // namespace gradwire::hosts
