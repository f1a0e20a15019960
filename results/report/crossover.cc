#include "results/report/crossover.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "core/error.h"
#include "workloads/dense.h"

namespace gradwire::report {
namespace {

using record::Row;

/// Rows of one algorithm, by samples of all workers.
struct Series {
  const record::Configuration* of = nullptr;
  std::string layers;
  std::map<std::size_t, const Row*> rows;

  [[nodiscard]] bool is_late() const { return of->collective == "all-gather"; }
};

bool same(const record::Configuration& a, const record::Configuration& b) {
  return a.backing == b.backing && a.wiring == b.wiring;
}

/// The layers of a row; nothing for those of a strange folder that make no sense.
std::optional<workloads::DenseStack> stack_of(const Row& row) {
  if (!workloads::is_dense(row.configuration.workload)) return std::nullopt;
  try {
    return workloads::parse_dense(row.configuration.workload);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::vector<Series> series_of(std::span<const Row> rows) {
  std::vector<Series> all;
  for (const Row& row : rows) {
    const std::optional<workloads::DenseStack> stack = stack_of(row);
    if (!stack) continue;
    const record::Configuration& c = row.configuration;
    const std::string layers = workloads::layers_text(*stack);
    const auto same_series = [&](const Series& series) {
      return series.layers == layers && same(*series.of, c) && series.of->algorithm == c.algorithm;
    };
    auto found = std::ranges::find_if(all, same_series);
    if (found == all.end()) {
      all.push_back({.of = &c, .layers = layers});
      found = all.end() - 1;
    }
    found->rows.emplace(stack->samples * c.ranks, &row);
  }
  return all;
}

/// Time by which late-multiply takes longer, by samples.
using Differences = std::vector<std::pair<double, double>>;

Crossing crossing_of(const Differences& differences) {
  for (std::size_t i = 1; i < differences.size(); ++i) {
    const auto [from, before] = differences[i - 1];
    const auto [to, after] = differences[i];
    if (before > 0 || after <= 0) continue;
    return {.samples = from + (to - from) * before / (before - after)};
  }
  return {.is_beyond = differences.back().second <= 0};
}

std::optional<Crossover> compare(const Series& late, const Series& all_reduce) {
  Differences gst;
  Differences step;
  for (const auto& [samples, row] : late.rows) {
    const auto other = all_reduce.rows.find(samples);
    if (other == all_reduce.rows.end()) continue;
    const auto x = static_cast<double>(samples);
    gst.emplace_back(x, row->gst.median - other->second->gst.median);
    if (!row->dense || !other->second->dense) continue;
    step.emplace_back(x, (row->dense->step - other->second->dense->step).count());
  }
  if (gst.size() < 2) return std::nullopt;
  Crossover found{.late = *late.of,
                  .all_reduce = *all_reduce.of,
                  .fewest = static_cast<std::size_t>(gst.front().first),
                  .most = static_cast<std::size_t>(gst.back().first),
                  .gst = crossing_of(gst)};
  if (step.size() == gst.size()) found.step = crossing_of(step);
  return found;
}

}  // namespace

std::vector<Crossover> crossovers(std::span<const Row> rows) {
  std::vector<Crossover> found;
  const std::vector<Series> all = series_of(rows);
  for (const Series& late : all) {
    if (!late.is_late()) continue;
    for (const Series& other : all) {
      if (other.is_late() || other.layers != late.layers || !same(*other.of, *late.of)) continue;
      if (const auto crossover = compare(late, other)) found.push_back(*crossover);
    }
  }
  return found;
}

std::string to_string(const Crossing& crossing, const Crossover& of) {
  if (crossing.samples) return fmt::format("{:.1f}", *crossing.samples);
  return crossing.is_beyond ? fmt::format("> {}", of.most) : fmt::format("< {}", of.fewest);
}

}  // namespace gradwire::report
