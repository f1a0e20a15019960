#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <net/if.h>
#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>

#include "core/text/schemas.h"
#include "harness/commands/exit_code.h"
#include "testbed/net_namespace.h"
#include "tests/harness/run/hosts/rack.h"
#include "tests/testbed/in_sandbox.h"

/// gradwire run --backing hosts, on hosts that are namespaces of a sandbox: the program, mpirun,
/// its daemons, and what reaches the hosts are the real ones.
namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::execute;
using ::testing::HasSubstr;
using testing::Rack;
using testing::read;
using testing::write;

void set_mtu(int space, const char* interface, int mtu) {
  const testbed::InNamespace inside(space);
  const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::string(interface).copy(request.ifr_name, IFNAMSIZ - 1);
  request.ifr_mtu = mtu;
  checked(::ioctl(socket.get(), SIOCSIFMTU, &request), "set the MTU");
}

std::size_t samples(const fs::path& folder) {
  std::ifstream lines(folder / "samples.ndjson");
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  return count;
}

/// Kills every worker of a rank.
void kill_rank(std::size_t rank) {
  const std::string mark = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank) + '\0';
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (read(entry.path() / "environ").find(mark) == std::string::npos) continue;
    ::kill(std::stoi(name), SIGKILL);
  }
}

void expect_a_good_run(const Rack& rack) {
  EXPECT_EQ(samples(rack.out()), 2u * 7u);
  const auto rows = nlohmann::json::parse(read(rack.out() / "results.json")).at("rows");
  EXPECT_EQ(rows.size(), 2u);
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("wrong"), 0) << row;
    EXPECT_EQ(row.at("backing"), "hosts");
    EXPECT_EQ(row.at("flags").dump().find("bytes-off-plan"), std::string::npos) << row;
  }
  const auto hosts = nlohmann::json::parse(read(rack.out() / "hosts.json"));
  EXPECT_EQ(text::why_invalid(hosts, "hosts"), std::nullopt);
  const auto calibration = nlohmann::json::parse(read(rack.out() / "calibration.json"));
  EXPECT_EQ(text::why_invalid(calibration, "calibration"), std::nullopt);
  EXPECT_GT(calibration.at("wirings").at("bcube(2,2)").at("clock_error_us"), 0);
  EXPECT_THAT(rack.output(), AllOf(HasSubstr("real hosts"), HasSubstr("wrong elements in all: 0")));
}

TEST(HostsProgram, MeasuresRingAndBml) {
  ON_A_RACK({
    const Rack rack;
    EXPECT_EQ(rack.run(), commands::kExitOk) << rack.errors();
    expect_a_good_run(rack);
  });
}

TEST(HostsProgram, MeasuresLibrariesBesideOurs) {
  ON_A_RACK({
    Rack rack;
    rack.set_experiment("elements: 50001\nwarmup: 1\niterations: 6\n", "ring, mpi");
    EXPECT_EQ(rack.run(), commands::kExitOk) << rack.errors();
    expect_a_good_run(rack);
  });
}

TEST(HostsProgram, NamesARankThatWasKilled) {
  ON_A_RACK({
    Rack rack;
    rack.set_experiment("elements: 50001\niterations: 100000\n");
    auto program = rack.start();
    for (int i = 0; i < 6000 && samples(rack.out()) < 4; ++i) std::this_thread::sleep_for(10ms);
    kill_rank(2);
    EXPECT_EQ(Rack::finish(program), commands::kExitRunFailed);
    EXPECT_THAT(rack.errors(), ContainsRegex("rank 2 .*(signal 9|without a word)"));
  });
}

TEST(HostsProgram, RefusesAnOddMtu) {
  ON_A_RACK({
    const Rack rack;
    set_mtu(rack.namespace_of(3), "p1", 1500);
    EXPECT_EQ(rack.run(), commands::kExitPreflight);
    EXPECT_THAT(rack.errors(), AllOf(ContainsRegex("port 1: MTU +9000 +9000 +0-2\n"),
                                     ContainsRegex("  1500 +3 +<- odd\n")));
    EXPECT_EQ(samples(rack.out()), 0u);
  });
}

