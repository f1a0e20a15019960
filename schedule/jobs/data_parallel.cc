#include "schedule/jobs/data_parallel.h"

#include <ranges>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"

namespace gradwire::jobs {
namespace {

constexpr std::uint32_t kComputing = 0;
constexpr std::uint32_t kCommunicating = 1;
constexpr std::uint32_t kFirstTimer = 2;

void add_computing(const workloads::Profile& profile, Program& program) {
  program.nodes.push_back(
      {.what = Compute{profile.forward()}, .stream = kComputing, .name = "forward"});
  for (const workloads::Layer& layer : profile.layers | std::views::reverse) {
    program.nodes.push_back({.what = Compute{layer.backward},
                             .stream = kComputing,
                             .name = fmt::format("backward of {}", layer.name)});
  }
}

}  // namespace

Job data_parallel(const workloads::Profile& profile, const schedule::Schedule& schedule,
                  std::size_t ranks, Dtype dtype) {
  ensure(ranks > 0, "a job has a rank");
  const std::size_t layers = profile.layers.size();
  Program program{.name = "trainer"};
  add_computing(profile, program);
  std::size_t next = 0;  // gradient, in backward order
  for (std::size_t i = 0; i < schedule.buckets.size(); ++i) {
    const schedule::Bucket& bucket = schedule.buckets[i];
    ensure(bucket.first == next && bucket.count > 0 && bucket.end() <= layers,
           "buckets tile the gradients");
    Call call{.what = Collective::all_reduce, .dtype = dtype};
    for (; next < bucket.end(); ++next)
      call.elements += profile.layers[layers - 1 - next].elements();
    // Node 0 is the forward pass, and node g the one after which g gradients are ready.
    Node node{.what = call,
              .stream = kCommunicating,
              .after = {static_cast<std::uint32_t>(schedule.overlaps ? bucket.end() : layers)},
              .name = fmt::format("bucket {}", i)};
    if (bucket.not_before > Seconds{}) {
      node.after.push_back(static_cast<std::uint32_t>(program.nodes.size()));
      program.nodes.push_back({.what = Compute{},
                               .stream = kFirstTimer + static_cast<std::uint32_t>(i),
                               .lag = bucket.not_before,
                               .name = fmt::format("not before, of bucket {}", i)});
    }
    program.nodes.push_back(std::move(node));
  }
  ensure(next == layers, "buckets tile the gradients");
  Job job{.name = profile.model, .ranks = std::vector<Part>(ranks, {.program = 0, .groups = {0}})};
  job.programs.push_back(std::move(program));
  job.groups.push_back({.name = "all"});
  for (std::size_t rank = 0; rank < ranks; ++rank) job.groups.front().ranks.emplace_back(rank);
  return job;
}

}  // namespace gradwire::jobs
