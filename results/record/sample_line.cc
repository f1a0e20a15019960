#include "results/record/sample_line.h"

#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

#include "core/text/format_version.h"
#include "results/record/gst.h"
#include "results/record/line_file.h"
#include "results/record/point_json.h"
#include "results/record/sealed_line.h"
#include "results/record/store_error.h"

namespace gradwire::record {
namespace {

using nlohmann::json;
namespace ondemand = simdjson::ondemand;

static_assert(LineReader::kPadding >= simdjson::SIMDJSON_PADDING);

json to_json(const TrainingSample& training) {
  json buckets = json::array();
  for (const BucketSample& bucket : training.buckets) {
    buckets.push_back({{"elements", bucket.elements},
                       {"ready_ns", bucket.ready.count()},
                       {"start_ns", bucket.start.count()},
                       {"end_ns", bucket.end.count()}});
  }
  json all{{"compute_ns", training.compute.count()}, {"buckets", std::move(buckets)}};
  if (training.loss) all["loss"] = *training.loss;
  return all;
}

json to_json(const DenseSample& dense) {
  json result{{"products_ns", dense.products.count()}};
  result["deviation"] = dense.deviation ? json(*dense.deviation) : json(nullptr);
  return result;
}

/// Times as written in a line, before the dilation is known.
struct RawTimes {
  std::optional<std::string_view> key;
  std::optional<double> gst_ns;
  std::optional<double> wall_ns;
  std::optional<double> dilation;
  std::optional<bool> warmup;
  std::optional<std::uint64_t> iteration;
  std::optional<double> head_start_ns;
  bool trains = false;
  double compute_ns = 0;
  std::vector<double> buckets_ns;
  std::optional<double> loss;
};

template <class Value>
Value required(const std::optional<Value>& value, const char* name) {
  if (!value) throw StoreError(fmt::format("is no sample: {} is missing", name));
  return *value;
}

double number(ondemand::object& object, const char* name) {
  return object.find_field_unordered(name).get_double();
}

void read_training(ondemand::value value, RawTimes& raw) {
  if (value.is_null()) return;
  raw.trains = true;
  ondemand::object training = value.get_object();
  for (ondemand::field field : training) {
    const std::string_view name = field.unescaped_key();
    if (name == "compute_ns") raw.compute_ns = field.value().get_double();
    if (name == "loss") raw.loss = double(field.value().get_double());
    if (name != "buckets") continue;
    for (ondemand::object bucket : field.value().get_array()) {
      const double end = number(bucket, "end_ns");
      raw.buckets_ns.push_back(end - number(bucket, "start_ns"));
    }
  }
}

void read_machine(ondemand::value value, StoredSample& sample) {
  ondemand::object machine = value.get_object();
  sample.times.foreign_share = number(machine, "foreign_share");
}

void read_dense(ondemand::value value, StoredSample& sample) {
  ondemand::object dense = value.get_object();
  IterationTimes::Dense& times = sample.times.dense.emplace();
  times.products = undilated(WallTime(number(dense, "products_ns")), 1);
  ondemand::value deviation = dense.find_field_unordered("deviation");
  if (!deviation.is_null()) times.deviation = deviation.get_double();
}

void read_field(ondemand::field field, RawTimes& raw, StoredSample& sample) {
  const std::string_view name = field.unescaped_key();
  ondemand::value value = field.value();
  if (name == "key")
    raw.key = value.get_string();
  else if (name == "gst_ns")
    raw.gst_ns = value.get_double();
  else if (name == "wall_ns")
    raw.wall_ns = value.get_double();
  else if (name == "dilation")
    raw.dilation = value.get_double();
  else if (name == "warmup")
    raw.warmup = value.get_bool();
  else if (name == "session")
    sample.attempt = std::uint64_t(value.get_uint64());
  else if (name == "iteration")
    raw.iteration = std::uint64_t(value.get_uint64());
  else if (name == "head_start_ns")
    raw.head_start_ns = value.get_double();
  else if (name == "machine")
    read_machine(value, sample);
  else if (name == "training")
    read_training(value, raw);
  else if (name == "dense")
    read_dense(value, sample);
  else if (name == "wrong" && !value.is_null())
    sample.times.wrong = std::int64_t(value.get_int64());
  else if (name == "flags") {
    for (auto flag : value.get_array()) {
      sample.times.flags.emplace_back(std::string_view(flag.get_string()));
    }
  } else if (name == "version") {
    const std::int64_t version = value.get_int64();
    if (version > kStoreVersion) {
      throw StoreError(text::newer_version(std::to_string(version), kStoreVersion));
    }
  }
}

void finish(const RawTimes& raw, StoredSample& sample) {
  sample.key = required(raw.key, "key");
  const double dilation = required(raw.dilation, "dilation");
  sample.times.warmup = required(raw.warmup, "warmup");
  sample.iteration = required(raw.iteration, "iteration");
  sample.times.gst = Seconds(required(raw.gst_ns, "gst_ns") / 1e9);
  if (!(sample.times.gst.count() > 0) || !(dilation >= 1)) {
    throw StoreError("is no sample: gst_ns and dilation are above 0");
  }
  if (raw.head_start_ns) {
    sample.times.head_start = undilated(WallTime(*raw.head_start_ns), dilation);
  }
  if (!raw.trains) return;
  const WallTime wall(required(raw.wall_ns, "wall_ns"));
  if (!(wall.count() > 0)) throw StoreError("is no sample: wall_ns is above 0");
  sample.times.training = {.iteration = undilated(wall, dilation),
                           .exposed = exposed(wall, WallTime(raw.compute_ns), dilation),
                           .loss = raw.loss};
  for (const double bucket : raw.buckets_ns) {
    sample.times.training->buckets.push_back(undilated(WallTime(bucket), dilation));
  }
}

}  // namespace

std::string sample_line(const Sample& sample) {
  json line = to_json(sample.configuration);
  line["key"] = sample.key;
  line["session"] = sample.attempt;
  line["iteration"] = sample.iteration;
  line["warmup"] = sample.warmup;
  line["gst_ns"] = gst(sample).count() * 1e9;
  line["wall_ns"] = wall(sample).count();
  line["dilation"] = sample.dilation;
  json& starts = line["start_ns"] = json::array();
  json& ends = line["end_ns"] = json::array();
  for (const RankTimes& times : sample.ranks) {
    starts.push_back(times.start.count());
    ends.push_back(times.end.count());
  }
  if (sample.head_start) line["head_start_ns"] = sample.head_start->count();
  if (sample.machine) {
    line["machine"] = {{"capacity_ns", std::llround(sample.machine->capacity.count() * 1e9)},
                       {"foreign_share", sample.machine->foreign_share},
                       {"waited_share", sample.machine->waited_share}};
  }
  if (sample.training) line["training"] = to_json(*sample.training);
  if (sample.dense) line["dense"] = to_json(*sample.dense);
  line["wrong"] = sample.wrong ? json(*sample.wrong) : json(nullptr);
  line["flags"] = sample.flags;
  return seal(std::move(line));
}

struct SampleLineReader::Parser {
  ondemand::parser parser;
};

SampleLineReader::SampleLineReader() : parser_(std::make_unique<Parser>()) {}
SampleLineReader::~SampleLineReader() = default;

StoredSample SampleLineReader::read(std::string_view line) {
  if (const auto broken = broken_seal(line)) throw StoreError(std::string(*broken));
  StoredSample sample;
  RawTimes raw;
  try {
    ondemand::document document =
        parser_->parser.iterate(line.data(), line.size(), line.size() + LineReader::kPadding);
    for (ondemand::field field : document.get_object()) read_field(field, raw, sample);
    finish(raw, sample);
  } catch (const simdjson::simdjson_error& error) {
    throw StoreError(fmt::format("is no sample: {}", error.what()));
  }
  return sample;
}

}  // namespace gradwire::record
