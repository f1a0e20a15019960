#include "testbed/hosts/testbed_files.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <yaml-cpp/yaml.h>

#include "testbed/hosts/inventory.h"
#include "testbed/scratch_folder.h"
#include "topologies/registry.h"

namespace gradwire::hosts {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TestbedPlan plan_of(const char* wiring, const std::string& hosts) {
  auto topology = require_cabling(topologies::make_topology(wiring));
  auto listed = load_host_list_text(hosts, "hosts.csv", *topology);
  return plan_testbed(std::move(topology), std::move(listed), {});
}

std::string hosts_of(std::size_t hosts, const std::string& ports) {
  std::string text =
      ports.find(',') == std::string::npos ? "name,address,port0\n" : "name,address,port0,port1\n";
  for (std::size_t i = 0; i < hosts; ++i) {
    text += fmt::format("h{},192.168.7.{},{}\n", i, i + 1, ports);
  }
  return text;
}

constexpr const char* kFour =
    "name,address,user,ssh_port,port0,port1\n"
    "red,192.168.7.11,bench,2222,3b:00.0,3b:00.1\n"
    "no,192.168.7.12,,,3b:00.0,3b:00.1\n"
    "blue,192.168.7.13,,,52:54:00:12:34:56,03:00.1\n"
    "grey,192.168.7.14,,,3b:00.0,3b:00.1\n";

TEST(AnsibleInventory, SaysWhatAHostIsAndHas) {
  const std::string text = ansible_inventory(plan_of("bcube(2,2)", kFour));
  EXPECT_THAT(text, HasSubstr(R"(
      hosts:
        red:
          ansible_host: 192.168.7.11
          ansible_user: bench
          ansible_port: 2222
          gradwire_rank: 0  # 0,0
          gradwire_ports:
            - device: bc0
              rdma: rbc0
              level: 0
              pci: "0000:3b:00.0"
              address: 10.100.0.1
              prefix_length: 24
              switch: L0-0
              switch_port: 0
              neighbours:
                - {host: "no", port: 0, address: 10.100.0.2}
)"));
  EXPECT_THAT(text, HasSubstr(R"(
          gradwire_routes:
            - {to: 10.100.1.0/24, gateway: 10.101.0.2, device: bc1}
            - {to: 10.101.1.0/24, gateway: 10.100.0.2, device: bc0}
          gradwire_relays: true
        "no":
          ansible_host: 192.168.7.12
)"));
}

// Ansible's reader would take these for a number in base 60 and for a truth.
TEST(AnsibleInventory, QuotesWhatIsNoPlainWord) {
  const std::string text = ansible_inventory(plan_of("bcube(2,2)", kFour));
  EXPECT_THAT(text, AllOf(HasSubstr("mac: \"52:54:00:12:34:56\""), HasSubstr("\"no\":"),
                          HasSubstr("pci: \"0000:03:00.1\"")));
  EXPECT_EQ(YAML::Load(text)["all"]["children"]["testbed"]["hosts"].size(), 4u);
}

TEST(AnsibleInventory, IsTheSameEveryTime) {
  EXPECT_EQ(ansible_inventory(plan_of("bcube(2,2)", kFour)),
            ansible_inventory(plan_of("bcube(2,2)", kFour)));
}

TEST(CablingList, HasALinePerCable) {
  const std::string text = cabling_list(plan_of("bcube(2,2)", kFour));
  EXPECT_THAT(text, StartsWith("cable,to_layer,from,from_port,device,nic,address,to,to_port\n"
                               "0,level 0,red,0,bc0,0000:3b:00.0,10.100.0.1/24,L0-0,0\n"));
  EXPECT_EQ(std::ranges::count(text, '\n'), 9);
}

TEST(CablingList, OfAFatTreeHasTheSwitchesCables) {
  const std::string text = cabling_list(plan_of("fat-tree(4)", hosts_of(16, "3b:00.0")));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 48);
  EXPECT_THAT(text, AllOf(HasSubstr("\n16,aggregation,P0-E0,2,,,,P0-A0,0\n"),
                          HasSubstr("\n47,core,P3-A1,3,,,,C3,3\n")));
}

/// Reads what was written as gradwire run does.
Inventory reread(const TestbedPlan& plan) {
  Inventory inventory =
      load_inventory_text(run_inventory(plan, "/opt/gradwire"), "t/gradwire.yaml");
  require_fit(inventory, *plan.topology, {});
  return inventory;
}

TEST(RunInventory, FitsItsWiring) {
  for (const auto& [wiring, hosts] : {std::pair("bcube(2,2)", std::string(kFour)),
                                      {"bcube(3,2)", hosts_of(9, "3b:00.0,3b:00.1")},
                                      {"fat-tree(4)", hosts_of(16, "3b:00.0")},
                                      {"single-switch(5)", hosts_of(5, "3b:00.0")},
                                      {"single-switch(3)", hosts_of(3, "eth1")}}) {
    const TestbedPlan plan = plan_of(wiring, hosts);
    const Inventory inventory = reread(plan);
    EXPECT_EQ(inventory.control, plan.control);
    EXPECT_EQ(inventory.program, "/opt/gradwire");
    for (std::size_t rank = 0; rank < plan.hosts.size(); ++rank) {
      const TestbedHost& host = plan.hosts[rank];
      EXPECT_EQ(inventory.hosts[rank].name, host.listed.name);
      EXPECT_EQ(inventory.hosts[rank].ssh.target, host.listed.address);
      EXPECT_EQ(inventory.hosts[rank].ssh.port, host.listed.ssh_port);
      for (std::size_t port = 0; port < host.ports.size(); ++port) {
        const transport::PortBinding& binding = inventory.hosts[rank].ports[port];
        EXPECT_EQ(binding.device, host.ports[port].device) << wiring;
        EXPECT_EQ(binding.rdma, host.ports[port].rdma);
        EXPECT_EQ(binding.address, to_string(host.ports[port].address.address));
      }
    }
  }
}

TEST(RunInventory, KeepsItsPlan) {
  EXPECT_EQ(reread(plan_of("bcube(2,2)", kFour)).plan, "bcube(2,2)");
  EXPECT_EQ(reread(plan_of("single-switch(3)", hosts_of(3, "eth1"))).plan, "");
}

TEST(WriteTestbed, ReplacesNothingUnlessAsked) {
  namespace fs = std::filesystem;
  const testbed::ScratchFolder scratch("gw-inventory");
  const fs::path folder = scratch.path() / "a" / "testbed";
  const TestbedPlan plan = plan_of("bcube(2,2)", kFour);
  write_testbed(plan, {.path = folder}, {});
  EXPECT_EQ(load_inventory(folder / kRunInventoryFile).hosts.size(), 4u);
  fs::remove(folder / kAnsibleInventoryFile);
  try {
    write_testbed(plan, {.path = folder}, {});
    ADD_FAILURE() << "replaced";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("cabling.csv"), HasSubstr("--force")));
  }
  EXPECT_FALSE(fs::exists(folder / kAnsibleInventoryFile)) << "nothing is written";
  write_testbed(plan, {.path = folder, .replaces = true}, {});
  EXPECT_TRUE(fs::exists(folder / kAnsibleInventoryFile));
}

}  // namespace
}  // namespace gradwire::hosts
