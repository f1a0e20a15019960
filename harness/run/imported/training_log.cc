#include "harness/run/imported/training_log.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/text/file.h"
#include "core/text/schemas.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLogBytes = std::size_t{1} << 30;
constexpr int kVersion = 1;
constexpr const char* kVersionKey = "gradwire-training-log";

/// A log, line by line.
class Lines {
 public:
  explicit Lines(const std::filesystem::path& path)
      : file_(path.string()), text_(text::read_input_file(path, kMostLogBytes)) {}

  /// The next line, which follows the schema; nothing at the end.
  [[nodiscard]] std::optional<json> next() {
    if (at_ >= text_.size()) return std::nullopt;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view line = std::string_view(text_).substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    json document = json::parse(line, nullptr, false);
    if (document.is_discarded()) refuse("is no JSON; a program that was killed leaves half a line");
    if (const auto why = text::why_invalid(document, "training-log")) refuse(*why);
    return document;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(SourcePlace{.file = file_, .line = line_, .column = 1}, why);
  }

 private:
  std::string file_;
  std::string text_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
};

Nanoseconds time_of(const json& object, const char* name) {
  return Nanoseconds(object.at(name).get<std::int64_t>());
}

/// The first line of a rank's log.
json read_first(Lines& lines, std::size_t rank) {
  const std::optional<json> first = lines.next();
  if (!first || !first->contains(kVersionKey)) lines.refuse("does not begin with who wrote it");
  if (const int version = first->at(kVersionKey); version > kVersion) {
    lines.refuse(fmt::format("is of version {}; this program reads {}", version, kVersion));
  }
  if (first->at("rank") != rank) {
    lines.refuse(fmt::format("is of rank {}, not {}", first->at("rank").get<std::size_t>(), rank));
  }
  return *first;
}

record::RankTraining training_of(const json& line) {
  record::RankTraining training{.compute_end = time_of(line, "compute_end_ns")};
  for (const json& bucket : line.at("buckets")) {
    training.buckets.push_back({.ready = time_of(bucket, "ready_ns"),
                                .start = time_of(bucket, "start_ns"),
                                .end = time_of(bucket, "end_ns")});
  }
  return training;
}

/// Whether times go forward within an iteration.
bool in_order(const record::RankIteration& iteration) {
  const auto of_bucket = [](const record::RankBucket& bucket) {
    return bucket.ready <= bucket.start && bucket.start <= bucket.end;
  };
  return iteration.start <= iteration.training->compute_end &&
         iteration.training->compute_end <= iteration.end &&
         std::ranges::all_of(iteration.training->buckets, of_bucket);
}

/// Adds a rank's log to those of the ranks before it.
class Reader {
 public:
  explicit Reader(TrainingLog& log) : log_(log) {}

  /// The number of ranks, of which the first says it.
  [[nodiscard]] std::size_t read(std::size_t rank) {
    Lines lines(log_.folder / fmt::format("rank-{}.ndjson", rank));
    const json first = read_first(lines, rank);
    note_first(first, rank, lines);
    std::size_t count = 0;
    while (const std::optional<json> line = lines.next()) add(*line, rank, count++, lines);
    if (count != log_.iterations.size() || count == 0) {
      lines.refuse(fmt::format("ends after {} iterations, rank 0 after {}; at least one is needed",
                               count, log_.iterations.size()));
    }
    return first.at("ranks");
  }

 private:
  void note_first(const json& first, std::size_t rank, const Lines& lines) {
    for (const auto& [name, known] :
         {std::pair("wiring", &log_.wiring), std::pair("algorithm", &log_.algorithm),
          std::pair("schedule", &log_.schedule), std::pair("computing", &log_.computing)}) {
      const auto said = first.at(name).get<std::string>();
      if (rank == 0) *known = said;
      if (*known == said) continue;
      lines.refuse(fmt::format("{} is '{}', of rank 0 '{}'", name, said, *known));
    }
  }

  void add(const json& line, std::size_t rank, std::size_t count, const Lines& lines) {
    if (!line.contains("iteration") || line.at("iteration") != count) {
      lines.refuse(fmt::format("is not iteration {}, which was to follow", count));
    }
    std::vector<std::uint64_t> buckets;
    for (const json& bucket : line.at("buckets")) buckets.push_back(bucket.at("elements"));
    if (rank == 0 && count == 0) log_.buckets = buckets;
    if (buckets != log_.buckets) lines.refuse("has other buckets than iteration 0 of rank 0");
    record::RankIteration iteration{.start = time_of(line, "start_ns"),
                                    .end = time_of(line, "end_ns"),
                                    .training = training_of(line)};
    if (line.contains("verified")) iteration.wrong = line.at("verified").at("wrong");
    if (!in_order(iteration)) lines.refuse("has times that go back");
    if (rank == 0) log_.iterations.emplace_back();
    if (count >= log_.iterations.size()) lines.refuse("is an iteration that rank 0 does not have");
    log_.iterations[count].ranks.push_back(std::move(iteration));
    log_.iterations[count].losses.push_back(line.at("loss"));
  }

  TrainingLog& log_;
};

}  // namespace

TrainingLog read_training_log(const std::filesystem::path& folder) {
  TrainingLog log{.folder = folder};
  Reader reader(log);
  const std::size_t ranks = reader.read(0);
  for (std::size_t rank = 1; rank < ranks; ++rank) static_cast<void>(reader.read(rank));
  return log;
}

}  // namespace gradwire::run
