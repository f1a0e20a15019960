#include "harness/commands/job_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text/table.h"
#include "simulator/critical_path.h"
#include "simulator/group_times.h"

namespace gradwire::commands {
namespace {

using simulator::JobOutcome;
using simulator::NodeTimes;
using text::Heading;

/// Describes what a node does, in few words.
std::string what(const jobs::Program& program, std::size_t node) {
  const auto* call = std::get_if<jobs::Call>(&program.nodes[node].what);
  return call == nullptr ? "compute" : std::string(to_string(call->what));
}

std::string label(const jobs::Program& program, std::size_t node) {
  const std::string& name = program.nodes[node].name;
  return name.empty() ? fmt::format("node {}", node) : name;
}

std::string microseconds(double seconds) {
  return text::microseconds(Seconds(seconds));
}

/// The beginning of the last iteration, from which times in tables count.
double last_begin(const JobOutcome& outcome) {
  const std::vector<double>& ends = outcome.ends;
  return ends.size() > 1 ? ends[ends.size() - 2] : 0;
}

/// Times of a node over all ranks that ran it.
struct Spread {
  std::size_t ranks = 0;
  double start = std::numeric_limits<double>::infinity();
  double end = 0;
  double longest = 0;
};

/// The spreads of all nodes, by program and node.
std::vector<std::vector<Spread>> spreads(const jobs::Job& job, const JobOutcome& outcome) {
  std::vector<std::vector<Spread>> all;
  for (const jobs::Program& program : job.programs) all.emplace_back(program.nodes.size());
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    std::vector<Spread>& nodes = all[job.ranks[rank].program];
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const NodeTimes& times = outcome.nodes[rank][node];
      Spread& spread = nodes[node];
      ++spread.ranks;
      spread.start = std::min(spread.start, times.start);
      spread.end = std::max(spread.end, times.end);
      spread.longest = std::max(spread.longest, times.end - times.start);
    }
  }
  return all;
}

/// Table whose rows begin with their backing, unless all are simulated.
class Table {
 public:
  Table(const RanJob& ran, std::vector<Heading> headings)
      : has_backings_(ran.outcomes.size() > 1 ||
                      ran.outcomes.front().backing != record::Backing::simulated),
        headings_(std::move(headings)) {
    if (has_backings_) headings_.insert(headings_.begin(), {.name = "backing", .left = true});
  }

  void add(const BackedOutcome& outcome, std::vector<std::string> row) {
    if (has_backings_) row.insert(row.begin(), to_string(outcome.backing));
    rows_.push_back(std::move(row));
  }

  [[nodiscard]] std::string text() && { return text::format_columns(headings_, std::move(rows_)); }

 private:
  bool has_backings_;
  std::vector<Heading> headings_;
  std::vector<std::vector<std::string>> rows_;
};

/// The busy time of streams, by program and stream, of all ranks together.
std::map<std::pair<std::size_t, std::uint32_t>, double> busy_streams(const jobs::Job& job,
                                                                     const JobOutcome& outcome) {
  std::map<std::pair<std::size_t, std::uint32_t>, double> busy;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    const std::size_t program = job.ranks[rank].program;
    const std::vector<jobs::Node>& nodes = job.programs[program].nodes;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const NodeTimes& times = outcome.nodes[rank][node];
      busy[{program, nodes[node].stream}] += times.end - times.start;
    }
  }
  return busy;
}

