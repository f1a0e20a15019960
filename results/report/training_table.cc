#include "results/report/training_table.h"

#include <algorithm>
#include <vector>

#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

std::string format_training_table(std::span<const record::Row> rows) {
  std::vector<record::Row> trained;
  std::vector<std::string> profiles;
  for (const record::Row& row : rows) {
    if (!row.training) continue;
    trained.push_back(row);
    const std::string& profile = row.training->plan.profile;
    if (std::ranges::find(profiles, profile) == profiles.end()) profiles.push_back(profile);
  }
  if (trained.empty()) return "";
  std::string text =
      "#\n"
      "# Training: forward and backward pass as timed waits or computed, gradients synchronized in "
      "buckets.\n#\n";
  text += format_rows(training_columns(), trained);
  for (const std::string& profile : profiles) text += "# computing times " + profile + "\n";
  return text;
}

}  // namespace gradwire::report
