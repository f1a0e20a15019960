#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "results/record/line_file.h"
#include "results/record/sample_line.h"
#include "results/record/sealed_line.h"
#include "results/record/store_error.h"
#include "tests/results/record/resealed.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

/// What a reader needs behind a line.
std::string padded(const std::string& line) {
  return line + std::string(LineReader::kPadding, '\0');
}

StoredSample read(const std::string& line) {
  const std::string text = padded(line);
  return SampleLineReader().read(std::string_view(text).substr(0, line.size()));
}

std::string refusal(const std::string& line) {
  try {
    static_cast<void>(read(line));
  } catch (const StoreError& error) {
    return error.what();
  }
  return "accepted";
}

// CRC-32 of {"a":1,"version":1 with zlib's polynomial, from Python's zlib.crc32.
TEST(SealedLine, EndsWithTheChecksumOfWhatComesBefore) {
  EXPECT_EQ(seal({{"a", 1}}), R"({"a":1,"version":1,"crc32":"001c0c39"})");
  EXPECT_FALSE(broken_seal(seal({{"a", 1}})).has_value());
}

TEST(SealedLine, EveryFlippedBitAndEveryTruncationIsNoticed) {
  const std::string line = sample_line(sample(point_record(1), 2, 12));
  for (std::size_t bit = 0; bit < 8 * line.size(); ++bit) {
    std::string damaged = line;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    EXPECT_TRUE(broken_seal(damaged).has_value()) << "bit " << bit;
  }
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_TRUE(broken_seal(std::string_view(line).substr(0, size)).has_value()) << size;
  }
}

TEST(SampleLine, GivesARowWhatItNeeds) {
  const StoredSample found = read(sample_line(sample(point_record(1, 2), 0, 12)));
  EXPECT_EQ(found.key, "key-1");
  EXPECT_EQ(found.attempt, 2u);
  EXPECT_TRUE(found.times.warmup);
  EXPECT_NEAR(found.times.gst.count(), 12e-6, 1e-15);
  EXPECT_EQ(found.times.wrong, 0);
}

TEST(SampleLine, SaysWhatTheMachineDid) {
  Sample made = sample(point_record(0), 3, 12);
  EXPECT_FALSE(read(sample_line(made)).times.foreign_share.has_value());
  made.machine = MachineUse{.capacity = Seconds(2), .foreign_share = 0.25, .waited_share = 1.5};
  EXPECT_DOUBLE_EQ(read(sample_line(made)).times.foreign_share.value(), 0.25);
  const json line = json::parse(sample_line(made));
  EXPECT_EQ(line.at("machine").at("capacity_ns"), 2'000'000'000);
  EXPECT_EQ(line.at("machine").at("waited_share"), 1.5);
}

// 40 us of wall time at a dilation of 100; lines of before do not have it.
TEST(SampleLine, SaysHowMuchEarlierTheFirstRankBegan) {
  Sample made = sample(point_record(0), 3, 12);
  EXPECT_FALSE(read(sample_line(made)).times.head_start.has_value());
  made.head_start = std::chrono::microseconds(40);
  EXPECT_NEAR(read(sample_line(made)).times.head_start.value().count(), 0.4e-6, 1e-15);
}

// Two buckets of 20 and 30 us within an iteration of 120 us, 80 of them computing; dilation 100.
TEST(SampleLine, OfATrainingJobHasItsBuckets) {
  using std::chrono::microseconds;
  Sample made = sample(point_record(0), 3, 1);
  made.ranks = {{.end = microseconds(120)}};
  made.training = TrainingSample{
      .compute = microseconds(80),
      .buckets = {{.elements = 1, .start = microseconds(10), .end = microseconds(30)},
                  {.elements = 2, .start = microseconds(70), .end = microseconds(100)}}};
  made.flags = {"late-compute", "packet-loss"};
  const IterationTimes times = read(sample_line(made)).times;
  ASSERT_TRUE(times.training.has_value());
  EXPECT_NEAR(times.training->iteration.count(), 1.2e-6, 1e-15);
  EXPECT_NEAR(times.training->exposed.count(), 0.4e-6, 1e-15);
  EXPECT_NEAR(times.training->buckets.at(1).count(), 0.3e-6, 1e-15);
  EXPECT_NEAR(times.gst.count(), 0.5e-6, 1e-15);
  EXPECT_EQ(times.flags, made.flags);
}

// 120 us of products on a processor stay 120 us at a dilation of 100; a line without is of another job.
TEST(SampleLine, OfFullyConnectedLayersHasItsProducts) {
  Sample made = sample(point_record(0), 3, 12);
  EXPECT_FALSE(read(sample_line(made)).times.dense.has_value());
  made.dense = DenseSample{.products = std::chrono::microseconds(120)};
  IterationTimes times = read(sample_line(made)).times;
  EXPECT_NEAR(times.dense.value().products.count(), 120e-6, 1e-15);
  EXPECT_FALSE(times.dense->deviation.has_value());
  made.dense->deviation = 2.5e-7;
  times = read(sample_line(made)).times;
  EXPECT_DOUBLE_EQ(times.dense.value().deviation.value(), 2.5e-7);
}

TEST(SampleLine, SkipsWhatItDoesNotKnowAndRefusesWhatIsNewer) {
  json line = json::parse(sample_line(sample(point_record(0), 1, 7)));
  line.erase("crc32");
  line["later"] = {{"more", {1, 2, 3}}};
  EXPECT_NEAR(read(seal(line)).times.gst.count(), 7e-6, 1e-15);

  line["version"] = kStoreVersion + 1;
  EXPECT_EQ(refusal(resealed(line)), "is of version 2; this gradwire reads version 1");
}

TEST(SampleLine, SaysWhatIsMissing) {
  for (const char* name : {"key", "gst_ns", "dilation", "warmup"}) {
    json line = json::parse(sample_line(sample(point_record(0), 1, 7)));
    line.erase("crc32");
    line.erase(name);
    EXPECT_THAT(refusal(seal(line)), HasSubstr(std::string(name) + " is missing"));
  }
  EXPECT_THAT(refusal(seal({{"gst_ns", "fast"}})), HasSubstr("is no sample"));
  EXPECT_THAT(refusal("size,time"), HasSubstr("does not end with a checksum"));
}

TEST(LineFile, CutsOffWhatWasNotAcknowledged) {
  const ScratchFolder scratch;
  const auto path = scratch / "lines";
  {
    LineFile file = LineFile::create(path, path);
    file.append("one");
    file.append("two");
  }
  std::ofstream(path, std::ios::app) << R"({"thr)";
  {
    LineReader reader(path);
    EXPECT_EQ(reader.next()->text, "one");
    EXPECT_EQ(reader.next()->text, "two");
    const std::optional<Line> torn = reader.next();
    EXPECT_EQ(torn->number, 3u);
    EXPECT_FALSE(torn->whole);
    EXPECT_FALSE(reader.next().has_value());
  }
  LineFile::reopen(path).append("three");
  std::ifstream all(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(all), {}), "one\ntwo\nthree\n");
}

