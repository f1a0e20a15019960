#include "harness/commands/jobs_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/rank_text.h"
#include "core/text/table.h"
#include "topologies/load.h"

namespace gradwire::commands {
namespace {

using text::Heading;

constexpr std::size_t kMostRuns = 4;  // of hosts or jobs in a cell

std::string hosts(const std::vector<Rank>& seats) {
  std::vector<std::size_t> numbers;
  for (const Rank seat : seats) numbers.push_back(seat.index());
  std::ranges::sort(numbers);
  return rank_text(numbers, kMostRuns);
}

std::string names(const std::vector<jobs::ListedJob>& jobs, const std::vector<std::size_t>& some) {
  std::string text;
  for (std::size_t i = 0; i < std::min(some.size(), kMostRuns); ++i) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", jobs[some[i]].name);
  }
  if (some.size() > kMostRuns) text += fmt::format(" and {} more", some.size() - kMostRuns);
  return text;
}

/// The backing for a heading: ", emulated"; empty for a simulation.
std::string told(const RanJobs& ran) {
  return ran.backing == record::Backing::simulated ? "" : ", " + to_string(ran.backing);
}

std::string ratio(double together, double alone) {
  return alone > 0 ? fmt::format("{:.4f}", together / alone) : "-";
}

}  // namespace

std::string link_text(const topologies::Topology& topology, std::uint32_t number) {
  const topologies::Hop hop{.link = LinkId(number / 2), .from_a = number % 2 == 0};
  return fmt::format("{} -> {}", topology.label(topology.departure(hop).node),
                     topology.label(topology.arrival(hop).node));
}

std::string format_company(const RanJobs& ran) {
  constexpr std::array headings{Heading{.name = "job", .left = true},
                                Heading{.name = "ranks"},
                                Heading{.name = "hosts", .left = true},
                                Heading{"start", "(us)"},
                                Heading{"alone", "(us)"},
                                Heading{"together", "(us)"},
                                Heading{.name = "slowdown"},
                                Heading{.name = "busiest shared link", .left = true},
                                Heading{"needs", "(us)"},
                                Heading{"own", "(us)"},
                                Heading{.name = "with", .left = true}};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < ran.jobs.size(); ++i) {
    const auto& link = ran.company.links[i];
    rows.push_back({ran.jobs[i].name, fmt::to_string(ran.seats[i].size()), hosts(ran.seats[i]),
                    text::microseconds(ran.jobs[i].start),
                    text::microseconds(Seconds(ran.company.alone[i])),
                    text::microseconds(Seconds(ran.company.together[i])),
                    ratio(ran.company.together[i], ran.company.alone[i]),
                    link ? link_text(ran.topology, link->link) : "-",
                    link ? text::microseconds(Seconds(link->seconds)) : "-",
                    link ? text::microseconds(Seconds(link->own_seconds)) : "-",
                    link ? names(ran.jobs, link->others) : "-"});
  }
  return fmt::format("# {} jobs on {}{}: an iteration alone, and with all others\n",
                     ran.jobs.size(), ran.topology.name(), told(ran)) +
         text::format_columns(headings, std::move(rows));
}

std::string format_slowdowns(const RanJobs& ran) {
  std::vector<Heading> headings{Heading{.name = "job", .left = true}};
  for (const jobs::ListedJob& job : ran.jobs) headings.push_back({.name = job.name});
  headings.push_back({.name = "all"});
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < ran.jobs.size(); ++i) {
    auto& row = rows.emplace_back();
    row.push_back(ran.jobs[i].name);
    for (std::size_t j = 0; j < ran.jobs.size(); ++j) {
      const double slowdown = ran.company.slowdown[i][j];
      row.push_back(i == j || slowdown <= 0 ? "-" : fmt::format("{:.4f}", slowdown));
    }
    row.push_back(ratio(ran.company.together[i], ran.company.alone[i]));
  }
  return fmt::format("# slowdown of the job of a row beside that of a column, and beside all{}\n",
                     told(ran)) +
         text::format_columns(headings, std::move(rows));
}

std::string format_placement(const char* which, const std::vector<jobs::ListedJob>& jobs,
                             const simulator::JudgedPlacement& placement) {
  constexpr std::array headings{Heading{.name = "job", .left = true},
                                Heading{.name = "hosts", .left = true}};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    rows.push_back({jobs[i].name, hosts(placement.seats[i])});
  }
  return fmt::format("# {}: slowdown {:.4f}\n", which, placement.slowdown) +
         text::format_columns(headings, std::move(rows));
}

}  // namespace gradwire::commands
