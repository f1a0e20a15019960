#include <fstream>

#include <gmock/gmock.h>

#include "testbed/hosts/inventory.h"
#include "tests/harness/program.h"

/// gradwire topo inventory, as an operator calls it.
namespace gradwire::hosts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::read;

class InventoryProgram : public testing::Program {
 protected:
  void SetUp() override {  // it needs nothing of the machine
    std::ofstream(hosts_) << "name,address,port0,port1\n"
                             "a,192.168.7.1,3b:00.0,3b:00.1\nb,192.168.7.2,3b:00.0,3b:00.1\n"
                             "c,192.168.7.3,3b:00.0,3b:00.1\nd,192.168.7.4,3b:00.0,3b:00.1\n";
  }

  int make(std::vector<std::string> more) {
    std::vector<std::string> arguments{"topo", "inventory", "--hosts", hosts_, "-o", folder_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return finish(start(std::move(arguments)));
  }
  [[nodiscard]] std::string errors() const { return read(scratch_ / "stderr"); }

  const std::string hosts_ = scratch_ / "hosts.csv";
  const std::string folder_ = scratch_ / "testbed";
};

TEST_F(InventoryProgram, WritesAFolder) {
  EXPECT_EQ(make({"--control", "eno1", "--control", "10.1.0.0/16,eno2", "bcube(2,2)"}),
            commands::kExitOk)
      << errors();
  const Inventory inventory = load_inventory(folder_ + "/gradwire.yaml");
  EXPECT_EQ(inventory.control, (std::vector<std::string>{"eno1", "10.1.0.0/16", "eno2"}));
  EXPECT_EQ(inventory.verification, folder_ + "/verification.json");
  EXPECT_THAT(read(scratch_ / "stdout"), HasSubstr("cabling.csv: 8 cables"));
}

// The second of the two documented commands: its experiment is of the hosts that it is beside.
TEST_F(InventoryProgram, WritesAnExperimentThatFitsTheHosts) {
  const auto plan = [&] {
    return finish(start({"run", "--dry-run", folder_ + "/experiment.yaml", "--inventory",
                         folder_ + "/gradwire.yaml"}));
  };
  ASSERT_EQ(make({"bcube(2,2)", "--rate", "25Gbit"}), commands::kExitOk) << errors();
  EXPECT_EQ(plan(), commands::kExitOk) << errors();
  const std::string points = read(scratch_ / "stdout");
  for (const char* word : {"ring", "ps", "bml", "bcube(2,2)", "hosts"}) {
    EXPECT_THAT(points, HasSubstr(word));
  }
  ASSERT_EQ(make({"single-switch(4)", "--force"}), commands::kExitUsage) << "two columns of ports";
  std::ofstream(hosts_) << "name,address,port0\n"
                           "a,192.168.7.1,3b:00.0\nb,192.168.7.2,3b:00.0\n";
  ASSERT_EQ(make({"single-switch(2)", "--force"}), commands::kExitOk) << errors();
  EXPECT_EQ(plan(), commands::kExitOk) << errors();
  EXPECT_THAT(read(scratch_ / "stdout"), Not(HasSubstr("bml")));
  EXPECT_EQ(make({"single-switch(2)", "--force", "--rate", "fast"}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("fast"));
}

TEST_F(InventoryProgram, RefusesWhatDoesNotFit) {
  EXPECT_EQ(make({"bcube(3,2)"}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("hosts.csv: bcube(3,2) has 9 hosts; here are 4"));
  EXPECT_EQ(make({"torus(2,2)"}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("torus(2,2) cannot be cabled"));
  EXPECT_EQ(make({"bcube(2,2)", "--program", "gradwire"}), commands::kExitUsage);
  EXPECT_THAT(errors(), HasSubstr("--program: 'gradwire' is no absolute path"));
  EXPECT_FALSE(testing::fs::exists(folder_));
}

}  // namespace
}  // namespace gradwire::hosts
