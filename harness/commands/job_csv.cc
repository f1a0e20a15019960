#include "harness/commands/job_csv.h"

#include <vector>

#include <fmt/format.h>

#include "results/report/csv.h"
#include "simulator/group_times.h"

namespace gradwire::commands {

std::string format_job_csv(const RanJob& ran) {
  std::string text =
      "wiring,backing,job,group,ranks,calls,iteration_us,busy_us,exposed_us,most_exposed_us\r\n";
  for (const BackedOutcome& backed : ran.outcomes) {
    const std::vector<double>& ends = backed.outcome.ends;
    const double took = backed.outcome.duration(ends.size() - 1, Seconds(0));
    const auto all = simulator::group_times(ran.job, backed.outcome);
    for (std::size_t group = 0; group < all.size(); ++group) {
      const simulator::GroupTimes& times = all[group];
      const bool is_one = group < ran.job.groups.size();
      text += fmt::format(
          "{},{},{},{},{},{},{},{},{},{}\r\n", report::csv_cell(ran.topology.name()),
          to_string(backed.backing), report::csv_cell(ran.job.name),
          is_one ? report::csv_cell(ran.job.groups[group].name) : "", times.ranks, times.calls,
          1e6 * took, 1e6 * times.busy, 1e6 * times.exposed, 1e6 * times.most_exposed);
    }
  }
  return text;
}

}  // namespace gradwire::commands