// One host has a program of the same name that is another: a mount of its own hides ours.
TEST(HostsProgram, RefusesAnOddProgram) {
  ON_A_RACK({
    Rack rack;
    const fs::path copy = rack.folder() / "other";
    fs::copy_file(GRADWIRE_PROGRAM, copy);
    std::ofstream(copy, std::ios::app) << "other";
    const fs::path agent = rack.folder() / "agent";
    const std::string enter =
        fmt::format("{} enter-host {}", GRADWIRE_PROGRAM, Rack::descriptors());
    write(agent, fmt::format("#!/bin/sh\n"
                             "[ \"$1\" = {} ] || exec {} \"$@\"\n"
                             "export COMMAND=\"{} $*\"\n"
                             "exec unshare -m sh -c 'mount --bind {} {} && exec $COMMAND'\n",
                             rack.name_of(1), enter, enter, copy.string(), GRADWIRE_PROGRAM));
    fs::permissions(agent, fs::perms::owner_all);
    rack.use_agent(agent);
    EXPECT_EQ(rack.run(), commands::kExitPreflight) << rack.errors();
    EXPECT_THAT(rack.errors(), AllOf(ContainsRegex("program +the same +[0-9a-f]+ +0, 2-3\n"),
                                     ContainsRegex("[0-9a-f]+ +1 +<- odd\n")));
  });
}

/// What verify.yml would have found of a rack's hosts, which run on this kernel. The inventory
/// names it from here on.
void verify(Rack& rack, const nlohmann::json& more = nlohmann::json::object()) {
  std::string boot_id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot_id);
  nlohmann::json found = {{"gradwire-verification", 1},         {"wiring", "bcube(2,2)"},
                          {"finished", "2026-11-21T20:00:00Z"}, {"passed", true},
                          {"settings", {{"lossless", false}}},  {"hosts", nlohmann::json::array()},
                          {"checks", nlohmann::json::array()}};
  std::string hosts;
  for (std::size_t i = 0; i < rack.hosts(); ++i) {
    hosts += fmt::format("  - {{name: {}}}\n", rack.name_of(i));
    found["hosts"].push_back({{"name", rack.name_of(i)}, {"rank", i}, {"boot_id", boot_id}});
    found["checks"].push_back(
        {{"check", "link"}, {"host", rack.name_of(i)}, {"passed", true}, {"message", "up"}});
  }
  found.merge_patch(more);
  write(rack.folder() / "verification.json", found.dump());
  rack.set_inventory(fmt::format("agent: {} enter-host {}\nverification: verification.json\n",
                                 GRADWIRE_PROGRAM, Rack::descriptors()),
                     hosts);
}

TEST(HostsProgram, KeepsWhatItsHostsWereVerifiedAs) {
  ON_A_RACK({
    Rack rack;
    verify(rack);
    EXPECT_EQ(rack.run(), commands::kExitOk) << rack.errors();
    expect_a_good_run(rack);
    const auto kept = nlohmann::json::parse(read(rack.out() / "hosts.json")).at("verification");
    EXPECT_EQ(kept.at("checks").at(0).at("passed"), 4);
    EXPECT_EQ(kept.at("settings").at("lossless"), false);
    EXPECT_TRUE(kept.at("ignored").empty());
  });
}

TEST(HostsProgram, RefusesHostsThatDidNotPass) {
  ON_A_RACK({
    Rack rack;
    const auto failed = nlohmann::json::parse(
        R"({"passed": false,
            "checks": [{"check": "wiring", "host": "red", "port": 1, "passed": false,
                        "message": "host red port 1 is on switch L1-1, plan says L1-0"}]})");
    verify(rack, failed);
    EXPECT_EQ(rack.run(), commands::kExitPreflight);
    EXPECT_THAT(rack.errors(), AllOf(HasSubstr("1 of 1 checks failed"),
                                     HasSubstr("wiring  host red port 1 is on switch L1-1")));
    EXPECT_FALSE(fs::exists(rack.out())) << "nothing was begun";
    rack.set_experiment("elements: 50001\nwarmup: 1\niterations: 6\n", "ring, bml",
                        "verification: ignore");
    EXPECT_EQ(rack.run(), commands::kExitOk) << rack.errors();
    const auto kept = nlohmann::json::parse(read(rack.out() / "hosts.json")).at("verification");
    EXPECT_EQ(kept.at("ignored"), nlohmann::json({"1 of 1 checks failed"}));
  });
}