/// The critical path: "# critical path of the last iteration: ...", and its steps.
std::string format_path_of(const RanJob& ran, const BackedOutcome& backed, std::size_t most) {
  Table table(ran, {{.name = "rank"},
                    {.name = "node", .left = true},
                    {.name = "does", .left = true},
                    {"start", "(us)"},
                    {"end", "(us)"},
                    {"took", "(us)"}});
  const std::vector<simulator::PathStep> path = critical_path(ran.job, backed.outcome);
  const double begin = last_begin(backed.outcome);
  std::map<std::string, double> spent;
  double waited = path.empty() ? 0 : path.back().end - path.front().start;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const simulator::PathStep& step = path[i];
    const jobs::Program& program = ran.job.programs[ran.job.ranks[step.rank].program];
    const double took = step.end - step.start;
    spent[what(program, step.node)] += took;
    waited -= took;
    if (path.size() - i > most) continue;
    table.add(backed, {fmt::to_string(step.rank), label(program, step.node),
                       what(program, step.node), microseconds(step.start - begin),
                       microseconds(step.end - begin), microseconds(took)});
  }
  std::string text = fmt::format("# critical path of the last iteration: {} steps;", path.size());
  for (const auto& [name, time] : spent)
    text += fmt::format(" {} {} us,", name, microseconds(time));
  text += fmt::format(" lags {} us\n", microseconds(std::max(waited, 0.0)));
  if (most < path.size()) text += fmt::format("# the last {} of them\n", most);
  return text + std::move(table).text();
}

}  // namespace

std::vector<std::string> called_algorithms(const RanJob& ran) {
  std::set<jobs::Collective> called;
  for (const jobs::Program& program : ran.job.programs) {
    for (const jobs::Node& node : program.nodes) {
      if (const auto* call = std::get_if<jobs::Call>(&node.what)) called.insert(call->what);
    }
  }
  std::vector<std::string> algorithms;
  for (const jobs::Collective collective : called) {
    algorithms.push_back(ran.algorithms.name_of(collective));
  }
  return algorithms;
}

std::string format_job(const RanJob& ran) {
  const std::vector<std::string> algorithms = called_algorithms(ran);
  const std::size_t iterations = ran.outcomes.front().outcome.ends.size();
  std::string text = fmt::format(
      "# {} on {}: ranks {}, nodes {}, messages {} in {} iteration{}\n# algorithms: {}\n",
      ran.job.name.empty() ? "a job" : ran.job.name, ran.topology.name(), ran.job.ranks.size(),
      nodes_of(ran.job), ran.messages, iterations, iterations == 1 ? "" : "s",
      algorithms.empty() ? "none" : fmt::format("{}", fmt::join(algorithms, ", ")));
  for (const BackedOutcome& backed : ran.outcomes) {
    for (const std::string& note : backed.notes) text += fmt::format("# {}\n", note);
  }
  return text + "#\n";
}

std::string format_iterations(const RanJob& ran) {
  Table table(ran, {{.name = "iteration"}, {"took", "(us)"}, {"over", "(us)"}});
  for (std::size_t i = 0; i < ran.outcomes.front().outcome.ends.size(); ++i) {
    for (const BackedOutcome& backed : ran.outcomes) {
      table.add(backed, {fmt::to_string(i), microseconds(backed.outcome.duration(i, Seconds(0))),
                         microseconds(backed.outcome.ends[i])});
    }
  }
  return std::move(table).text();
}

std::string format_nodes(const RanJob& ran, std::size_t most) {
  Table table(ran, {{.name = "program", .left = true},
                    {.name = "node", .left = true},
                    {.name = "does", .left = true},
                    {.name = "stream"},
                    {.name = "ranks"},
                    {"start", "(us)"},
                    {"end", "(us)"},
                    {"longest", "(us)"}});
  std::vector<std::vector<std::vector<Spread>>> all;  // by backing, program, node
  for (const BackedOutcome& backed : ran.outcomes) {
    all.push_back(spreads(ran.job, backed.outcome));
  }
  std::size_t shown = 0;
  std::size_t left_out = 0;
  for (std::size_t number = 0; number < ran.job.programs.size(); ++number) {
    const jobs::Program& program = ran.job.programs[number];
    for (std::size_t node = 0; node < program.nodes.size(); ++node) {
      if (all.front()[number][node].ranks == 0) continue;
      if (shown == most) {
        ++left_out;
        continue;
      }
      ++shown;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Spread& spread = all[i][number][node];
        const double begin = last_begin(ran.outcomes[i].outcome);
        table.add(ran.outcomes[i],
                  {program.name, label(program, node), what(program, node),
                   fmt::to_string(program.nodes[node].stream), fmt::to_string(spread.ranks),
                   microseconds(spread.start - begin), microseconds(spread.end - begin),
                   microseconds(spread.longest)});
      }
    }
  }
  std::string text = "# nodes of the last iteration: first start, last end, longest of a rank\n" +
                     std::move(table).text();
  if (left_out > 0) text += fmt::format("# and {} more: --nodes {}\n", left_out, most + left_out);
  return text;
}

