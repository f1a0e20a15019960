#include "harness/commands/jobs_csv.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/report/csv.h"

namespace gradwire::commands {
namespace {

/// Writer of the lines of one job on one backing.
class JobLines {
 public:
  JobLines(const RanJobs& ran, std::size_t job) : ran_(ran), job_(job) {}

  [[nodiscard]] std::string text() const {
    const simulator::Company& company = ran_.company;
    const double alone = company.alone[job_];
    std::string lines = line("", alone, ",,,");
    if (!company.slowdown.empty()) {
      for (std::size_t other = 0; other < ran_.jobs.size(); ++other) {
        const double slowdown = company.slowdown[job_][other];
        if (other == job_ || slowdown <= 0) continue;
        lines += line(ran_.jobs[other].name, slowdown * alone, ",,,");
      }
    }
    return lines + line("all", company.together[job_], link());
  }

 private:
  [[nodiscard]] std::string line(const std::string& beside, double seconds,
                                 const std::string& link) const {
    const double alone = ran_.company.alone[job_];
    return fmt::format("{},{},{},{},{},{},{},{},{}\r\n", report::csv_cell(ran_.topology.name()),
                       to_string(ran_.backing), report::csv_cell(ran_.jobs[job_].name),
                       ran_.seats[job_].size(), 1e6 * ran_.jobs[job_].start.count(),
                       report::csv_cell(beside), 1e6 * seconds,
                       alone > 0 ? fmt::to_string(seconds / alone) : "", link);
  }

  /// The last four cells: a link, its needed time in all and for this job, and the jobs that share
  /// it.
  [[nodiscard]] std::string link() const {
    const auto& link = ran_.company.links[job_];
    if (!link) return ",,,";
    std::vector<std::string> others;
    for (const std::size_t other : link->others) others.push_back(ran_.jobs[other].name);
    return fmt::format("{},{},{},{}", report::csv_cell(link_text(ran_.topology, link->link)),
                       1e6 * link->seconds, 1e6 * link->own_seconds,
                       report::csv_cell(fmt::format("{}", fmt::join(others, " "))));
  }

  const RanJobs& ran_;
  std::size_t job_;
};

}  // namespace

std::string format_jobs_csv(std::span<const RanJobs> ran) {
  std::string text =
      "wiring,backing,job,ranks,start_us,beside,iteration_us,slowdown,link,link_us,link_own_us,"
      "shared_with\r\n";
  for (const RanJobs& backed : ran) {
    for (std::size_t job = 0; job < backed.jobs.size(); ++job) text += JobLines(backed, job).text();
  }
  return text;
}

}  // namespace gradwire::commands
