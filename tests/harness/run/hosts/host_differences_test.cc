#include "harness/run/hosts/host_differences.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/text/schemas.h"
#include "harness/workers/rank/surroundings.h"

namespace gradwire::run {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A rank as examine_surroundings has it.
json rank() {
  return {{"host", "red"},
          {"program", "77aa"},
          {"build", "0.1.0 abc"},
          {"architecture", "x86_64"},
          {"kernel", "6.1.0"},
          {"variables", ""},
          {"libraries", {{"libmpi", "libmpi.so.40 12"}}},
          {"locked_memory", 65'536},
          {"ports",
           {{{"device", "eth1"},
             {"address", "10.0.0.1"},
             {"state", "up"},
             {"has_address", true},
             {"mtu", 9000},
             {"mbit_per_s", nullptr},
             {"rdma", nullptr}}}}};
}

/// "what" of each, with a mark of those that do not matter.
std::vector<std::string> differences(const std::vector<json>& ranks, bool rdma = false) {
  std::vector<std::string> found;
  for (const HostDifference& one : host_differences(ranks, {.mtu = 9000, .rdma = rdma})) {
    found.push_back((one.matters ? "" : "(") + one.what);
  }
  return found;
}

TEST(HostDifferences, HostsThatAreAlikeHaveNone) {
  EXPECT_THAT(differences({rank(), rank(), rank()}), ElementsAre());
}

TEST(HostDifferences, EverythingIsCompared) {
  const auto odd = [](const std::string& place, const json& value) {
    json other = rank();
    other[json::json_pointer(place)] = value;
    return differences({rank(), other, rank()});
  };
  EXPECT_THAT(odd("/program", "other"), ElementsAre("program"));
  EXPECT_THAT(odd("/build", "0.1.0 abc dirty"), ElementsAre("build"));
  EXPECT_THAT(odd("/variables", "UCX_TLS=tcp"), ElementsAre("variables"));
  EXPECT_THAT(odd("/libraries/libmpi", "libmpi.so.40 13"), ElementsAre("libmpi"));
  EXPECT_THAT(odd("/libraries/libibverbs", "libibverbs.so.1 1"), ElementsAre("libibverbs"));
  EXPECT_THAT(odd("/kernel", "6.1.1"), ElementsAre("(kernel"));
  EXPECT_THAT(odd("/locked_memory", "unlimited"), ElementsAre("(memory to lock"));
  EXPECT_THAT(odd("/ports/0/mtu", 1500), ElementsAre("port 0: MTU"));
  EXPECT_THAT(odd("/ports/0/mbit_per_s", 10'000), ElementsAre("port 0: Mbit/s"));
  EXPECT_THAT(odd("/ports/0/state", "down"), ElementsAre("port 0: interface"));
  EXPECT_THAT(odd("/ports/0/has_address", false), ElementsAre("port 0: has its address"));
}

TEST(HostDifferences, AllMayBeWrongAlike) {
  json small = rank();
  small["ports"][0]["mtu"] = 1500;
  EXPECT_THAT(differences({small, small}), ElementsAre("port 0: MTU"));
}

// They agree with each other, and would not understand this program.
TEST(HostDifferences, AllMayBeOfAnotherVersion) {
  const std::vector<json> ranks{rank(), rank()};
  EXPECT_TRUE(host_differences(ranks, {.mtu = 9000, .build = "0.1.0 abc"}).empty());
  const auto found = host_differences(ranks, {.mtu = 9000, .build = "0.1.0 abd"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found.front().what, "build");
  EXPECT_EQ(found.front().wanted, "0.1.0 abd");
  EXPECT_TRUE(found.front().matters);
}

TEST(HostDifferences, RdmaIsAskedForWhereItIsNeeded) {
  json good = rank();
  good["ports"][0]["rdma"] = "usable, MTU 4096";
  json bad = rank();
  bad["ports"][0]["rdma"] = "no device mlx5_1";
  EXPECT_THAT(differences({good, good}, true), ElementsAre());
  EXPECT_THAT(differences({good, bad}, true), ElementsAre("port 0: RDMA device", "port 0: RDMA"));
}

TEST(HostDifferences, GpusAreAskedForWhereTheyAreNeeded) {
  const auto with = [](const char* gpu, const char* gradients = "staged") {
    json one = rank();
    one["gpu"] = gpu;
    one["gradients"] = gradients;
    return one;
  };
  const auto found = [](const std::vector<json>& ranks) {
    std::vector<std::string> whats;
    for (const HostDifference& one : host_differences(ranks, {.mtu = 9000, .gpu = true})) {
      whats.push_back(one.what);
    }
    return whats;
  };
  const json good = with("usable: NVIDIA H100, sm_90");
  EXPECT_THAT(found({good, good}), ElementsAre());
  EXPECT_THAT(found({good, with("no GPU: NVIDIA's driver is not loaded")}),
              ElementsAre("GPU", "which GPU"));
  EXPECT_THAT(found({good, with("usable: NVIDIA T4, sm_75")}), ElementsAre("which GPU"));
  EXPECT_THAT(found({good, with("usable: NVIDIA H100, sm_90", "device pointers (ucx)")}),
              ElementsAre("way of gradients"));
  const json none = with("usable: NVIDIA H100, sm_90", "none: RDMA devices need nvidia-peermem");
  EXPECT_THAT(found({none, none}), ElementsAre("gradients"));
}

TEST(HostDifferences, ATableNamesTheOddOnes) {
  json small = rank();
  small["ports"][0]["mtu"] = 1500;
  json other = rank();
  other["program"] = "1234";
  const auto found =
      host_differences(std::vector{rank(), rank(), small, rank(), other}, {.mtu = 9000});
  EXPECT_EQ(format_differences(found),
            "what         wanted    value  ranks\n"
            "program      the same  77aa   0-3\n"
            "                       1234   4         <- odd\n"
            "port 0: MTU  9000      9000   0-1, 3-4\n"
            "                       1500   2         <- odd\n");
}

TEST(Surroundings, OfThisMachineFollowTheSchema) {
  const std::vector<transport::PortBinding> ports{{.device = "lo", .address = "127.0.0.1"},
                                                  {.device = "nowhere", .address = "10.9.8.7"}};
  json found = workers::examine_surroundings(ports, execution::TransportKind::tcp, true);
  EXPECT_FALSE(found.at("gpu").get<std::string>().empty()) << "which one there is, or why none";
  EXPECT_EQ(found.at("gradients"), "staged");
  EXPECT_EQ(found.at("ports").at(0).at("state"), "up");
  EXPECT_EQ(found.at("ports").at(0).at("has_address"), true);
  EXPECT_EQ(found.at("ports").at(1).at("state"), "missing");
  EXPECT_THAT(found.at("libraries").at("libibverbs").get<std::string>(),
              HasSubstr("libibverbs.so"));
  found["name"] = "this";
  const json document = {
      {"version", 1},
      {"inventory", "rack.yaml"},
      {"wirings", {{"single-switch(1)", {{"hosts", {found}}, {"differing", json::array()}}}}}};
  EXPECT_EQ(text::why_invalid(document, "hosts"), std::nullopt);
}

}  // namespace
}  // namespace gradwire::run
