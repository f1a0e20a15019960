#include "results/report/training_table.h"

#include <vector>

#include "results/report/metrics/text_columns.h"

namespace gradwire::report {

std::string format_training_table(std::span<const record::Row> rows) {
  std::vector<record::Row> trained;
  for (const record::Row& row : rows) {
    if (row.training) trained.push_back(row);
  }
  if (trained.empty()) return "";
  return "#\n"
         "# Training: forward and backward pass as timed waits or computed, gradients synchronized "
         "in buckets.\n#\n" +
         format_rows(training_columns(), trained);
}

}  // namespace gradwire::report
