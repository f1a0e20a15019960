#include "results/report/workload_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "workloads/trace.h"

namespace gradwire::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const workloads::Model kModel{
    .name = "two",
    .source = "by hand",
    .input = {1, 4},
    .tensors = {{.name = "w", .shape = {10, 4}, .elements = 40, .forward_macs = 40},
                {.name = "b", .shape = {10}, .elements = 10},
                {.name = "v", .shape = {5}, .elements = 5}}};

const workloads::Profile kMeasured{
    .model = "two",
    .source = "a stopwatch",
    .measured = true,
    .layers = {
        {.name = "l", .tensors = {40, 10}, .forward = Seconds(1e-6), .backward = Seconds(2e-6)},
        {.name = "v", .tensors = {5}, .forward = Seconds(3e-6), .backward = Seconds(4e-6)}}};

TEST(WorkloadTable, WithoutAProfileHasNoTimes) {
  const std::string text = workload_table(kModel, nullptr);
  EXPECT_THAT(text, StartsWith("# two: 3 tensors, 55 parameters (0.00 MiB), input 1x4"));
  EXPECT_THAT(text, HasSubstr("# source: by hand\n"));
  EXPECT_THAT(text, ContainsRegex("\n   w +10x4 +40 +40\n"));
  EXPECT_THAT(text, Not(HasSubstr("ready")));
}

// Gradients of one layer are ready together, and the last layer's first.
TEST(WorkloadTable, SaysWhenGradientsAreReady) {
  const std::string text = workload_table(kModel, &kMeasured);
  EXPECT_THAT(text, HasSubstr("# measured: a stopwatch\n"));
  EXPECT_THAT(text, HasSubstr("# forward 4.0 us, backward 6.0 us"));
  EXPECT_THAT(text, ContainsRegex("\n   w +10x4 +40 +40 +1.0 +2.0 +6.0\n"));
  EXPECT_THAT(text, ContainsRegex("\n   b +10 +10 +0 +- +- +6.0\n"));
  EXPECT_THAT(text, ContainsRegex("\n   v +5 +5 +0 +3.0 +4.0 +4.0\n"));
}

TEST(WorkloadTable, SaysThatAProfileIsDerived) {
  const workloads::Model model = workloads::load_model("lenet5");
  const workloads::Profile profile =
      workloads::derive(model, {.device = workloads::find_device("k80"), .batch = 32});
  EXPECT_THAT(workload_table(model, &profile),
              HasSubstr("\n# derived: 1 k80 at 0.35 of 4.37 Tflop/s float32, batch 32 per host\n"));
}

TEST(WorkloadJson, SaysTheSame) {
  const auto json = nlohmann::json::parse(workload_json(kModel, &kMeasured));
  EXPECT_EQ(json.at("elements"), 55);
  EXPECT_EQ(json.at("profile").at("source"), "measured: a stopwatch");
  EXPECT_EQ(json.at("profile").at("measured"), true);
  const auto& tensors = json.at("tensors");
  ASSERT_EQ(tensors.size(), 3u);
  EXPECT_EQ(tensors[0].at("layer"), "l");
  EXPECT_DOUBLE_EQ(tensors[0].at("backward_us"), 2);
  EXPECT_DOUBLE_EQ(tensors[1].at("backward_us"), 0);
  EXPECT_DOUBLE_EQ(tensors[1].at("ready_us"), 6);
  EXPECT_DOUBLE_EQ(tensors[2].at("ready_us"), 4);
  EXPECT_FALSE(nlohmann::json::parse(workload_json(kModel, nullptr)).contains("profile"));
}

TEST(WorkloadCsv, IsATrace) {
  const std::string text = workload_csv(kModel, &kMeasured);
  const workloads::Profile again = workloads::parse_trace(text, "x.csv", &kModel);
  EXPECT_EQ(again.source, "a stopwatch");
  EXPECT_TRUE(again.measured);
  EXPECT_EQ(workload_csv(kModel, &again), text);
  EXPECT_EQ(workload_table(kModel, &again), workload_table(kModel, &kMeasured));
}

TEST(WorkloadCsv, WithoutAProfileHasCounts) {
  EXPECT_EQ(workload_csv(kModel, nullptr),
            "tensor,shape,elements,forward_macs\nw,10x4,40,40\nb,10,10,0\nv,5,5,0\n");
}

}  // namespace
}  // namespace gradwire::report
