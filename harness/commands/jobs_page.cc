#include "harness/commands/jobs_page.h"

#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "results/report/page/page_data.h"

namespace gradwire::commands {
namespace {

using nlohmann::json;

json link_of(const RanJobs& ran, const std::optional<simulator::SharedLink>& link) {
  if (!link) return nullptr;
  json others = json::array();
  for (const std::size_t other : link->others) others.push_back(ran.jobs[other].name);
  return {{"name", link_text(ran.topology, link->link)},
          {"needs_us", 1e6 * link->seconds},
          {"own_us", 1e6 * link->own_seconds},
          {"others", std::move(others)}};
}

/// A `CompanyJob`.
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

/// What the page opens with: the job that the others hold up most.
std::string sentence(const RanJobs& ran) {
  double most = 1;
  std::size_t slowest = 0;
  for (std::size_t job = 0; job < ran.jobs.size(); ++job) {
    const double alone = ran.company.alone[job];
    if (alone <= 0 || ran.company.together[job] / alone <= most) continue;
    most = ran.company.together[job] / alone;
    slowest = job;
  }
  const std::string where = fmt::format("{} jobs on {}, {}", ran.jobs.size(), ran.topology.name(),
                                        to_string(ran.backing));
  if (most < 1.0005) return fmt::format("{}: no job is slower beside the others.", where);
  return fmt::format("{}: {} is slowed down most, {:.2f} times as long an iteration as alone.",
                     where, ran.jobs[slowest].name, most);
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
