#include "results/record/row.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "results/record/flags.h"
#include "results/record/gst.h"
#include "results/record/line_file.h"
#include "results/record/point_record.h"
#include "results/record/row_builder.h"
#include "results/record/sample_line.h"
#include "results/report/metrics/text_columns.h"
#include "results/report/row_notes.h"

namespace gradwire::record {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const Configuration kBml{.backing = record::Backing::emulated,
                         .wiring = "bcube(3,2)",
                         .algorithm = "bml",
                         .ranks = 9,
                         .ports_per_host = 2,
                         .elements = 3'274'634};

Sample timed_sample(std::size_t iteration, Nanoseconds end) {
  return {.configuration = kBml,
          .iteration = iteration,
          .dilation = 100,
          .ranks = {{.start = 0us, .end = end - 10us}, {.start = 30us, .end = end}},
          .wrong = 0};
}

/// What a row takes of a sample, by way of its line in samples.ndjson.
IterationTimes kept(const Sample& sample) {
  const std::string line = sample_line(sample);
  const std::string padded = line + std::string(LineReader::kPadding, '\0');
  return SampleLineReader().read(std::string_view(padded).substr(0, line.size())).times;
}

Row make_row(std::span<const Sample> samples, Seconds bound) {
  RowBuilder builder;
  for (const Sample& sample : samples) builder.add(kept(sample));
  PointRecord record{
      .configuration = kBml, .dilation = 100, .bound = bound, .wiring = WiringCost{.cut = bound}};
  if (samples.front().training) record.training.emplace();
  return builder.row(record);
}

// GST runs from the last start to the last end, divided by the dilation: (1030 - 30) us / 100.
TEST(Gst, IsFromLastReadyToLastUsable) {
  EXPECT_EQ(wall(timed_sample(0, 1030us)), 1000us);
  EXPECT_DOUBLE_EQ(gst(timed_sample(0, 1030us)).count(), 10e-6);
}

// S = 13,098,536 B in 2.5 ms: algbw 5.239 GB/s, busbw 16/9 of it, nicbw half of that.
TEST(Rates, FollowTheirDefinitions) {
  const Rates found = rates(kBml, {.gst = Seconds(2.5e-3), .bound = Seconds(2.4e-3)});
  EXPECT_NEAR(found.algbw, 13'098'536 / 2.5e-3, 1);
  EXPECT_NEAR(found.busbw, found.algbw * 16 / 9, 1);
  EXPECT_NEAR(found.nicbw, found.busbw / 2, 1);
  EXPECT_NEAR(*found.efficiency, 0.96, 1e-12);
}

// Of groups and of counts for each pair the point's record says it.
TEST(Rates, TakeTheBusFactorThatIsTold) {
  PointRecord record{.configuration = kBml, .dilation = 100, .bus_factor = 1.25};
  record.configuration.collective = "groups";
  EXPECT_EQ(point_record_from_json(to_json(record)).bus_factor, 1.25);
  const Rates found = rates(kBml, {.gst = Seconds(2.5e-3), .bus_factor = 1.25});
  EXPECT_NEAR(found.busbw, found.algbw * 1.25, 1);
}

// Products of 3, 1, 2 and 9 ms, the last of a warm-up; GST is 10 us at a dilation of 100 throughout.
TEST(Row, OfFullyConnectedLayersHasProductsAndSteps) {
  std::vector<Sample> samples;
  for (const auto products : {3ms, 1ms, 2ms, 9ms}) {
    samples.push_back(timed_sample(samples.size(), 1030us));
    samples.back().dense = DenseSample{.products = products};
  }
  samples[3].warmup = true;
  samples[3].dense->deviation = 4e-7;
  samples[0].dense->deviation = 3e-7;
  const Row row = make_row(samples, Seconds(1e-6));
  EXPECT_DOUBLE_EQ(row.dense.value().products.count(), 2e-3);
  EXPECT_DOUBLE_EQ(row.dense->step.count(), 2e-3 + 10e-6);
  EXPECT_DOUBLE_EQ(row.dense->deviation.value(), 4e-7) << "the warm-up was verified, too";
}

TEST(Row, WarmUpIsKeptOutOfTheStatisticsButVerified) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < 8; ++i) samples.push_back(timed_sample(i, 1030us));
  samples[0] = timed_sample(0, 9030us);
  samples[0].warmup = true;
  samples[0].wrong = 3;
  const Row row = make_row(samples, Seconds(8e-6));
  EXPECT_DOUBLE_EQ(row.gst.max, 10e-6);
  EXPECT_EQ(row.wrong, 3);
  EXPECT_THAT(row_flags(row), Contains(kFlagWrongData));
}

