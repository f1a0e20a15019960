#include "harness/commands/registries.h"

#include <set>

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/algorithms/algorithm.h"
#include "collectives/algorithms/from_file.h"
#include "collectives/algorithms/peer.h"
#include "schedule/policies.h"
#include "topologies/registry.h"
#include "transport/execution/settings.h"
#include "workloads/device.h"
#include "workloads/model.h"

namespace gradwire::commands {
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
  const auto topology = topologies::make_topology("bcube(2,2)");
  for (const std::string& name : names_in("ALGORITHM")) {
    const text::Spec spec = text::parse_spec(name);
    if (algorithms::is_plan_file(spec)) {
      EXPECT_EQ(spec.file, "file.json");  // which is any file
    } else if (algorithms::is_peer(spec)) {
      EXPECT_NO_THROW(algorithms::parse_algorithm(spec, *topology).peer()->check(8)) << name;
    } else {
      const algorithms::Algorithm algorithm = algorithms::parse_algorithm(spec, *topology);
      EXPECT_NO_THROW(static_cast<void>(algorithm.plan(Rank(0), {.elements = 8}))) << name;
    }
  }
  for (const std::string& name : names_in("SCHEDULE")) {
    schedule::check_policy(text::parse_spec(name));
  }
  for (const std::string& name : names_in("WORKLOAD"))
    EXPECT_EQ(workloads::load_model(name).name, name);
  for (const std::string& name : names_in("DEVICE"))
    EXPECT_EQ(workloads::find_device(name).name, name);
  for (const std::string& name : names_in("TRANSPORT")) {
    EXPECT_EQ(to_string(execution::parse_transport(name)), name);
  }
}

TEST(Registries, HelpHasTheNames) {
  EXPECT_EQ(names_of("TRANSPORT"), fmt::format("{}", fmt::join(names_in("TRANSPORT"), ", ")));
  EXPECT_THAT(names_of("TRANSPORT"), HasSubstr("tcp, "));
}

}  // namespace
}  // namespace gradwire::commands
