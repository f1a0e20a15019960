#include "testbed/hosts/inventory.h"

#include <gmock/gmock.h>

#include "topologies/registry.h"

namespace gradwire::hosts {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kPlanned =
    "gradwire-inventory: 1\n"
    "control: [10.99.0.0/16]\n"
    "user: bench\n"
    "options: [StrictHostKeyChecking=accept-new]\n"
    "plan: bcube(2,2)\n"
    "device: bc{level}\n"
    "rdma: mlx5_{level}\n"
    "hosts:\n"
    "  - {name: red, ssh: 10.1.2.3, port: 2222, user: root}\n"
    "  - {name: green}\n"
    "  - {name: blue}\n"
    "  - {name: grey}\n";

constexpr const char* kListed =
    "gradwire-inventory: 1\n"
    "control: [eth0]\n"
    "agent: /usr/bin/rsh\n"
    "program: /opt/gradwire\n"
    "hosts:\n"
    "  - {name: red, ports: [{device: eth1, address: 10.1.0.1, rdma: mlx5_3}]}\n"
    "  - {name: green, ports: [{device: eth7, address: 10.1.0.2}]}\n";

/// What it says of a text in which `from` is replaced.
std::string refusal_of_inventory(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  try {
    static_cast<void>(load_inventory_text(text, "rack.yaml"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string misfit(const char* text, const std::string& wiring) {
  try {
    require_fit(load_inventory_text(text, "rack.yaml"), *topologies::make_topology(wiring),
                {.file = "experiment.yaml", .line = 7, .column = 3});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Inventory, APlanSaysThePorts) {
  const Inventory inventory = load_inventory_text(kPlanned, "rack.yaml");
  ASSERT_EQ(inventory.hosts.size(), 4u);
  EXPECT_EQ(inventory.plan, "bcube(2,2)");
  const std::vector<transport::PortBinding> ports{
      {.device = "bc0", .address = "10.100.0.2", .rdma = "mlx5_0"},
      {.device = "bc1", .address = "10.101.1.1", .rdma = "mlx5_1"}};
  EXPECT_EQ(inventory.hosts[1].ports, ports);
}

TEST(Inventory, PortsMayBeListed) {
  const Inventory inventory = load_inventory_text(kListed, "rack.yaml");
  const std::vector<transport::PortBinding> ports{
      {.device = "eth1", .address = "10.1.0.1", .rdma = "mlx5_3"}};
  EXPECT_EQ(inventory.hosts[0].ports, ports);
  EXPECT_EQ(inventory.hosts[1].ports.front().rdma, "");
  EXPECT_EQ(inventory.agent, "/usr/bin/rsh");
  EXPECT_EQ(inventory.program, "/opt/gradwire");
  EXPECT_TRUE(inventory.mpirun.empty());
}

TEST(Inventory, MayHaveArgumentsOfMpirun) {
  const std::vector<std::string> arguments{"--mca", "plm_rsh_num_concurrent", "64"};
  EXPECT_EQ(load_inventory_text(
                std::string(kListed) + "mpirun: [--mca, plm_rsh_num_concurrent, 64]\n", "rack.yaml")
                .mpirun,
            arguments);
}

TEST(Inventory, SshKnowsEveryHostByItsName) {
  const std::string config = ssh_config(load_inventory_text(kPlanned, "rack.yaml"));
  EXPECT_THAT(config, AllOf(HasSubstr("Host red\n  HostName 10.1.2.3\n  User root\n  Port 2222\n"
                                      "  StrictHostKeyChecking=accept-new\n"),
                            HasSubstr("Host green\n  HostName green\n  User bench\n  Strict")));
}

TEST(Inventory, ErrorsNameTheirPlace) {
  EXPECT_THAT(refusal_of_inventory(kPlanned, "user: bench", "usr: bench"),
              AllOf(HasSubstr("rack.yaml:3:1: "), HasSubstr("did you mean 'user'")));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "bcube(2,2)", "bcube(2)"),
              HasSubstr("rack.yaml:5:7: "));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "device: bc{level}\n", ""), HasSubstr("'device'"));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "  - {name: grey}\n", ""),
              AllOf(HasSubstr("rack.yaml:9:3: "), HasSubstr("bcube(2,2) has 4 hosts; here are 3")));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "name: green", "name: red"),
              AllOf(HasSubstr("rack.yaml:10:12: "), HasSubstr("two hosts red")));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "name: green",
                                   "name: green, ports: [{device: a, address: 1.2.3.4}]"),
              AllOf(HasSubstr("rack.yaml:10:5: "), HasSubstr("leave 'ports' out")));
  EXPECT_THAT(refusal_of_inventory(kListed, "10.1.0.2", "10.1.0.999"),
              HasSubstr("rack.yaml:7:51: "));
  EXPECT_THAT(refusal_of_inventory(kListed, ", ports: [{device: eth7, address: 10.1.0.2}]", ""),
              AllOf(HasSubstr("rack.yaml:7:5: "), HasSubstr("has no ports")));
  EXPECT_THAT(refusal_of_inventory(kListed, "control: [eth0]\n", ""),
              HasSubstr("'control' is missing"));
  EXPECT_THAT(refusal_of_inventory(kListed, "control: [eth0]", "control: [eth0]\nrdma: x"),
              HasSubstr("rack.yaml:3:7: "));
}

