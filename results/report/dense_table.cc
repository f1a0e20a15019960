#include "results/report/dense_table.h"

#include <array>
#include <vector>

#include <fmt/format.h>

#include "core/text/table.h"
#include "results/report/crossover.h"
#include "results/report/metrics/text_columns.h"
#include "workloads/dense.h"

namespace gradwire::report {
namespace {

constexpr std::array kDenseHeadings = std::to_array<text::Heading>({{"backing", "", true},
                                                                    {"wiring", "", true},
                                                                    {"late", "", true},
                                                                    {"against", "", true},
                                                                    {"layers", "", true},
                                                                    {"compared", "(samples)", true},
                                                                    {"gst", "(samples)"},
                                                                    {"step", "(samples)"}});

std::string format_crossovers(std::span<const record::Row> rows) {
  std::vector<std::vector<std::string>> lines;
  for (const Crossover& each : crossovers(rows)) {
    const record::Configuration& c = each.late;
    lines.push_back({to_string(c.backing), c.wiring, c.algorithm, each.all_reduce.algorithm,
                     workloads::layers_text(workloads::parse_dense(c.workload)),
                     fmt::format("{}-{}", each.fewest, each.most), to_string(each.gst, each),
                     each.step ? to_string(*each.step, each) : "-"});
  }
  if (lines.empty()) return "";
  return "#\n# Crossover: the samples of all workers together up to which late-multiply is faster, "
         "between those\n# that were compared: by GST, and by step.\n#\n" +
         text::format_columns(kDenseHeadings, lines, {.width = 0});
}

}  // namespace

std::string format_dense_table(std::span<const record::Row> rows) {
  std::vector<record::Row> dense;
  for (const record::Row& row : rows) {
    if (workloads::is_dense(row.configuration.workload)) dense.push_back(row);
  }
  if (dense.empty()) return "";
  return "#\n# Fully connected layers: an all-reduce of their gradients, or late-multiply, which "
         "is "
         "an all-gather\n# of inputs and errors. `wrong` counts what is off by more than rounding "
         "explains.\n#\n" +
         format_rows(dense_columns(), dense) + format_crossovers(rows);
}

}  // namespace gradwire::report
