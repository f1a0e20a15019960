#include "library/pytorch/schedule.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/spec.h"
#include "schedule/policies.h"

namespace gradwire::pytorch {
namespace {

bool is_finite(double number) {
  return std::isfinite(number);
}

void check(const std::vector<double>& ready, const std::vector<double>& bytes) {
  if (ready.empty() || ready.size() != bytes.size()) {
    throw InputError(
        fmt::format("{} gradients are ready, and {} have bytes", ready.size(), bytes.size()));
  }
  if (!std::ranges::all_of(ready, is_finite) || !std::ranges::is_sorted(ready)) {
    throw InputError("the times at which gradients are ready never fall");
  }
  const auto is_size = [](double size) { return is_finite(size) && size > 0; };
  if (!std::ranges::all_of(bytes, is_size)) throw InputError("every gradient has bytes");
}

}  // namespace

Buckets choose_buckets(const std::string& schedule, const std::vector<double>& ready,
                       const std::vector<double>& bytes, const schedule::Affine& cost) {
  check(ready, bytes);
  if (!is_finite(cost.a.count()) || !is_finite(cost.b) || cost.a.count() < 0 || cost.b < 0) {
    throw InputError("a cost is a start-up time and a time per byte, neither below 0");
  }
  schedule::BackwardPass pass{.gradients = {}, .end = Seconds(ready.back())};
  for (std::size_t i = 0; i < ready.size(); ++i) {
    pass.gradients.push_back({.ready = Seconds(ready[i]), .bytes = bytes[i]});
  }
  const schedule::Schedule made =
      schedule::make_schedule(text::parse_spec(schedule), pass, {.cost = cost, .line = cost});
  Buckets buckets{.sizes = {}, .overlaps = made.overlaps};
  for (const schedule::Bucket& bucket : made.buckets) {
    if (bucket.not_before > Seconds(0)) {
      throw InputError(
          fmt::format("schedule {} sends by the clock, which PyTorch's gradients have "
                      "none of: take another",
                      schedule));
    }
    buckets.sizes.push_back(bucket.count);
  }
  return buckets;
}

bool goes_by_cost(const std::string& schedule) {
  const text::Spec spec = text::parse_spec(schedule);
  schedule::check_policy(spec);
  return schedule::plans_by_cost(spec);
}

schedule::Affine fit_cost(const std::vector<double>& bytes, const std::vector<double>& seconds) {
  std::vector<schedule::TimedSize> points;
  for (std::size_t i = 0; i < std::min(bytes.size(), seconds.size()); ++i) {
    points.push_back({.bytes = bytes[i], .time = Seconds(seconds[i])});
  }
  return schedule::fit_line(points).line;
}

}  // namespace gradwire::pytorch
