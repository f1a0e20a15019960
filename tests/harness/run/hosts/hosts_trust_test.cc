#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/commands/exit_code.h"
#include "tests/harness/run/hosts/rack.h"

/// Whose commands gradwire run --backing hosts starts.
namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Rack;

// Neither an experiment nor a folder starts its author's commands.
TEST(HostsTrust, StartsOnlyWhatTheCommandLineNames) {
  ON_A_RACK({
    Rack rack;
    const std::string trusted = rack.folder() / "inventory.yaml";
    fs::rename(trusted, rack.folder() / "mine.yaml");
    rack.use_agent(fmt::format("touch {}", (rack.folder() / "evil").string()));
    rack.set_experiment("elements: 1000\niterations: 1\n", "ring", "inventory: inventory.yaml");
    const std::string file = rack.folder() / "experiment.yaml";
    EXPECT_EQ(rack.run({"run", file, "--out", rack.out()}), commands::kExitUsage);
    EXPECT_THAT(rack.errors(), HasSubstr("hosts.inventory: an inventory names commands"));
    EXPECT_EQ(
        rack.run({"run", file, "--inventory", rack.folder() / "mine.yaml", "--out", rack.out()}),
        commands::kExitOk)
        << rack.errors();
    EXPECT_EQ(rack.run({"run", "--resume", rack.out(), "-n", "2"}), commands::kExitUsage);
    EXPECT_THAT(rack.errors(), HasSubstr("--inventory FILE"));
    EXPECT_FALSE(fs::exists(rack.folder() / "evil"));
  });
}

}  // namespace
}  // namespace gradwire::run
