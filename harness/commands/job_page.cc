#include "harness/commands/job_page.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "results/report/page/page_data.h"
#include "schedule/jobs/program_graph.h"
#include "simulator/critical_path.h"
#include "simulator/group_times.h"

namespace gradwire::commands {
namespace {

using nlohmann::json;
using simulator::JobOutcome;
using simulator::NodeTimes;

std::string what(const jobs::Node& node) {
  const auto* call = std::get_if<jobs::Call>(&node.what);
  return call == nullptr ? "compute" : std::string(to_string(call->what));
}

std::string name_of(const jobs::Node& node) {
  return node.name.empty() ? what(node) : node.name;
}

/// Drawing of one job on one backing.
class Drawing {
 public:
  Drawing(const RanJob& ran, const BackedOutcome& backed)
      : ran_(ran),
        backed_(backed),
        graphs_(jobs::graphs_of(ran.job)),
        path_(simulator::critical_path(ran.job, backed.outcome)) {
    const std::vector<double>& ends = backed.outcome.ends;
    begin_ = ends.size() > 1 ? ends[ends.size() - 2] : 0;
    for (const simulator::PathStep& step : path_) on_path_.emplace(step.rank, step.node);
  }

  [[nodiscard]] json make() const {
    return {{"name", ran_.job.name},
            {"wiring", ran_.topology.name()},
            {"backing", to_string(backed_.backing)},
            {"dilation", backed_.dilation ? json(*backed_.dilation) : json(nullptr)},
            {"algorithms", called_algorithms(ran_)},
            {"N", ran_.job.ranks.size()},
            {"took_us", microseconds(backed_.outcome.ends.back())},
            {"notes", backed_.notes},
            {"streams", streams()},
            {"groups", groups()},
            {"path", path()}};
  }

 private:
  [[nodiscard]] double microseconds(double time) const { return 1e6 * (time - begin_); }

  [[nodiscard]] json streams() const {
    json all = json::array();
    std::size_t nodes = 0;
    for (std::size_t rank = 0; rank < ran_.job.ranks.size(); ++rank) {
      const jobs::Program& program = ran_.job.programs[ran_.job.ranks[rank].program];
      nodes += program.nodes.size();
      if (rank > 0 && nodes > kMostPageNodes) break;
      std::map<std::uint32_t, json> streams;
      for (std::size_t node = 0; node < program.nodes.size(); ++node) {
        streams[program.nodes[node].stream].push_back(node_of(rank, node));
      }
      for (auto& [number, stream] : streams) {
        all.push_back({{"rank", rank},
                       {"program", program.name},
                       {"stream", number},
                       {"nodes", std::move(stream)}});
      }
    }
    return all;
  }

  /// A node for the page, a `JobNode`.
  [[nodiscard]] json node_of(std::size_t rank, std::size_t node) const {
    const jobs::Node& self = ran_.job.programs[ran_.job.ranks[rank].program].nodes[node];
    const NodeTimes& times = backed_.outcome.nodes[rank][node];
    return json::array({name_of(self), what(self), microseconds(times.start),
                        microseconds(called(rank, node)), microseconds(times.end),
                        on_path_.contains({rank, node}) ? 1 : 0});
  }

  /// The time at which the last member had called the collective, of those that did before it was
  /// over here.
  [[nodiscard]] double called(std::size_t rank, std::size_t node) const {
    const jobs::Part& part = ran_.job.ranks[rank];
    const NodeTimes& times = backed_.outcome.nodes[rank][node];
    const auto* call = std::get_if<jobs::Call>(&ran_.job.programs[part.program].nodes[node].what);
    double last = times.start;
    if (call == nullptr) return last;
    const std::uint32_t group = part.groups[call->slot];
    const std::uint32_t ordinal = graphs_[part.program].ordinal(node);
    for (const Rank member : ran_.job.groups[group].ranks) {
      const std::uint32_t theirs = jobs::node_of(ran_.job, graphs_, {member, group, ordinal});
      const double start = backed_.outcome.nodes[member.index()][theirs].start;
      if (start <= times.end) last = std::max(last, start);
    }
    return last;
  }

  /// The times by group, and of all together, as simulator::group_times.
  [[nodiscard]] json groups() const {
    json all = json::array();
    for (const simulator::GroupTimes& times : simulator::group_times(ran_.job, backed_.outcome)) {
      const bool is_one = all.size() < ran_.job.groups.size();
      all.push_back({{"name", is_one ? json(ran_.job.groups[all.size()].name) : json(nullptr)},
                     {"ranks", times.ranks},
                     {"calls", times.calls},
                     {"busy_us", 1e6 * times.busy},
                     {"exposed_us", 1e6 * times.exposed},
                     {"most_exposed_us", 1e6 * times.most_exposed}});
    }
    return all;
  }

  [[nodiscard]] json path() const {
    json steps = json::array();
    for (const simulator::PathStep& step : path_) {
      const jobs::Node& node =
          ran_.job.programs[ran_.job.ranks[step.rank].program].nodes[step.node];
      steps.push_back({{"rank", step.rank},
                       {"node", name_of(node)},
                       {"does", what(node)},
                       {"from_us", microseconds(step.start)},
                       {"to_us", microseconds(step.end)}});
    }
    return steps;
  }

  const RanJob& ran_;
  const BackedOutcome& backed_;
  std::vector<jobs::ProgramGraph> graphs_;
  std::vector<simulator::PathStep> path_;
  std::set<std::pair<std::size_t, std::size_t>> on_path_;
  double begin_ = 0;
};

/// The sentence at the top of the page.
std::string sentence(const RanJob& ran) {
  std::vector<std::string> times;
  for (const BackedOutcome& backed : ran.outcomes) {
    const JobOutcome& outcome = backed.outcome;
    const double took = outcome.duration(outcome.ends.size() - 1, Seconds(0));
    times.push_back(fmt::format("{:.4g} ms {}", 1e3 * took, to_string(backed.backing)));
  }
  return fmt::format("On {}, an iteration of {} takes {}.", ran.topology.name(),
                     ran.job.name.empty() ? "the job" : ran.job.name, fmt::join(times, " and "));
}

}  // namespace

json job_page_data(const RanJob& ran) {
  json data = report::page_data({}, {}, std::chrono::system_clock::now());
  data["answer"]["sentence"] = sentence(ran);
  for (const BackedOutcome& backed : ran.outcomes) {
    data["jobs"].push_back(Drawing(ran, backed).make());
  }
  return data;
}

}  // namespace gradwire::commands