TEST(Inventory, NothingIsThereTwice) {
  EXPECT_THAT(refusal_of_inventory(kPlanned, "bc{level}", "bc0"),
              AllOf(HasSubstr("rack.yaml:6:9: "), HasSubstr("put {level}")));
  EXPECT_THAT(refusal_of_inventory(kPlanned, "mlx5_{level}", "mlx5_0"),
              HasSubstr("rack.yaml:7:7: "));
  EXPECT_THAT(refusal_of_inventory(kListed, "10.1.0.2", "10.1.0.1"),
              AllOf(HasSubstr("rack.yaml:7:5: "),
                    HasSubstr("red and green have the same address 10.1.0.1")));
  EXPECT_THAT(
      refusal_of_inventory(kListed, "{device: eth7, address: 10.1.0.2}",
                           "{device: eth7, address: 10.1.0.2}, {device: eth7, address: 10.1.0.3}"),
      HasSubstr("rack.yaml:7:5: "));
  EXPECT_THAT(
      refusal_of_inventory(kPlanned, "{name: green}", "{name: green, ssh: 10.1.2.3, port: 2222}"),
      AllOf(HasSubstr("rack.yaml:10:5: "), HasSubstr("same ssh server")));
  EXPECT_EQ(refusal_of_inventory(kPlanned, "{name: green}", "{name: green, ssh: 10.1.2.3}"),
            "accepted")
      << "another port is another host, behind one address";
}

// Told by its version, whatever else in it this program does not know.
TEST(Inventory, OfANewerVersionIsRefusedByItsVersion) {
  EXPECT_EQ(refusal_of_inventory("racks: [a, b]\ngradwire-inventory: 1\n", "1\n", "2\n"),
            "rack.yaml:2:21: the file is of version 2; this gradwire reads version 1");
}

TEST(Inventory, SshGivesUpOnAHostThatIsOff) {
  EXPECT_THAT(ssh_config(load_inventory_text(kPlanned, "rack.yaml")),
              HasSubstr("  ConnectTimeout 20\n"));
}

TEST(Inventory, MustFitTheWiring) {
  EXPECT_EQ(misfit(kPlanned, "bcube(2,2)"), "");
  EXPECT_EQ(misfit(kListed, "single-switch(2)"), "");
  EXPECT_THAT(misfit(kPlanned, "bcube(4,1)"),
              AllOf(HasSubstr("experiment.yaml:7:3: "), HasSubstr("cabled as bcube(2,2)")));
  EXPECT_THAT(misfit(kListed, "single-switch(3)"), HasSubstr("has 3 hosts; the inventory has 2"));
  EXPECT_THAT(misfit(kListed, "bcube(2,1)"), "");
}

}  // namespace
}  // namespace gradwire::hosts