/// Two buckets: [20, 50) and [60, 110) us after the last start; computing ends at 80 us.
Sample training_sample() {
  Sample made = timed_sample(0, 150us);
  made.training =
      TrainingSample{.compute = 80us,
                     .buckets = {{.elements = 10, .ready = 10us, .start = 20us, .end = 50us},
                                 {.elements = 20, .ready = 60us, .start = 60us, .end = 110us}}};
  return made;
}

// The iteration takes 120 us, of which 40 are not computing; its buckets take 30 + 50 us.
TEST(Gst, OfATrainingJobIsTheSumOverItsBuckets) {
  EXPECT_DOUBLE_EQ(gst(training_sample()).count(), 0.8e-6);
  EXPECT_DOUBLE_EQ(undilated(wall(training_sample()), 100).count(), 1.2e-6);
  EXPECT_DOUBLE_EQ(exposed(120us, 80us, 100).count(), 0.4e-6);
}

// The same from the line that is kept of it.
TEST(Gst, OfATrainingJobIsKeptWithIterationAndExposed) {
  const IterationTimes times = kept(training_sample());
  EXPECT_DOUBLE_EQ(times.gst.count(), 0.8e-6);
  EXPECT_DOUBLE_EQ(times.training->iteration.count(), 1.2e-6);
  EXPECT_DOUBLE_EQ(times.training->exposed.count(), 0.4e-6);
}

TEST(Row, OfATrainingJobAddsUpItsIterations) {
  const std::vector<Sample> samples(7, training_sample());
  const Row row = make_row(samples, Seconds(0.4e-6));
  ASSERT_TRUE(row.training.has_value());
  EXPECT_NEAR(row.training->jct.count(), 7 * 1.2e-6, 1e-15);
  EXPECT_NEAR(row.training->exposed_percent(), 100.0 / 3, 1e-9);
  EXPECT_DOUBLE_EQ(row.training->bucket_gst[1].count(), 0.5e-6);
  EXPECT_NEAR(*row.rates().efficiency, 0.5, 1e-12);
  EXPECT_FALSE(row.training->prediction_error_percent().has_value());
}

// Nothing is faster than its bound without a mark.
TEST(Row, AnEfficiencyOverOneIsFlagged) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < 8; ++i) samples.push_back(timed_sample(i, 1030us));
  const Row row = make_row(samples, Seconds(10.5e-6));
  EXPECT_THAT(row_flags(row), Contains(kFlagFasterThanBound));
  const std::vector<Row> rows{row};
  EXPECT_THAT(report::format_rows(report::result_columns(), rows), HasSubstr("105.0"));
  EXPECT_THAT(report::row_notes(rows), HasSubstr("# faster-than-bound: "));
}

// Each iteration is slower than 10.5 us less its own head start at a dilation of 100, so their
// medians are, too: 10.3 us against 10.5 - 0.4. Where no iteration says its head start, as in runs
// of before, the point's bound stands; where some do not, as in such a run that was gone on with,
// there is none.
TEST(Row, TheBoundIsLessTheMedianHeadStart) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < 7; ++i) {
    samples.push_back(timed_sample(i, 1060us));
    samples.back().head_start = std::chrono::microseconds(37 + i);
  }
  EXPECT_NEAR(make_row(samples, Seconds(10.5e-6)).bound->count(), 10.1e-6, 1e-15);
  EXPECT_EQ(make_row(samples, Seconds(0.3e-6)).bound, Seconds(0));
  EXPECT_THAT(row_flags(make_row(samples, Seconds(10.5e-6))), Not(Contains(kFlagFasterThanBound)));
  samples.front().head_start.reset();
  EXPECT_FALSE(make_row(samples, Seconds(10.5e-6)).bound.has_value());
  for (Sample& each : samples) each.head_start.reset();
  EXPECT_DOUBLE_EQ(make_row(samples, Seconds(10.5e-6)).bound->count(), 10.5e-6);
}

// What an early rank sends before GST's clock starts is of the bytes that cross a cut: 10.4 - 0.4 us.
TEST(Row, TheCutIsLessTheMedianHeadStart) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < 7; ++i) {
    samples.push_back(timed_sample(i, 1060us));
    samples.back().head_start = std::chrono::microseconds(37 + i);
  }
  EXPECT_NEAR(make_row(samples, Seconds(10.4e-6)).wiring->cut.count(), 10e-6, 1e-15);
  EXPECT_EQ(make_row(samples, Seconds(0.3e-6)).wiring->cut, Seconds(0));
  samples.front().head_start.reset();
  EXPECT_EQ(make_row(samples, Seconds(10.4e-6)).wiring->cut, Seconds(0)) << "nobody knows";
  for (Sample& each : samples) each.head_start.reset();
  EXPECT_DOUBLE_EQ(make_row(samples, Seconds(10.4e-6)).wiring->cut.count(), 10.4e-6);
}

