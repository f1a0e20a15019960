#include "harness/commands/job_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/critical_path.h"
#include "text/table.h"

namespace gradwire::commands {
namespace {

using simulator::NodeTimes;
using text::Heading;

/// What a node does, in few words.
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

/// When the last iteration began: times in tables count from here.
double last_begin(const RanJob& ran) {
  const std::vector<double>& ends = ran.outcome.ends;
  return ends.size() > 1 ? ends[ends.size() - 2] : 0;
}

/// A node over all ranks that ran it.
struct Spread {
  std::size_t ranks = 0;
  double start = std::numeric_limits<double>::infinity();
  double end = 0;
  double longest = 0;
};

/// By program, node.
std::vector<std::vector<Spread>> spreads(const RanJob& ran) {
  std::vector<std::vector<Spread>> all;
  for (const jobs::Program& program : ran.job.programs) all.emplace_back(program.nodes.size());
  for (std::size_t rank = 0; rank < ran.job.ranks.size(); ++rank) {
    std::vector<Spread>& nodes = all[ran.job.ranks[rank].program];
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const NodeTimes& times = ran.outcome.nodes[rank][node];
      Spread& spread = nodes[node];
      ++spread.ranks;
      spread.start = std::min(spread.start, times.start);
      spread.end = std::max(spread.end, times.end);
      spread.longest = std::max(spread.longest, times.end - times.start);
    }
  }
  return all;
}

}  // namespace

std::string format_job(const RanJob& ran) {
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
  return fmt::format(
      "# {} on {}: ranks {}, nodes {}, messages {} in {} iteration{}\n# algorithms: {}\n#\n",
      ran.job.name.empty() ? "a job" : ran.job.name, ran.topology.name(), ran.job.ranks.size(),
      nodes_of(ran.job), ran.outcome.messages, ran.outcome.ends.size(),
      ran.outcome.ends.size() == 1 ? "" : "s",
      algorithms.empty() ? "none" : fmt::format("{}", fmt::join(algorithms, ", ")));
}

std::string format_iterations(const RanJob& ran) {
  constexpr std::array headings{Heading{.name = "iteration"}, Heading{"took", "(us)"},
                                Heading{"over", "(us)"}};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < ran.outcome.ends.size(); ++i) {
    rows.push_back({fmt::to_string(i), microseconds(ran.outcome.duration(i, Seconds(0))),
                    microseconds(ran.outcome.ends[i])});
  }
  return text::format_columns(headings, std::move(rows));
}

std::string format_nodes(const RanJob& ran, std::size_t most) {
  constexpr std::array headings{Heading{.name = "program", .left = true},
                                Heading{.name = "node", .left = true},
                                Heading{.name = "does", .left = true},
                                Heading{.name = "stream"},
                                Heading{.name = "ranks"},
                                Heading{"start", "(us)"},
                                Heading{"end", "(us)"},
                                Heading{"longest", "(us)"}};
  const double begin = last_begin(ran);
  std::vector<std::vector<std::string>> rows;
  std::size_t left_out = 0;
  const auto all = spreads(ran);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const jobs::Program& program = ran.job.programs[number];
    for (std::size_t node = 0; node < all[number].size(); ++node) {
      const Spread& spread = all[number][node];
      if (spread.ranks == 0) continue;
      if (rows.size() == most) {
        ++left_out;
        continue;
      }
      rows.push_back({program.name, label(program, node), what(program, node),
                      fmt::to_string(program.nodes[node].stream), fmt::to_string(spread.ranks),
                      microseconds(spread.start - begin), microseconds(spread.end - begin),
                      microseconds(spread.longest)});
    }
  }
  std::string text = "# nodes of the last iteration: first start, last end, longest of a rank\n" +
                     text::format_columns(headings, std::move(rows));
  if (left_out > 0) text += fmt::format("# and {} more: --nodes {}\n", left_out, most + left_out);
  return text;
}

std::string format_streams(const RanJob& ran) {
  constexpr std::array headings{Heading{.name = "program", .left = true}, Heading{.name = "stream"},
                                Heading{.name = "ranks"}, Heading{"busy", "(us)"},
                                Heading{"busy", "(%)"}};
  std::map<std::pair<std::size_t, std::uint32_t>, double> busy;
  std::map<std::size_t, std::size_t> ranks;
  for (std::size_t rank = 0; rank < ran.job.ranks.size(); ++rank) {
    const std::size_t program = ran.job.ranks[rank].program;
    const std::vector<jobs::Node>& nodes = ran.job.programs[program].nodes;
    ++ranks[program];
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const NodeTimes& times = ran.outcome.nodes[rank][node];
      busy[{program, nodes[node].stream}] += times.end - times.start;
    }
  }
  const double took = ran.outcome.ends.back() - last_begin(ran);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, time] : busy) {
    const double each = time / static_cast<double>(ranks[key.first]);
    rows.push_back({ran.job.programs[key.first].name, fmt::to_string(key.second),
                    fmt::to_string(ranks[key.first]), microseconds(each),
                    took > 0 ? fmt::format("{:.1f}", 100 * each / took) : "-"});
  }
  return "# streams in the last iteration, on average over their ranks\n" +
         text::format_columns(headings, std::move(rows));
}

std::string format_path(const RanJob& ran, std::size_t most) {
  constexpr std::array headings{Heading{.name = "rank"},
                                Heading{.name = "node", .left = true},
                                Heading{.name = "does", .left = true},
                                Heading{"start", "(us)"},
                                Heading{"end", "(us)"},
                                Heading{"took", "(us)"}};
  const std::vector<simulator::PathStep> path = critical_path(ran.job, ran.outcome);
  const double begin = last_begin(ran);
  std::map<std::string, double> spent;
  double waited = path.empty() ? 0 : path.back().end - path.front().start;
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const simulator::PathStep& step = path[i];
    const jobs::Program& program = ran.job.programs[ran.job.ranks[step.rank].program];
    const double took = step.end - step.start;
    spent[what(program, step.node)] += took;
    waited -= took;
    if (path.size() - i > most) continue;
    rows.push_back({fmt::to_string(step.rank), label(program, step.node), what(program, step.node),
                    microseconds(step.start - begin), microseconds(step.end - begin),
                    microseconds(took)});
  }
  std::string text = fmt::format("# critical path of the last iteration: {} steps;", path.size());
  for (const auto& [name, time] : spent)
    text += fmt::format(" {} {} us,", name, microseconds(time));
  text += fmt::format(" lags {} us\n", microseconds(std::max(waited, 0.0)));
  if (rows.size() < path.size()) text += fmt::format("# the last {} of them\n", rows.size());
  return text + text::format_columns(headings, std::move(rows));
}

}  // namespace gradwire::commands
