#include "harness/commands/registries.h"

#include <set>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/peer.h"
#include "core/error.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "transport/execution/settings.h"
#include "workloads/device.h"
#include "workloads/model.h"

namespace gradwire::names {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> names_in(std::string_view value) {
  std::vector<std::string> names;
  for (const Listed& row : registry_of(value)->rows()) names.push_back(row.name);
  return names;
}

TEST(Registries, AreTheOnesThatListKnows) {
  std::vector<std::string_view> names;
  for (const Registry& registry : registries()) {
    names.push_back(registry.name);
    EXPECT_EQ(registry_of(registry.value), &registry);
  }
  EXPECT_THAT(names, ElementsAre("wirings", "algorithms", "schedules", "workloads", "traces",
                                 "devices", "transports"));
  EXPECT_EQ(registry_of("FILE"), nullptr);
}

TEST(Registries, RowsSayWhatTheirNameIs) {
  for (const Registry& registry : registries()) {
    const std::vector<Listed> rows = registry.rows();
    ASSERT_THAT(rows, Not(IsEmpty())) << registry.name;
    std::set<std::string> seen;
    for (const Listed& row : rows) {
      EXPECT_TRUE(seen.insert(row.name).second) << row.name;
      EXPECT_EQ(row.name.substr(0, row.typed.size()), row.typed);
      EXPECT_THAT(row.about, Not(IsEmpty())) << row.name;
      EXPECT_THAT(row.runs, Not(IsEmpty())) << row.name;
      ASSERT_EQ(row.facts.size(), rows.front().facts.size()) << row.name;
      for (std::size_t i = 0; i < row.facts.size(); ++i) {
        EXPECT_EQ(row.facts[i].heading, rows.front().facts[i].heading);
      }
    }
  }
}

// What is listed can be used: the program finds every name.
TEST(Registries, NamesAreThoseThatTheProgramFinds) {
  for (const std::string& name : names_in("ALGORITHM")) {
    const text::Spec spec = text::parse_spec(name);
    if (is_plan_file(spec)) {
      EXPECT_EQ(spec.file, "file.json");  // which is any file
    } else if (is_peer(spec)) {
      EXPECT_NO_THROW(check_peer(spec, 8)) << name;
    } else {
      const auto topology = topologies::make_topology("bcube(2,2)");
      EXPECT_NO_THROW(static_cast<void>(make_plan(spec, *topology, Rank(0), {.elements = 8})));
    }
  }
  for (const std::string& name : names_in("SCHEDULE")) check_policy(text::parse_spec(name));
  for (const std::string& name : names_in("WORKLOAD"))
    EXPECT_EQ(workloads::load_model(name).name, name);
  for (const std::string& name : names_in("DEVICE"))
    EXPECT_EQ(workloads::find_device(name).name, name);
  for (const std::string& name : names_in("TRANSPORT")) {
    EXPECT_EQ(to_string(parse_transport(name)), name);
  }
}

TEST(Registries, HelpHasTheNames) {
  EXPECT_EQ(names_of("TRANSPORT"), fmt::format("{}", fmt::join(names_in("TRANSPORT"), ", ")));
  EXPECT_THAT(names_of("TRANSPORT"), HasSubstr("tcp, "));
}

TEST(Transports, AnUnknownOneNamesThoseThereAre) {
  try {
    static_cast<void>(parse_transport("tpc"));
    FAIL() << "tpc does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("unknown transport 'tpc' (did you mean 'tcp'?); there are: " +
                          names_of("TRANSPORT")));
  }
}

TEST(Transports, ThoseOfRdmaSaySo) {
  EXPECT_TRUE(needs_rdma(TransportKind::verbs));
  EXPECT_TRUE(needs_rdma(TransportKind::ucx_rc));
  EXPECT_FALSE(needs_rdma(TransportKind::tcp));
  EXPECT_FALSE(needs_rdma(TransportKind::ucx));
}

TEST(Transports, SayWhatChecksTheirBits) {
  EXPECT_EQ(integrity_of({.kind = TransportKind::tcp}), "crc32c");
  EXPECT_EQ(integrity_of({.kind = TransportKind::tcp, .check_frames = false}), "off");
  EXPECT_EQ(integrity_of({.kind = TransportKind::ucx}), kTcpChecksum);
  for (const auto kind : {TransportKind::ucx_rc, TransportKind::verbs}) {
    EXPECT_EQ(integrity_of({.kind = kind}), "icrc");
  }
}

// Only TCP of our own asks who is there.
TEST(Transports, ThatAreOpenToStrangersSaySo) {
  EXPECT_EQ(warning_of_strangers(TransportKind::tcp), std::nullopt);
  for (const auto kind : {TransportKind::ucx, TransportKind::ucx_rc, TransportKind::verbs}) {
    const auto warning = warning_of_strangers(kind);
    ASSERT_TRUE(warning) << to_string(kind);
    EXPECT_TRUE(warning->starts_with("with transport " + to_string(kind) + " whoever reaches"));
  }
}

}  // namespace
}  // namespace gradwire::names
