#include <algorithm>
#include <cmath>
#include <string>

#include <nlohmann/json.hpp>

#include "core/text/schemas.h"
#include "results/record/ndjson.h"
#include "results/record/point_record.h"
#include "results/record/sealed_line.h"
#include "results/record/store_error.h"
#include "results/record/timeline.h"
#include "results/record/transfer_columns.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/sealed.h"

/// Lines of timelines.ndjson and points.ndjson, with a broken seal and with one that fits.
namespace gradwire::record {
namespace {

void read_timeline(std::string_view line) {
  const auto timeline = fuzz::value_of<StoreError>([&] { return timeline_of_line(line); });
  if (!timeline || timeline->ranks.empty()) return;
  const nlohmann::json written = to_json(*timeline);
  // Counted from another beginning, times may be too large to be read; see
  // rank_iteration.h.
  const auto again =
      fuzz::value_of<StoreError>([&] { return timeline_of_line(seal(written, kTimelineVersion)); });
  if (again) fuzz::require(to_json(*again) == written, "a timeline is read as it is written");
}

/// Equal but for the last digits of numbers, which change when microseconds become seconds.
bool are_alike(const nlohmann::json& one, const nlohmann::json& other) {
  if (one.is_number_float() && other.is_number_float()) {
    const double a = one;
    const double b = other;
    return std::abs(a - b) <= 1e-9 * std::abs(a) || (!std::isfinite(a) && !std::isfinite(b));
  }
  if (!one.is_structured() || one.type() != other.type()) return one == other;
  return one.size() == other.size() && std::equal(one.begin(), one.end(), other.begin(), are_alike);
}

PointRecord point_of(std::string_view line) {
  const text::SchemaChecker& schema = text::shared_checker(text::schema("point"));
  const nlohmann::json document = sealed_document(line);
  require_valid(document, schema, "point");
  if (document.contains("flag")) throw StoreError("is a mark");
  return point_record_from_json(document);
}

void read_point(std::string_view line) {
  const auto record = fuzz::value_of<StoreError>([&] { return point_of(line); });
  if (!record) return;
  const nlohmann::json written = to_json(*record);
  fuzz::require(are_alike(to_json(point_record_from_json(written)), written),
                "a point is read as it is written");
}

}  // namespace
}  // namespace gradwire::record

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  static_cast<void>(
      fuzz::value_of<record::StoreError>([&] { return record::sealed_document(text); }));
  const std::string line = fuzz::sealed(text);
  record::read_timeline(line);
  record::read_point(line);
  return 0;
}
