#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "testbed/emulation.h"
#include "testbed/process.h"
#include "testbed/scratch_folder.h"
#include "tests/testbed/in_sandbox.h"
#include "topologies/address_plan.h"
#include "topologies/registry.h"

/// Runs statements in a sandbox, where racks can stand.
#define ON_A_RACK(...)                              \
  SKIP_WITHOUT_SANDBOX();                           \
  EXPECT_EQ(testbed::testing::in_sandbox([] {       \
              __VA_ARGS__;                          \
              return ::testing::Test::HasFailure(); \
            }),                                     \
            0)

/// Hosts for gradwire run --backing hosts, which are namespaces of a sandbox.
namespace gradwire::testing {

namespace fs = std::filesystem;

constexpr Nanoseconds kPatience = std::chrono::seconds(100);

inline std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

/// Runs a command to its end and expects success.
inline void execute(std::vector<std::string> arguments) {
  const SteadyClock clock;
  auto child =
      testbed::ChildProcess::start({.arguments = std::move(arguments), .keeps_capabilities = true});
  const auto ending = child.wait(Deadline(clock, kPatience));
  EXPECT_TRUE(ending && !ending->signal && ending->exit_code == 0);
}

/// Four hosts, an inventory of them, and an experiment. Inside a sandbox.
class Rack {
 public:
  Rack()
      : topology_(topologies::make_topology("bcube(2,2)")),
        addresses_(topologies::plan_addresses(*topology_)),
        emulation_(*topology_, addresses_, testbed::shape_for({100e6}, 9000)) {
    emulation_.connect_management();
    for (std::size_t i = 0; i < hosts(); ++i) {
      names_.push_back(fmt::format("namespace{}", emulation_.namespace_of(Rank(i))));
    }
    use_agent(fmt::format("{} enter-host {}", GRADWIRE_PROGRAM, descriptors()));
    set_experiment("elements: 50001\nwarmup: 1\niterations: 6\n");
  }

  [[nodiscard]] std::size_t hosts() const { return topology_->hosts(); }
  [[nodiscard]] int namespace_of(std::size_t rank) const {
    return emulation_.namespace_of(Rank(rank));
  }
  [[nodiscard]] const std::string& name_of(std::size_t rank) const { return names_[rank]; }
  [[nodiscard]] static std::string address_of(std::size_t rank) {
    return to_string(testbed::Emulation::management_address(Rank(rank)).address);
  }
  /// Where /proc has the descriptors of the namespaces.
  [[nodiscard]] static std::string descriptors() {
    return fmt::format("/proc/{}/fd", fs::read_symlink("/proc/self").string());
  }
  [[nodiscard]] fs::path folder() const { return folder_.path(); }
  [[nodiscard]] fs::path out() const { return folder() / "run"; }
  [[nodiscard]] std::string errors() const { return read(folder() / "stderr"); }
  [[nodiscard]] std::string output() const { return read(folder() / "stdout"); }

  void use_agent(const std::string& agent) {
    std::string hosts;
    for (const std::string& name : names_) hosts += fmt::format("  - {{name: {}}}\n", name);
    set_inventory(fmt::format("agent: {}\n", agent), hosts);
  }
  void set_inventory(const std::string& keys, const std::string& hosts) {
    write(folder() / "inventory.yaml",
          "gradwire-inventory: 1\ncontrol: [10.99.0.0/16]\n"
          "plan: \"bcube(2,2)\"\ndevice: p{level}\n" +
              keys + "hosts:\n" + hosts);
  }
  void set_experiment(const std::string& more, const std::string& algorithms = "ring, bml",
                      const std::string& hosts_keys = "") {
    write(folder() / "experiment.yaml",
          "gradwire: 1\nname: test\nlink: {rate: 100Mbit, mtu: 9000}\nbacking: hosts\n"
          "hosts: {" +
              hosts_keys +
              "}\ntimeout: 5s\nwiring: \"bcube(2,2)\"\n"
              "sweep: {product: {algorithm: [" +
              algorithms + "]}}\n" + more);
  }

  /// As a user of the first host.
  [[nodiscard]] testbed::ChildProcess start() const {
    return start({"run", folder() / "experiment.yaml", "--inventory", folder() / "inventory.yaml",
                  "--out", out()});
  }
  [[nodiscard]] testbed::ChildProcess start(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), GRADWIRE_PROGRAM);
    const auto file = [this](const char* name) {
      return FileDescriptor(checked(
          ::open((folder() / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), name));
    };
    const FileDescriptor output = file("stdout");
    const FileDescriptor errors = file("stderr");
    return testbed::ChildProcess::start(
        {.arguments = std::move(arguments),
         .environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
         .namespace_fd = namespace_of(0),
         .output = output.get(),
         .errors = errors.get(),
         .keeps_capabilities = true});
  }
  [[nodiscard]] static int finish(testbed::ChildProcess& program) {
    const SteadyClock clock;
    const auto ending = program.wait(Deadline(clock, kPatience));
    return ending && !ending->signal ? ending->exit_code : -1;
  }
  [[nodiscard]] int run() const {
    auto program = start();
    return finish(program);
  }
  [[nodiscard]] int run(std::vector<std::string> arguments) const {
    auto program = start(std::move(arguments));
    return finish(program);
  }

 private:
  std::unique_ptr<const topologies::Topology> topology_;
  topologies::AddressPlan addresses_;
  testbed::Emulation emulation_;
  testbed::ScratchFolder folder_{"gw-rack"};
  std::vector<std::string> names_;
};

}  // namespace gradwire::testing