std::string format_streams(const RanJob& ran) {
  Table table(ran, {{.name = "program", .left = true},
                    {.name = "stream"},
                    {.name = "ranks"},
                    {"busy", "(us)"},
                    {"busy", "(%)"}});
  std::map<std::size_t, std::size_t> ranks;
  for (const jobs::Part& part : ran.job.ranks) ++ranks[part.program];
  std::vector<std::map<std::pair<std::size_t, std::uint32_t>, double>> all;
  for (const BackedOutcome& backed : ran.outcomes) {
    all.push_back(busy_streams(ran.job, backed.outcome));
  }
  for (const auto& [key, unused] : all.front()) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const JobOutcome& outcome = ran.outcomes[i].outcome;
      const double took = outcome.ends.back() - last_begin(outcome);
      const double each = all[i].at(key) / static_cast<double>(ranks[key.first]);
      table.add(ran.outcomes[i], {ran.job.programs[key.first].name, fmt::to_string(key.second),
                                  fmt::to_string(ranks[key.first]), microseconds(each),
                                  took > 0 ? fmt::format("{:.1f}", 100 * each / took) : "-"});
    }
  }
  return "# streams in the last iteration, on average over their ranks\n" + std::move(table).text();
}

std::string format_groups(const RanJob& ran, std::size_t most) {
  const std::size_t groups = ran.job.groups.size();
  if (groups == 0) return "";
  Table table(ran, {{.name = "group", .left = true},
                    {.name = "ranks"},
                    {.name = "calls"},
                    {"busy", "(us)"},
                    {"exposed", "(us)"},
                    {"exposed", "(%)"},
                    {"most", "(us)"}});
  std::vector<std::vector<simulator::GroupTimes>> all;  // by backing, group
  for (const BackedOutcome& backed : ran.outcomes) {
    all.push_back(simulator::group_times(ran.job, backed.outcome));
  }
  for (std::size_t group = 0; group < all.front().size(); ++group) {
    const bool is_all = group == groups;
    if (is_all ? groups == 1 : group >= most) continue;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const simulator::GroupTimes& times = all[i][group];
      const JobOutcome& outcome = ran.outcomes[i].outcome;
      const double took = outcome.ends.back() - last_begin(outcome);
      table.add(ran.outcomes[i],
                {is_all ? "all groups" : ran.job.groups[group].name, fmt::to_string(times.ranks),
                 fmt::to_string(times.calls), microseconds(times.busy), microseconds(times.exposed),
                 took > 0 ? fmt::format("{:.1f}", 100 * times.exposed / took) : "-",
                 microseconds(times.most_exposed)});
    }
  }
  std::string text =
      "# groups in the last iteration: time in collectives, and exposed, on average over ranks\n" +
      std::move(table).text();
  if (groups > most) text += fmt::format("# and {} more: --nodes {}\n", groups - most, groups);
  return text + "\n";
}

std::string format_path(const RanJob& ran, std::size_t most) {
  std::string text;
  for (const BackedOutcome& backed : ran.outcomes) {
    text += (text.empty() ? "" : "\n") + format_path_of(ran, backed, most);
  }
  return text;
}

}  // namespace gradwire::commands