/// GST in us by iteration, those from `first` on marked as disturbed.
Row disturbed_row(const std::vector<int>& times, std::size_t first) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < times.size(); ++i) {
    samples.push_back(timed_sample(i, std::chrono::microseconds(100 * times[i] + 30)));
    const bool is_marked = i >= first;
    samples.back().machine =
        MachineUse{.capacity = Seconds(1), .foreign_share = is_marked ? 0.5 : 0.01};
    if (is_marked) samples.back().flags = {std::string(kFlagDisturbed)};
  }
  return make_row(samples, Seconds(1e-6));
}

// Of seven iterations the three slowest are marked: the fourth in order is not, so the median does
// not rest on them. With four of seven it does, and so it does when the middle one is marked.
TEST(Row, IsDisturbedWhenItsMedianRestsOnMarkedIterations) {
  const Row fine = disturbed_row({10, 11, 12, 13, 20, 21, 22}, 4);
  EXPECT_THAT(row_flags(fine), Not(Contains(kFlagDisturbed)));
  EXPECT_EQ(fine.iterations.disturbed, 3u);
  EXPECT_DOUBLE_EQ(fine.foreign_share.value(), 0.01);
  EXPECT_THAT(row_flags(disturbed_row({10, 11, 12, 20, 21, 22, 23}, 3)), Contains(kFlagDisturbed));
  EXPECT_THAT(row_flags(disturbed_row({10, 11, 12, 14, 15, 16, 13}, 6)), Contains(kFlagDisturbed));
  EXPECT_THAT(row_flags(disturbed_row({10, 11, 13, 14, 15, 12}, 5)), Contains(kFlagDisturbed))
      << "one of the middle two";
  EXPECT_TRUE(spoils(kFlagDisturbed));
}

// A GST of 10 us: 10.6 us are off by 6 %, 10.4 us by 4; 0.2 us of latency are 2 %.
TEST(Row, IsMarkedWhenAPredictionIsOffOrLatencyIsMuchOfIt) {
  const std::vector<Sample> samples(7, timed_sample(0, 1030us));
  Row row = make_row(samples, Seconds(1e-6));
  EXPECT_FALSE(row.gst_prediction_error_percent().has_value());
  row.predicted = Seconds(10.4e-6);
  row.latency = Seconds(0.09e-6);
  EXPECT_NEAR(row.gst_prediction_error_percent().value(), 4, 1e-9);
  EXPECT_THAT(row_flags(row), Not(Contains(kFlagOffPrediction)));
  EXPECT_THAT(row_flags(row), Not(Contains(kFlagLatency)));
  row.predicted = Seconds(9.4e-6);
  row.latency = Seconds(0.2e-6);
  EXPECT_THAT(row_flags(row), Contains(kFlagOffPrediction));
  EXPECT_THAT(row_flags(row), Contains(kFlagLatency));
}

TEST(Table, HasTheColumnsOfTheInterface) {
  const std::vector<Sample> samples{timed_sample(0, 1030us)};
  const std::vector<Row> rows{make_row(samples, Seconds(9.5e-6))};
  const std::string table = report::format_rows(report::result_columns(), rows);
  std::size_t at = 0;
  for (const char* column :
       {"backing", "wiring", "algo",    "sched",    "N",      "k",     "size",
        "count",   "type",   "gst_p50", "gst_p99",  "cv%",    "bound", "algbw",
        "busbw",   "nicbw",  "eff%",    "exposed%", "#wrong", "jct",   "flags"}) {
    at = table.find(column, at);
    ASSERT_NE(at, std::string::npos) << column;
  }
  EXPECT_THAT(report::row_notes(rows), HasSubstr("# wrong elements in all: 0"));
}

// Costs of sizes beyond the last that was measured are a line's, and the row says so.
TEST(Flags, ACostBeyondWhatWasMeasuredIsSaid) {
  const auto flags = [](double measured) {
    Row row{.configuration = kBml, .gst = {.n = 10, .median = 1}, .wrong = 0};
    row.training.emplace();
    row.training->plan.cost = measured_cost({{1e6, Seconds(1)}, {measured, Seconds(2)}});
    return row_flags(row);
  };
  const auto all = static_cast<double>(kBml.bytes());
  EXPECT_THAT(flags(all), Not(Contains("cost-extrapolated")));
  EXPECT_THAT(flags(all / 4), Contains("cost-extrapolated"));
}

}  // namespace
}  // namespace gradwire::record
