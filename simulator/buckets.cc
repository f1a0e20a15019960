#include "simulator/buckets.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace gradwire::simulator {
namespace {

/// The least share of the bucket's tokens with which a burst begins: with fewer it would end at
/// once, and bursts would begin and end without number.
constexpr double kWorthIt = 0.02;

}  // namespace

TokenBuckets::TokenBuckets(std::span<const double> capacities, double bytes, double factor)
    : bytes_(bytes), factor_(factor), places_(capacities.size(), KeyedHeap::kNowhere) {
  ensure(factor > 1, "bursts are faster than the link");
  for (const double capacity : capacities) {
    buckets_.push_back({.capacity = capacity, .tokens = bytes});
  }
}

void TokenBuckets::count(Bucket& bucket, double now) const {
  // Above its capacity a link uses tokens up; below it gains some.
  const double gained = (bucket.capacity - bucket.usage) * (now - bucket.counted_at);
  bucket.tokens = std::clamp(bucket.tokens + gained, 0.0, bytes_);
  bucket.counted_at = now;
}

void TokenBuckets::set_capacity(std::uint32_t link, double capacity, double now) {
  Bucket& bucket = buckets_[link];
  count(bucket, now);
  bucket.capacity = capacity;
}

double TokenBuckets::pass(std::uint32_t link, double now) {
  Bucket& bucket = buckets_[link];
  count(bucket, now);
  bucket.is_bursting = bucket.tokens > kWorthIt * bytes_;
  return bucket.is_bursting ? bucket.capacity * factor_ : bucket.capacity;
}

void TokenBuckets::set_usage(std::uint32_t link, double usage, double now) {
  Bucket& bucket = buckets_[link];
  count(bucket, now);
  bucket.usage = usage;
  if (bucket.is_bursting && usage > bucket.capacity) {
    emptying_.set(link, now + bucket.tokens / (usage - bucket.capacity), places_);
  } else {
    emptying_.erase(link, places_);
  }
}

double TokenBuckets::next() const {
  return emptying_.empty() ? std::numeric_limits<double>::infinity() : emptying_.top().key;
}

std::optional<std::uint32_t> TokenBuckets::end_one(double now, double due) {
  if (next() > due) return std::nullopt;
  const std::uint32_t link = emptying_.top().number;
  emptying_.erase(link, places_);
  count(buckets_[link], now);
  buckets_[link].tokens = 0;
  return link;
}

}  // namespace gradwire::simulator
