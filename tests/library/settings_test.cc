#include "library/settings.h"

#include <fstream>
#include <iterator>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::library {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Variables = std::map<std::string, std::string>;
using Options = std::vector<std::string>;

Settings read(const Options& options, const Variables& variables = {}) {
  return read_settings(options, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

/// Why they are refused; empty when they are not.
std::string refusal(const Options& options, const Variables& variables = {}) {
  try {
    static_cast<void>(read(options, variables));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const Variables kTorchrun{
    {"RANK", "2"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "10.0.0.1"}, {"MASTER_PORT", "29500"}};

TEST(Settings, OfTorchrunsEnvironment) {
  const Settings settings = read({}, kTorchrun);
  EXPECT_EQ(settings.self, Rank(2));
  EXPECT_EQ(settings.ranks, 4U);
  EXPECT_EQ(settings.store_host, "10.0.0.1");
  EXPECT_EQ(settings.store_port, 29500);
  EXPECT_EQ(settings.wiring, "single-switch(4)");
  EXPECT_EQ(to_string(settings.algorithm), "ring");
  EXPECT_EQ(settings.transport.kind, execution::TransportKind::tcp);
  EXPECT_TRUE(settings.transport.check_frames);
  EXPECT_EQ(settings.timeout, 60s);
  EXPECT_THAT(settings.devices, IsEmpty());
}

TEST(Settings, OfAnEmulationsEnvironment) {
  Variables variables = kTorchrun;
  variables["GRADWIRE_WIRING"] = "bcube(2,2)";
  variables["GRADWIRE_PORTS"] = "p0,p1";
  variables["GRADWIRE_ADDRESSES"] = "10.0.0.3,10.0.1.2";
  const Settings settings = read({}, variables);
  EXPECT_EQ(settings.wiring, "bcube(2,2)");
  EXPECT_THAT(settings.devices, ElementsAre("p0", "p1"));
  EXPECT_THAT(settings.addresses, IsEmpty()) << "mpirun passes those of its own host on to all";
  EXPECT_THAT(read({"ports=p2", "addresses=10.0.2.1"}, variables).addresses,
              ElementsAre("10.0.2.1"));
}

TEST(Settings, OptionsGoBeforeTheEnvironment) {
  Variables variables = kTorchrun;
  variables["GRADWIRE_ALGORITHM"] = "no such";
  variables["GRADWIRE_TIMEOUT"] = "3s";
  const Settings settings = read({"rank=1", "ranks=2", "store=h0:7000", "algorithm=ring(pieces=2)",
                                  "integrity=off", "secret=a=b"},
                                 variables);
  EXPECT_EQ(settings.self, Rank(1));
  EXPECT_EQ(settings.ranks, 2U);
  EXPECT_EQ(settings.store_host, "h0");
  EXPECT_EQ(settings.store_port, 7000);
  EXPECT_EQ(to_string(settings.algorithm), "ring(pieces=2)");
  EXPECT_FALSE(settings.transport.check_frames);
  EXPECT_EQ(settings.timeout, 3s);
  EXPECT_EQ(settings.secret, "a=b");
}

// mpirun on a host of an emulation: RANK is the host's.
TEST(Settings, RanksOfMpirunGoBeforeThoseOfTheHost) {
  Variables variables = kTorchrun;
  variables["OMPI_COMM_WORLD_RANK"] = "5";
  variables["OMPI_COMM_WORLD_SIZE"] = "8";
  EXPECT_EQ(read({}, variables).self, Rank(5));
  EXPECT_EQ(read({}, variables).ranks, 8U);
  variables["TORCHELASTIC_RUN_ID"] = "none";  // torchrun, started by mpirun
  EXPECT_EQ(read({}, variables).self, Rank(2));
}

TEST(Settings, RanksOfMpirunOnOneMachineFindEachOther) {
  Variables variables{{"OMPI_COMM_WORLD_RANK", "1"},
                      {"OMPI_COMM_WORLD_SIZE", "4"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
                      {"PMIX_NAMESPACE", "1234.1"}};
  const Settings settings = read({}, variables);
  EXPECT_EQ(settings.store_host, "127.0.0.1");
  EXPECT_GE(settings.store_port, 20000);
  EXPECT_LT(settings.store_port, 30000);
  variables["OMPI_COMM_WORLD_RANK"] = "3";
  EXPECT_EQ(read({}, variables).store_port, settings.store_port);
  variables["PMIX_NAMESPACE"] = "1235.1";
  EXPECT_NE(read({}, variables).store_port, settings.store_port);
  variables["OMPI_COMM_WORLD_LOCAL_SIZE"] = "2";
  EXPECT_THAT(refusal({}, variables), HasSubstr("no store: neither option store, GRADWIRE_STORE"));
}

TEST(Settings, VerifyIsHowOften) {
  EXPECT_EQ(read({}, kTorchrun).verify, 0U);
  EXPECT_EQ(read({"verify=5"}, kTorchrun).verify, 5U);
  Variables variables = kTorchrun;
  variables["GRADWIRE_VERIFY"] = "often";
  EXPECT_EQ(refusal({}, variables),
            "GRADWIRE_VERIFY: 'often' is not a whole number from 0 to 1000000");
}

TEST(Settings, ThePageHasAllOfThem) {
  std::ifstream file(std::string(GRADWIRE_ROOT) + "/docs/library.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(setting_forms().size(), 13u);
  for (const SettingForm& form : setting_forms()) {
    EXPECT_THAT(page, HasSubstr("`" + std::string(form.key) + "`"));
    if (!form.variable.empty()) {
      EXPECT_THAT(page, HasSubstr("| `" + std::string(form.variable) + "` |"));
    }
  }
}

TEST(Settings, ASingleRankNeedsNoStore) {
  EXPECT_EQ(read({"rank=0", "ranks=1"}).store_host, "");
}

TEST(Settings, WhatIsMissingIsNamed) {
  EXPECT_THAT(refusal({}), HasSubstr("no rank: neither options rank and ranks"));
  EXPECT_EQ(refusal({"rank=1"}), "options rank and ranks are given together or not at all");
  EXPECT_EQ(refusal({}, {{"RANK", "1"}}), "RANK is set without WORLD_SIZE");
  EXPECT_EQ(refusal({"rank=1", "ranks=2"}, {{"MASTER_ADDR", "h0"}}),
            "MASTER_ADDR is set without MASTER_PORT");
}

TEST(Settings, WhatIsWrongIsNamedWithItsPlace) {
  const auto with = [](const std::string& name, const std::string& value) {
    Variables variables = kTorchrun;
    variables[name] = value;
    return refusal({}, variables);
  };
  EXPECT_EQ(with("RANK", "4"), "RANK: '4' is not a whole number from 0 to 3");
  EXPECT_EQ(with("RANK", "-1"), "RANK: '-1' is not a whole number from 0 to 3");
  EXPECT_EQ(with("WORLD_SIZE", "0"), "WORLD_SIZE: '0' is not a whole number from 1 to 65536");
  EXPECT_EQ(with("WORLD_SIZE", "4x"), "WORLD_SIZE: '4x' is not a whole number from 1 to 65536");
  EXPECT_EQ(with("MASTER_PORT", "65536"),
            "MASTER_PORT: '65536' is not a whole number from 1 to 65535");
  EXPECT_EQ(with("GRADWIRE_STORE", "h0"), "GRADWIRE_STORE: 'h0' is not host:port");
  EXPECT_EQ(with("GRADWIRE_STORE", ":1"), "GRADWIRE_STORE: ':1' is not host:port");
  EXPECT_THAT(with("GRADWIRE_TIMEOUT", "fast"), HasSubstr("GRADWIRE_TIMEOUT: 'fast' is not a"));
  EXPECT_EQ(with("GRADWIRE_TIMEOUT", "0s"), "GRADWIRE_TIMEOUT: '0s' is not from 1ms to 86400s");
  EXPECT_THAT(with("GRADWIRE_TRANSPORT", "tpc"),
              HasSubstr("GRADWIRE_TRANSPORT: unknown transport"));
  EXPECT_EQ(with("GRADWIRE_INTEGRITY", "md5"),
            "GRADWIRE_INTEGRITY: 'md5' is neither crc32c nor off");
  EXPECT_THAT(with("GRADWIRE_ALGORITHM", "ring("), HasSubstr("GRADWIRE_ALGORITHM: "));
  EXPECT_EQ(refusal({"ports=p0,p1", "addresses=10.0.0.1"}, kTorchrun),
            "ports (GRADWIRE_PORTS) names 2, addresses 1");
  EXPECT_EQ(with("GRADWIRE_PORTS", "p0,,p1"), "GRADWIRE_PORTS: 'p0,,p1' has an empty place");
  EXPECT_EQ(refusal({"rank"}, kTorchrun), "option 'rank' is not key=value");
  EXPECT_EQ(refusal({"rank=1", "rank=1"}, kTorchrun), "option rank is given twice");
  EXPECT_THAT(refusal({"algoritm=ring"}, kTorchrun), HasSubstr("did you mean 'algorithm'?"));
}

}  // namespace
}  // namespace gradwire::library
