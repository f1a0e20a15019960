#include "harness/workers/job_graphs.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/dtype.h"
#include "core/error.h"
#include "core/text/whole_number.h"
#include "schedule/jobs/check.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;
using text::whole_number;

json to_json(const jobs::Node& node) {
  json what;
  if (const auto* call = std::get_if<jobs::Call>(&node.what)) {
    what = {to_string(call->what), call->slot, call->elements, to_string(call->dtype), call->root};
  } else {
    what = std::get<jobs::Compute>(node.what).time.count();
  }
  return {std::move(what), node.stream, node.after, node.lag.count()};
}

jobs::Node node_from_json(const json& value) {
  jobs::Node node{.stream = whole_number<std::uint32_t>(value.at(1)),
                  .lag = Seconds(value.at(3).get<double>())};
  for (const json& before : value.at(2)) {
    node.after.push_back(whole_number<std::uint32_t>(before));
  }
  const json& what = value.at(0);
  if (what.is_number()) {
    node.what = jobs::Compute{Seconds(what.get<double>())};
    return node;
  }
  const auto collective = jobs::find_collective(what.at(0).get<std::string>());
  ensure(collective.has_value(), "a call names its collective");
  node.what = jobs::Call{.what = *collective,
                         .slot = whole_number<std::uint32_t>(what.at(1)),
                         .elements = whole_number<std::size_t>(what.at(2)),
                         .dtype = parse_dtype(what.at(3).get<std::string>()),
                         .root = whole_number<std::uint32_t>(what.at(4))};
  return node;
}

json to_json(const std::vector<Rank>& ranks) {
  json numbers = json::array();
  for (const Rank rank : ranks) numbers.push_back(rank.value);
  return numbers;
}

std::vector<Rank> ranks_from_json(const json& numbers) {
  std::vector<Rank> ranks;
  for (const json& number : numbers) ranks.emplace_back(whole_number<std::size_t>(number));
  return ranks;
}

json to_json(const jobs::Job& job) {
  json programs = json::array();
  for (const jobs::Program& program : job.programs) {
    json& nodes = programs.emplace_back(json::array());
    for (const jobs::Node& node : program.nodes) nodes.push_back(to_json(node));
  }
  json ranks = json::array();
  for (const jobs::Part& part : job.ranks) ranks.push_back({part.program, part.groups});
  json groups = json::array();
  for (const jobs::NamedGroup& group : job.groups) groups.push_back(to_json(group.ranks));
  return {{"programs", std::move(programs)},
          {"ranks", std::move(ranks)},
          {"groups", std::move(groups)}};
}

jobs::Job graph_from_json(const json& value) {
  jobs::Job job;
  for (const json& nodes : value.at("programs")) {
    jobs::Program& program = job.programs.emplace_back();
    for (const json& node : nodes) program.nodes.push_back(node_from_json(node));
  }
  for (const json& part : value.at("ranks")) {
    job.ranks.push_back({.program = whole_number<std::uint32_t>(part.at(0))});
    for (const json& group : part.at(1)) {
      job.ranks.back().groups.push_back(whole_number<std::uint32_t>(group));
    }
  }
  for (const json& ranks : value.at("groups")) {
    job.groups.push_back({.name = {}, .ranks = ranks_from_json(ranks)});
  }
  ensure(jobs::check(job).empty(), "only jobs that were checked are handed on");
  return job;
}

}  // namespace

std::optional<JobGraphs::Seat> JobGraphs::seat_of(Rank host) const {
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    const std::vector<Rank>& seats = jobs[job].seats;
    const auto found = std::ranges::find(seats, host);
    if (found != seats.end()) {
      return Seat{.job = job, .rank = Rank(static_cast<std::size_t>(found - seats.begin()))};
    }
  }
  return std::nullopt;
}

json to_json(const JobGraphs& graphs) {
  json all = json::array();
  for (const SeatedJob& seated : graphs.jobs) {
    all.push_back({{"job", to_json(*seated.job)},
                   {"seats", to_json(seated.seats)},
                   {"start", seated.start.count()},
                   {"iterations", seated.iterations},
                   {"counted", seated.counted}});
  }
  return {
      {"jobs", std::move(all)}, {"algorithms", graphs.algorithms}, {"dilation", graphs.dilation}};
}

JobGraphs job_graphs_from_json(const json& value) {
  JobGraphs graphs{.algorithms = value.at("algorithms").get<std::vector<std::string>>(),
                   .dilation = value.at("dilation")};
  for (const json& seated : value.at("jobs")) {
    graphs.jobs.push_back(
        {.job = std::make_shared<const jobs::Job>(graph_from_json(seated.at("job"))),
         .seats = ranks_from_json(seated.at("seats")),
         .start = Seconds(seated.at("start").get<double>()),
         .iterations = whole_number<std::size_t>(seated.at("iterations")),
         .counted = whole_number<std::size_t>(seated.at("counted"))});
  }
  return graphs;
}

}  // namespace gradwire::workers
