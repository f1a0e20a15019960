#include "schedule/cost.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::schedule {
namespace {

bool is_positive(double value) {
  return std::isfinite(value) && value > 0;
}

Seconds on_line(const TimedSize& left, const TimedSize& right, double bytes) {
  return left.time + (bytes - left.bytes) / (right.bytes - left.bytes) * (right.time - left.time);
}

/// Sums over points, around their means: otherwise squares of bytes would drown the deviations.
struct Moments {
  double mean_bytes = 0;
  double mean_time = 0;
  double bytes_bytes = 0;
  double bytes_time = 0;
  double time_time = 0;
};

Moments moments_of(std::span<const TimedSize> points) {
  Moments sums;
  for (const TimedSize& point : points) {
    sums.mean_bytes += point.bytes;
    sums.mean_time += point.time.count();
  }
  sums.mean_bytes /= static_cast<double>(points.size());
  sums.mean_time /= static_cast<double>(points.size());
  for (const TimedSize& point : points) {
    const double bytes = point.bytes - sums.mean_bytes;
    const double time = point.time.count() - sums.mean_time;
    sums.bytes_bytes += bytes * bytes;
    sums.bytes_time += bytes * time;
    sums.time_time += time * time;
  }
  return sums;
}

double slope_through_origin(std::span<const TimedSize> points) {
  double bytes_bytes = 0;
  double bytes_time = 0;
  for (const TimedSize& point : points) {
    bytes_bytes += point.bytes * point.bytes;
    bytes_time += point.bytes * point.time.count();
  }
  return bytes_time / bytes_bytes;
}

Affine line_through(std::span<const TimedSize> points, const Moments& sums) {
  const double slope = sums.bytes_time / sums.bytes_bytes;
  const double intercept = sums.mean_time - slope * sums.mean_bytes;
  if (slope < 0) return {Seconds(sums.mean_time), 0};
  if (intercept < 0) return {Seconds(0), slope_through_origin(points)};
  return {Seconds(intercept), slope};
}

}  // namespace

CostTable::CostTable(std::vector<TimedSize> points) : points_(std::move(points)) {
  if (points_.empty()) throw InputError("a cost table needs at least one point");
  double largest = 0;
  for (const TimedSize& point : points_) {
    if (!is_positive(point.bytes) || !is_positive(point.time.count())) {
      throw InputError(fmt::format("a cost table's sizes and times must be above 0, not {} B, {} s",
                                   point.bytes, point.time.count()));
    }
    if (point.bytes <= largest) {
      throw InputError(fmt::format("a cost table's sizes must rise, but {} B follows {} B",
                                   point.bytes, largest));
    }
    largest = point.bytes;
  }
  beyond_ = points_.size() > 1 ? fit_line(points_).line
                               : Affine{.b = points_[0].time.count() / points_[0].bytes};
}

Seconds CostTable::at(double bytes) const {
  const TimedSize& first = points_.front();
  const TimedSize& last = points_.back();
  if (bytes <= first.bytes) return first.time;
  if (bytes < last.bytes) {
    const auto right = std::ranges::upper_bound(points_, bytes, {}, &TimedSize::bytes);
    return on_line(*std::prev(right), *right, bytes);
  }
  return bytes == last.bytes ? last.time : std::max(last.time, beyond_.at(bytes));
}

Seconds time_of(const Cost& cost, double bytes) {
  return std::visit([bytes](const auto& any) { return any.at(bytes); }, cost);
}

Fit fit_line(std::span<const TimedSize> points) {
  const bool sizes_differ =
      std::ranges::any_of(points, [&](const TimedSize& p) { return p.bytes != points[0].bytes; });
  if (!sizes_differ) throw InputError("a line needs measurements of at least two sizes");
  const Moments sums = moments_of(points);
  Fit fit{.line = line_through(points, sums), .r_squared = 1};
  double squares = 0;
  for (const TimedSize& point : points) {
    squares += std::pow((point.time - fit.line.at(point.bytes)).count(), 2);
  }
  if (squares > 0) fit.r_squared = 1 - squares / sums.time_time;
  return fit;
}

}  // namespace gradwire::schedule
