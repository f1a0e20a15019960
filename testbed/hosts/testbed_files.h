#pragma once

#include <filesystem>
#include <string>

#include "testbed/hosts/testbed_plan.h"

/// Files of a planned testbed. The same plan gives the same text.
namespace gradwire::hosts {

inline constexpr const char* kAnsibleInventoryFile = "inventory.yaml";
inline constexpr const char* kCablingFile = "cabling.csv";
inline constexpr const char* kRunInventoryFile = "gradwire.yaml";
inline constexpr const char* kFirstExperimentFile = "experiment.yaml";
/// The file that ansible/verify.yml writes beside them.
inline constexpr const char* kVerificationFile = "verification.json";

/// The inventory of the playbooks in ansible/: hosts with their ports, addresses, neighbours and
/// routes.
[[nodiscard]] std::string ansible_inventory(const TestbedPlan& plan);

/// Cabling list as CSV, for people who plug the cables: a header, and a line per cable with its
/// number, the level or layer it climbs to, and both ends. A host's end also has the interface's
/// name, the key it is found by, and its address. Lines end with \n.
[[nodiscard]] std::string cabling_list(const TestbedPlan& plan);

/// The inventory for gradwire run --inventory (results/schema/inventory.schema.json). `program` is
/// gradwire's path on the hosts; empty: as on this machine.
[[nodiscard]] std::string run_inventory(const TestbedPlan& plan, const std::string& program);

/// First experiment for these hosts, which ansible/run.yml runs by default: the algorithms that the
/// wiring allows, over verbs. `rate` is the nominal rate of the links, such as 100Gbit.
[[nodiscard]] std::string first_experiment(const TestbedPlan& plan, const std::string& rate);

struct TestbedFolder {
  std::filesystem::path path;
  bool replaces = false;  ///< whether existing files are replaced
};

/// Settings that the plan itself does not have.
struct TestbedSettings {
  std::string program;           ///< gradwire's path on the hosts; empty: as on this machine
  std::string rate = "100Gbit";  ///< rate of first_experiment()
};

/// Writes the four files into a folder, which is made if need be. Throws InputError, before
/// anything is written, when one exists already; SystemError.
void write_testbed(const TestbedPlan& plan, const TestbedFolder& folder,
                   const TestbedSettings& settings);

}  // namespace gradwire::hosts