// The files of a run may be another's, or no files of a run.
TEST(LineFile, CutsOffNothingButALine) {
  const ScratchFolder scratch;
  const auto path = scratch / "lines";
  const auto content = [&path] {
    std::ifstream all(path);
    return std::string(std::istreambuf_iterator<char>(all), {});
  };
  for (const std::string left : {"{", "{\"a", "one\n{\"a\":1", "one\n"}) {
    std::ofstream(path) << left;
    static_cast<void>(LineFile::reopen(path));
    EXPECT_EQ(content(), left.substr(0, left.rfind('\n') + 1)) << left;
  }
  // As a power cut may leave it: zeros, or what was on the disk before.
  for (const std::string& left : {std::string("one\n\0\0\0", 7), std::string("{\"a\"}\nold")}) {
    std::ofstream(path) << left;
    static_cast<void>(LineFile::reopen(path));
    EXPECT_EQ(content(), left.substr(0, left.find('\n') + 1)) << left;
  }
  for (const std::string foreign : {"precious, no newline", "one\ntwo", "{a"}) {
    std::ofstream(path) << foreign;
    EXPECT_THROW(static_cast<void>(LineFile::reopen(path)), InputError) << foreign;
    EXPECT_EQ(content(), foreign);
  }
}

TEST(LineFile, IsNoSymbolicLink) {
  const ScratchFolder scratch;
  std::ofstream(scratch / "victim") << "precious";
  std::filesystem::create_symlink("victim", scratch / "lines");
  EXPECT_THROW(static_cast<void>(LineFile::reopen(scratch / "lines")), InputError);
  EXPECT_EQ(std::filesystem::file_size(scratch / "victim"), 8u);
}

// The rest of a line of which a part was seen is no line.
TEST(LineReader, StopsWhereTheFileEnded) {
  const ScratchFolder scratch;
  const auto path = scratch / "lines";
  std::ofstream(path) << "one\ntw";
  LineReader reader(path);
  EXPECT_EQ(reader.next()->text, "one");
  EXPECT_FALSE(reader.next()->whole);
  std::ofstream(path, std::ios::app) << "o\nthree\n";
  EXPECT_FALSE(reader.next().has_value());
  LineReader limited(path, 6);
  EXPECT_EQ(limited.next()->text, "one");
  EXPECT_EQ(limited.next()->text, "tw");
  EXPECT_FALSE(limited.next().has_value());
}

TEST(LineFile, HasOneWriter) {
  const ScratchFolder scratch;
  const auto path = scratch / "lines";
  EXPECT_FALSE(is_locked(path)) << "there is no such file";
  {
    const LineFile writer = LineFile::reopen(path);
    EXPECT_TRUE(is_locked(path));
    EXPECT_THROW(static_cast<void>(LineFile::reopen(path)), InputError);
  }
  EXPECT_FALSE(is_locked(path));
}

// Lines of 1, 3001, 6001, ... bytes: many blocks, and lines across their borders.
TEST(LineReader, FindsLinesAcrossBlocks) {
  const ScratchFolder scratch;
  const auto path = scratch / "lines";
  constexpr std::size_t kLines = 100;
  {
    std::ofstream file(path);
    for (std::size_t i = 0; i < kLines; ++i) {
      file << std::string(3000 * i + 1, static_cast<char>('a' + i % 26)) << '\n';
    }
    file << std::string(9'000'000, 'z') << '\n';
  }
  LineReader reader(path);
  for (std::size_t i = 0; i < kLines; ++i) {
    const std::optional<Line> line = reader.next();
    ASSERT_TRUE(line.has_value()) << i;
    EXPECT_EQ(line->number, i + 1);
    EXPECT_EQ(line->text, std::string(3000 * i + 1, static_cast<char>('a' + i % 26)));
  }
  EXPECT_EQ(reader.next()->text.size(), 9'000'000u);
  EXPECT_FALSE(reader.next().has_value());
}

}  // namespace
}  // namespace gradwire::record
