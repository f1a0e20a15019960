#include "results/report/page/page_data.h"

#include <array>
#include <bit>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "harness/commands/configured_plans.h"
#include "results/report/page/drawing.h"
#include "results/report/page/packed_samples.h"
#include "results/report/page/page.h"
#include "tests/results/record/stored_points.h"
#include "topologies/registry.h"

namespace gradwire::report {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

record::Configuration configuration(const char* wiring, const char* algorithm, std::size_t hosts,
                                    std::size_t ports, std::uint64_t elements) {
  return {.wiring = wiring,
          .algorithm = algorithm,
          .ranks = hosts,
          .ports_per_host = ports,
          .elements = elements};
}

// BCube(3,2): nine hosts, three switches on each of two levels, eighteen cables.
TEST(Drawing, ABCubeHasItsLevels) {
  const json wiring = draw_wiring(configuration("bcube(3,2)", "bml", 9, 2, 18));
  EXPECT_EQ(wiring["layers"], json({"hosts", "level 0", "level 1"}));
  EXPECT_EQ(wiring["nodes"].size(), 15u);
  EXPECT_EQ(wiring["nodes"][9]["layer"], 1);
  EXPECT_EQ(wiring["nodes"][14]["layer"], 2);
  EXPECT_EQ(wiring["links"].size(), 18u);
}

TEST(Drawing, AWiringTooLargeHasNoNodes) {
  EXPECT_TRUE(draw_wiring(configuration("bcube(32,2)", "bml", 1024, 2, 18))["nodes"].is_null());
  EXPECT_TRUE(
      draw_plan(configuration("bcube(32,2)", "bml", 1024, 2, 18), commands::configured_plans)
          .is_null());
}

// A folder from elsewhere may name any file of this machine.
TEST(Drawing, NoFileIsOpened) {
  const record::ScratchFolder scratch;
  const std::string file = scratch / "graph.yaml";
  std::ofstream(file) << "gradwire-graph: 1\nhosts: 2\nswitches: [s]\nlinks: [[h0, s], [h1, s]]\n";
  const std::string name = "graph(" + file + ")";
  const record::Configuration graph = configuration(name.c_str(), "ring", 2, 1, 8);
  EXPECT_EQ(topologies::make_topology(name)->hosts(), 2u);
  EXPECT_TRUE(draw_wiring(graph)["nodes"].is_null());
  EXPECT_TRUE(draw_plan(graph, commands::configured_plans).is_null());
}

// The worked example of the BML paper: 18 pieces, steps of 6, 2, 2 and 6 T_C on every cable and
// direction, 16 T_C in all; a piece is one element of 4 bytes.
TEST(Drawing, ThePlanOfTheWorkedExampleCarries6226) {
  const json plan =
      draw_plan(configuration("bcube(3,2)", "bml", 9, 2, 18), commands::configured_plans);
  ASSERT_EQ(plan["steps"].size(), 4u);
  const std::array<int, 4> pieces{6, 2, 2, 6};
  for (std::size_t step = 0; step < 4; ++step) {
    const json& links = plan["steps"][step]["links"];
    EXPECT_EQ(links.size(), 18u);
    for (const json& link : links) {
      EXPECT_EQ(link[1], 4 * pieces[step]);
      EXPECT_EQ(link[2], 4 * pieces[step]);
    }
    double sent = 0;
    for (const json& send : plan["steps"][step]["sends"]) sent += send[2].get<double>();
    EXPECT_EQ(sent, 18 * 4 * pieces[step]) << "eighteen ports";
  }
  for (const json& link : plan["links"]) EXPECT_EQ(link["ab"], 4 * 16);
}

// A folder from elsewhere may ask for any number of pieces.
TEST(Drawing, PlansTooLargeAreNotMade) {
  for (const char* bomb : {"ring(pieces=18446744073709551615)", "double-tree(pieces=1000000)",
                           "ring(pieces=1000000)"}) {
    EXPECT_TRUE(draw_plan(configuration("single-switch(128)", bomb, 128, 1, 100'000'000'000),
                          commands::configured_plans)
                    .is_null())
        << bomb;
  }
}

// 1.5, 2.5, 3.5 us; by hand: 0000c03f 00002040 00006040.
TEST(PackedSamples, AreBase64OfFloats) {
  const std::vector<double> seconds{1.5e-6, 2.5e-6, 3.5e-6};
  EXPECT_EQ(packed_microseconds(seconds, 1), "AADAPwAAIEAAAGBA");
  EXPECT_EQ(packed_microseconds(seconds, 2), "AADAPwAAYEA=");
  EXPECT_EQ(packed_microseconds({}, 1), "");
  const std::vector<double> numbers{1.5, 2.5, 3.5};
  EXPECT_EQ(packed(numbers, 2), "AADAPwAAYEA=");
}

TEST(PageData, HasRunsRowsAndWhatTheyShare) {
  const record::ScratchFolder scratch;
  const auto path = scratch / "run";
  {
    record::RunFolder folder = record::create_folder(path);
    for (std::size_t point = 0; point < 2; ++point) {
      folder.begin(record::point_record(point));
      for (std::size_t i = 0; i < 4; ++i)
        folder.append(record::sample(record::point_record(point), i, 20));
    }
    folder.keep(record::Timeline{.key = "key-1",
                                 .iteration = 0,
                                 .warmup = true,
                                 .dilation = 100,
                                 .ranks = {{.start = std::chrono::microseconds(5000),
                                            .end = std::chrono::microseconds(7000)}}});
  }
  const std::vector<std::filesystem::path> folders{path, path};
  const json data = page_data(record::read_runs(folders), {.plans = commands::configured_plans},
                              std::chrono::system_clock::now());
  ASSERT_EQ(data["runs"].size(), 2u);
  const json& row = data["runs"][1]["rows"][1];
  EXPECT_EQ(row["algorithm"], "bml");
  EXPECT_DOUBLE_EQ(row["t_f_us"], 36'000 * 8 / 40e3) << "36,000 bytes at 40 Gbit/s";
  EXPECT_EQ(row["samples"]["count"], 3);
  EXPECT_TRUE(row["samples"]["loss"].is_null());
  EXPECT_EQ(data["plans"][row["plan"].get<std::size_t>()]["algorithm"], "bml");
  EXPECT_EQ(data["plans"].size(), 2u) << "the same in both runs";
  const json& timeline = data["timelines"][row["timeline"].get<std::size_t>()];
  EXPECT_DOUBLE_EQ(timeline["ranks"][0]["start_us"], 0);
  EXPECT_DOUBLE_EQ(timeline["ranks"][0]["end_us"], 20) << "2000 us of wall time, dilation 100";
  EXPECT_TRUE(data["runs"][0]["rows"][0]["timeline"].is_null());
  EXPECT_TRUE(data["flags"].contains("few-samples"));
}

// Of two simulated points, neither with a timeline in the folder, one can be made again; a measured
// point is never asked for.
TEST(PageData, AsksForTimelinesOfSimulatedPointsAlone) {
  const record::ScratchFolder scratch;
  const auto path = scratch / "run";
  {
    record::RunFolder folder = record::create_folder(path);
    for (std::size_t point = 0; point < 3; ++point) {
      record::PointRecord begun = record::point_record(point);
      if (point < 2) begun.configuration.backing = record::Backing::simulated;
      folder.begin(begun);
      folder.append(record::sample(begun, 1, 20));
    }
  }
  const TimelineMaker make = [](const record::StoredRun&, const record::StoredPoint& point) {
    EXPECT_EQ(point.record.configuration.backing, record::Backing::simulated);
    if (point.record.key == "key-1") return RemadeTimeline{.why_not = "they are too many"};
    return RemadeTimeline{.timeline =
                              record::Timeline{.ranks = {{.end = std::chrono::microseconds(20)}}}};
  };
  const std::vector<std::filesystem::path> folders{path};
  const json data = page_data(record::read_runs(folders), {.timelines = make}, {});
  const json& run = data["runs"][0];
  EXPECT_EQ(run["rows"][0]["timeline"], 0);
  EXPECT_TRUE(run["rows"][1]["timeline"].is_null());
  EXPECT_TRUE(run["rows"][2]["timeline"].is_null());
  EXPECT_EQ(data["timelines"][0]["ranks"][0]["end_us"], 20);
  EXPECT_EQ(run["notes"], json({"No timeline of 1 simulated point: they are too many."}));
}

TEST(PageData, HasWhatHostsWereVerifiedAs) {
  const record::ScratchFolder scratch;
  const auto path = scratch / "run";
  const record::RunFolder folder = record::create_folder(path);
  json hosts = {{"version", 1}, {"inventory", "rack.yaml"}, {"wirings", json::object()}};
  const auto shown = [&] {
    folder.write_hosts(hosts);
    const std::vector<std::filesystem::path> folders{path};
    const json data = page_data(record::read_runs(folders), {.plans = commands::configured_plans},
                                std::chrono::system_clock::now());
    EXPECT_EQ(data["runs"][0]["problems"], json::array());
    return data["runs"][0]["verification"];
  };
  EXPECT_TRUE(shown().is_null()) << "a run of before there were any";
  hosts["verification"] = nullptr;
  EXPECT_TRUE(shown().is_null());
  hosts["verification"] = json::parse(
      R"({"file": "v.json", "finished": "2026-11-21T20:00:00Z", "wiring": "w", "passed": true,
          "settings": {"lossless": true}, "checks": [{"check": "mtu", "passed": 4, "failed": 0}],
          "failures": [], "ignored": []})");
  EXPECT_EQ(shown(), hosts["verification"]);
}

TEST(Page, NoTextOfTheDataCanEndItsElement) {
  const std::string text = script_safe({{"name", "</script><script>alert(1)</script>"}});
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_EQ(json::parse(text)["name"], "</script><script>alert(1)</script>");
  EXPECT_NO_THROW(static_cast<void>(script_safe({{"name", "\xff\xfe"}})));
}

}  // namespace
}  // namespace gradwire::report
