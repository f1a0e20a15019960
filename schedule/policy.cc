#include "schedule/policy.h"

#include <algorithm>
#include <cmath>

namespace gradwire::schedule {
namespace {

std::vector<Bucket> one_each(const BackwardPass& pass) {
  std::vector<Bucket> buckets;
  buckets.reserve(pass.gradients.size());
  for (std::size_t i = 0; i < pass.gradients.size(); ++i) buckets.push_back({i, 1});
  return buckets;
}

/// Algorithm 1 in both forms: `next_ready(i)` is the time at which the rule assumes that gradient i
/// is ready. The papers recompute all start times after a merge; only the open bucket's changes.
template <class NextReady>
Schedule merge_gradients(const BackwardPass& pass, const Affine& cost, NextReady next_ready) {
  Schedule schedule;
  Seconds sent{};  // when the buckets before the open one are synchronized
  Bucket open;
  double bytes = 0;
  for (std::size_t i = 0; i < pass.gradients.size(); ++i) {
    ++open.count;
    bytes += pass.gradients[i].bytes;
    const Seconds start = std::max(sent, pass.gradients[i].ready);
    const bool is_last = i + 1 == pass.gradients.size();
    if (!is_last && next_ready(i + 1) - start < cost.a) continue;
    schedule.buckets.push_back(open);
    sent = start + cost.at(bytes);
    open = {i + 1, 0};
    bytes = 0;
  }
  return schedule;
}

/// The gradients from `first` on, none from `end` on, that fit into `cap`; at least one.
Bucket fill_up(const BackwardPass& pass, std::size_t first, std::size_t end, double cap) {
  Bucket bucket{.first = first, .count = 1};
  double bytes = pass.gradients[first].bytes;
  while (bucket.end() < end && bytes + pass.gradients[bucket.end()].bytes <= cap) {
    bytes += pass.gradients[bucket.end()].bytes;
    ++bucket.count;
  }
  return bucket;
}

double bytes_of(const BackwardPass& pass, const Bucket& bucket) {
  double bytes = 0;
  for (std::size_t i = bucket.first; i < bucket.end(); ++i) bytes += pass.gradients[i].bytes;
  return bytes;
}

/// The beginning of the first cycle that finds a gradient ready at `ready`, the cycles before
/// having found nothing.
Seconds first_cycle_after(Seconds begin, Seconds ready, Seconds time) {
  if (ready <= begin) return begin;
  if (time == Seconds(0)) return ready;
  return std::max(ready, begin + std::ceil((ready - begin) / time) * time);
}

}  // namespace

Schedule no_overlap(const BackwardPass& pass) {
  return {.buckets = one_each(pass), .overlaps = false};
}

Schedule wfbp(const BackwardPass& pass) {
  return {.buckets = one_each(pass)};
}

Schedule synceasgd(const BackwardPass& pass) {
  return {.buckets = {{0, pass.gradients.size()}}};
}

Schedule fixed_buckets(const BackwardPass& pass, double first_cap, double cap) {
  Schedule schedule;
  Bucket open;
  double bytes = 0;
  for (std::size_t i = 0; i < pass.gradients.size(); ++i) {
    ++open.count;
    bytes += pass.gradients[i].bytes;
    if (bytes < (schedule.buckets.empty() ? first_cap : cap)) continue;
    schedule.buckets.push_back(open);
    open = {i + 1, 0};
    bytes = 0;
  }
  if (open.count > 0) schedule.buckets.push_back(open);
  return schedule;
}

Schedule fusion_buffer(const BackwardPass& pass, double cap) {
  Schedule schedule;
  for (std::size_t next = 0; next < pass.gradients.size(); next = schedule.buckets.back().end()) {
    schedule.buckets.push_back(fill_up(pass, next, pass.gradients.size(), cap));
  }
  return schedule;
}

Schedule fusion_cycles(const BackwardPass& pass, const Cost& cost, const FusionCycle& cycle) {
  Schedule schedule;
  Seconds begin{};
  for (std::size_t next = 0; next < pass.gradients.size();) {
    begin = first_cycle_after(begin, pass.gradients[next].ready, cycle.time);
    std::size_t end = next;
    while (end < pass.gradients.size() && pass.gradients[end].ready <= begin) ++end;
    Seconds sent = begin;
    while (next < end) {
      Bucket bucket = fill_up(pass, next, end, cycle.cap);
      bucket.not_before = begin;
      sent += time_of(cost, bytes_of(pass, bucket));
      next = bucket.end();
      schedule.buckets.push_back(bucket);
    }
    begin = std::max(begin + cycle.time, sent);
  }
  return schedule;
}

Schedule mg_wfbp(const BackwardPass& pass, const Affine& cost) {
  return merge_gradients(pass, cost, [&](std::size_t i) { return pass.gradients[i].ready; });
}

Schedule mg_wfbp_infocom(const BackwardPass& pass, const Affine& cost) {
  const std::size_t size = pass.gradients.size();
  // Line 13 looks at tau_b[l-2], the end of layer l-1; line 9 sets none below tau_b[2], so that of
  // the layers 2 and 1, the last two in backward order, is missing.
  return merge_gradients(pass, cost, [&, size](std::size_t i) {
    return i + 2 < size ? pass.gradients[i].ready : Seconds(0);
  });
}

}  // namespace gradwire::schedule
