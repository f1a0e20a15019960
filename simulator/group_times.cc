#include "simulator/group_times.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gradwire::simulator {
namespace {

struct Span {
  double start = 0;
  double end = 0;
};

/// Spans that are ascending, and apart from each other.
using Spans = std::vector<Span>;

Spans merged(Spans spans) {
  std::ranges::sort(spans, {}, &Span::start);
  Spans apart;
  for (const Span& span : spans) {
    if (apart.empty() || span.start > apart.back().end) {
      apart.push_back(span);
    } else {
      apart.back().end = std::max(apart.back().end, span.end);
    }
  }
  return apart;
}

double length(const Spans& spans) {
  double sum = 0;
  for (const Span& span : spans) sum += span.end - span.start;
  return sum;
}

/// The length of `spans` outside `others`.
double outside(const Spans& spans, const Spans& others) {
  double sum = length(spans);
  auto other = others.begin();
  for (const Span& span : spans) {
    while (other != others.end() && other->end <= span.start) ++other;
    for (auto within = other; within != others.end() && within->start < span.end; ++within) {
      sum -= std::min(within->end, span.end) - std::max(within->start, span.start);
    }
  }
  return std::max(sum, 0.0);  // rounding
}

/// The spans in which one rank computes or is in calls.
struct RankSpans {
  Spans computing;
  std::map<std::uint32_t, Spans> calls;  ///< by group
};

RankSpans spans_of(const jobs::Job& job, const JobOutcome& outcome, std::size_t rank) {
  RankSpans spans;
  const jobs::Part& part = job.ranks[rank];
  const std::vector<jobs::Node>& nodes = job.programs[part.program].nodes;
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const NodeTimes& times = outcome.nodes[rank][node];
    const auto* call = std::get_if<jobs::Call>(&nodes[node].what);
    Spans& own = call == nullptr ? spans.computing : spans.calls[part.groups[call->slot]];
    own.push_back({.start = times.start, .end = times.end});
  }
  return spans;
}

/// Adds a rank's part in collectives, for now as a sum over ranks.
void add(const Spans& calls, const Spans& computing, GroupTimes& times) {
  const double exposed = outside(calls, computing);
  times.busy += length(calls);
  times.exposed += exposed;
  times.most_exposed = std::max(times.most_exposed, exposed);
}

}  // namespace

std::vector<GroupTimes> group_times(const jobs::Job& job, const JobOutcome& outcome) {
  std::vector<GroupTimes> all(job.groups.size() + 1);
  for (std::size_t group = 0; group < job.groups.size(); ++group) {
    all[group].ranks = job.groups[group].ranks.size();
  }
  all.back().ranks = job.ranks.size();
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    RankSpans spans = spans_of(job, outcome, rank);
    const Spans computing = merged(std::move(spans.computing));
    Spans any;
    for (auto& [group, calls] : spans.calls) {
      GroupTimes& times = all[group];
      times.calls = calls.size();  // the same for every member
      any.insert(any.end(), calls.begin(), calls.end());
      add(merged(std::move(calls)), computing, times);
    }
    add(merged(std::move(any)), computing, all.back());
  }
  for (GroupTimes& times : all) {
    if (&times != &all.back()) all.back().calls += times.calls;
    if (times.ranks == 0) continue;
    times.busy /= static_cast<double>(times.ranks);
    times.exposed /= static_cast<double>(times.ranks);
  }
  return all;
}

}  // namespace gradwire::simulator