TEST(HostsProgram, RefusesHostsThatWereRestarted) {
  ON_A_RACK({
    Rack rack;
    nlohmann::json hosts = nlohmann::json::array();
    for (std::size_t i = 0; i < rack.hosts(); ++i) {
      hosts.push_back({{"name", rack.name_of(i)}, {"rank", i}, {"boot_id", "before"}});
    }
    verify(rack, {{"hosts", hosts}});
    EXPECT_EQ(rack.run(), commands::kExitPreflight);
    EXPECT_THAT(rack.errors(), HasSubstr(rack.name_of(2) + " was restarted since"));
    EXPECT_EQ(samples(rack.out()), 0u);
  });
}

TEST(HostsProgram, WarnsWhereNothingWasVerified) {
  ON_A_RACK({
    Rack rack;
    rack.use_agent("/bin/false\nverification: absent.json");
    EXPECT_EQ(rack.run(), commands::kExitRunFailed);
    EXPECT_THAT(rack.errors(), ContainsRegex("warning: there is no .*absent.json"));
  });
}

TEST(HostsProgram, SaysWhatMpirunSays) {
  ON_A_RACK({
    Rack rack;
    rack.use_agent("/bin/false");
    EXPECT_EQ(rack.run(), commands::kExitRunFailed);
    EXPECT_THAT(rack.errors(), HasSubstr("mpirun"));
  });
}

/// ssh servers with keys that are thrown away, one in each host.
class SshServers {
 public:
  explicit SshServers(const Rack& rack) : rack_(rack) {
    checked(::mount("none", "/run", "tmpfs", 0, nullptr), "mount /run");
    fs::create_directory("/run/sshd");  // where servers drop their privileges
    for (const char* key : {"host_key", "user_key"}) {
      execute({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path(key)});
    }
    fs::copy_file(path("user_key.pub"), path("authorized"));
    for (std::size_t i = 0; i < rack.hosts(); ++i) start(i);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return rack_.folder() / name; }

 private:
  void start(std::size_t rank) {
    const std::string config = path(fmt::format("sshd{}", rank));
    const std::string own = path(fmt::format("tmp{}", rank));  // as if it had files of its own
    fs::create_directory(own);
    write(config, fmt::format("ListenAddress {}:2222\nHostKey {}\nAuthorizedKeysFile {}\n"
                              "PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\n"
                              "SetEnv TMPDIR={}\n",
                              Rack::address_of(rank), path("host_key"), path("authorized"), own));
    servers_.push_back(
        testbed::ChildProcess::start({.arguments = {"/usr/sbin/sshd", "-D", "-f", config},
                                      .namespace_fd = rack_.namespace_of(rank),
                                      .keeps_capabilities = true}));
  }

  const Rack& rack_;
  std::vector<testbed::ChildProcess> servers_;
};

TEST(HostsProgram, ReachesHostsOverSsh) {
  if (!fs::exists("/usr/sbin/sshd")) GTEST_SKIP() << "no openssh-server here";
  if (!testbed::testing::can_make_networks({.machine_root = true})) {
    GTEST_SKIP() << "ssh servers need root with CAP_NET_ADMIN and CAP_SYS_ADMIN";
  }
  const auto body = [] {
    Rack rack;
    const SshServers servers(rack);
    std::string hosts;
    for (std::size_t i = 0; i < rack.hosts(); ++i) {
      hosts += fmt::format("  - {{name: host-{}, ssh: {}}}\n", i, Rack::address_of(i));
    }
    rack.set_inventory(fmt::format("user: root\nport: 2222\noptions: [\"IdentityFile={}\", "
                                   "UserKnownHostsFile=/dev/null, StrictHostKeyChecking=no]\n",
                                   servers.path("user_key")),
                       hosts);
    EXPECT_EQ(rack.run(), commands::kExitOk) << rack.errors();
    expect_a_good_run(rack);
    return ::testing::Test::HasFailure();
  };
  EXPECT_EQ(testbed::testing::in_sandbox(body, {.machine_root = true}), 0);
}

}  // namespace
}  // namespace gradwire::run
