#include "harness/commands/jobs_page.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "results/report/page/page_data.h"

namespace gradwire::commands {
namespace {

using nlohmann::json;

/// Smallest slowdown of a job that counts.
constexpr double kNoticed = 1.005;
/// Largest ratio of two jobs' additional times at which they are slowed down alike.
constexpr double kAlike = 1.02;

json link_of(const RanJobs& ran, const std::optional<simulator::SharedLink>& link) {
  if (!link) return nullptr;
  json others = json::array();
  for (const std::size_t other : link->others) others.push_back(ran.jobs[other].name);
  return {{"name", link_text(ran.topology, link->link)},
          {"needs_us", 1e6 * link->seconds},
          {"own_us", 1e6 * link->own_seconds},
          {"others", std::move(others)}};
}

/// A job for the page, a `CompanyJob`.
json job_of(const RanJobs& ran, std::size_t job) {
  const simulator::Company& company = ran.company;
  json slowdown = json::array();
  for (std::size_t other = 0; other < ran.jobs.size(); ++other) {
    const double factor = company.slowdown.empty() ? 0 : company.slowdown[job][other];
    const bool was_run = other != job && factor > 0;
    slowdown.push_back(was_run ? json(factor) : json(nullptr));
  }
  return {{"name", ran.jobs[job].name},           {"ranks", ran.seats[job].size()},
          {"alone_us", 1e6 * company.alone[job]}, {"together_us", 1e6 * company.together[job]},
          {"slowdown", std::move(slowdown)},      {"link", link_of(ran, company.links[job])}};
}

/// The slowdown of an iteration with all others: its time over the time alone; 1 for a job that
/// does nothing.
double slowdown(const RanJobs& ran, std::size_t job) {
  const double alone = ran.company.alone[job];
  return alone > 0 ? ran.company.together[job] / alone : 1;
}

/// A list of at least two names: "a and b", "a, b and c", "a, b, c and 7 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 4;
  const bool are_many = names.size() > kMostNames;
  const std::size_t shown = are_many ? kMostNames - 1 : names.size() - 1;
  const std::string last = are_many ? fmt::format("{} more", names.size() - shown) : names.back();
  return fmt::format("{} and {}", fmt::join(std::span(names).first(shown), ", "), last);
}

/// The sentence at the top of the page: the jobs that the others hold up most.
std::string sentence(const RanJobs& ran) {
  const std::string where = fmt::format("{} jobs on {}, {}", ran.jobs.size(), ran.topology.name(),
                                        to_string(ran.backing));
  double most = 1;
  for (std::size_t job = 0; job < ran.jobs.size(); ++job) {
    most = std::max(most, slowdown(ran, job));
  }
  if (most < kNoticed) return fmt::format("{}: no job is slower beside the others.", where);
  std::vector<std::string> held_up;
  for (std::size_t job = 0; job < ran.jobs.size(); ++job) {
    if ((slowdown(ran, job) - 1) * kAlike >= most - 1) held_up.push_back(ran.jobs[job].name);
  }
  if (held_up.size() == 1) {
    return fmt::format("{}: {} is slowed down most, {:.2f} times as long an iteration as alone.",
                       where, held_up.front(), most);
  }
  return fmt::format(
      "{}: {} are slowed down most, and alike: {:.2f} times as long an iteration as alone.", where,
      listed(held_up), most);
}

}  // namespace

json jobs_page_data(std::span<const RanJobs> ran, const std::vector<std::string>& notes) {
  json data = report::page_data({}, {}, std::chrono::system_clock::now());
  data["answer"]["sentence"] = sentence(ran.back());
  for (const RanJobs& backed : ran) {
    json jobs = json::array();
    for (std::size_t job = 0; job < backed.jobs.size(); ++job) jobs.push_back(job_of(backed, job));
    const bool is_measured = backed.backing != record::Backing::simulated;
    data["companies"].push_back({{"wiring", backed.topology.name()},
                                 {"backing", to_string(backed.backing)},
                                 {"notes", is_measured ? json(notes) : json::array()},
                                 {"jobs", std::move(jobs)}});
  }
  return data;
}

}  // namespace gradwire::commands
