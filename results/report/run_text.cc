#include "results/report/run_text.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/text_check.h"
#include "core/units.h"
#include "results/report/backing_table.h"
#include "results/report/brief_table.h"
#include "results/report/cost_table.h"
#include "results/report/dense_table.h"
#include "results/report/gains.h"
#include "results/report/metrics/definitions.h"
#include "results/report/metrics/text_columns.h"
#include "results/report/row_notes.h"
#include "results/report/training_table.h"

namespace gradwire::report {
namespace {

using nlohmann::json;

/// The rate of the links; nothing when they are unlimited.
std::optional<BitRate> rate_of(const json& link) {
  const json& rate = link.at("rate_bits_per_s");
  if (rate.is_null()) return std::nullopt;
  return BitRate{rate.get<double>()};
}

/// The links in words: "links of 40 Gbit/s, MTU 9000, start-up 10 us a message".
std::string describe_links(const json& link) {
  const std::optional<BitRate> rate = rate_of(link);
  std::string text = rate ? fmt::format("links of {}, ", to_string(*rate)) : "unlimited links, ";
  text += link.at("headers") ? fmt::format("MTU {}", link.at("mtu").get<std::size_t>())
                             : std::string("no headers");
  const double startup = link.at("startup_us");
  if (startup > 0) text += fmt::format(", start-up {:g} us a message", startup);
  const double delay = link.at("delay_us");
  if (delay > 0) text += fmt::format(", {:g} us a cable", delay);
  return text;
}

std::string title_of(const record::StoredRun& run) {
  const auto emulated = std::ranges::find(
      run.points, record::Backing::emulated,
      [](const record::StoredPoint& point) { return point.record.configuration.backing; });
  const bool hosts = std::ranges::any_of(run.points, [](const record::StoredPoint& point) {
    return point.record.configuration.backing == record::Backing::hosts;
  });
  const std::string time = emulated != run.points.end()
                               ? fmt::format("time dilation {:g}", emulated->record.dilation)
                               : (hosts ? "real hosts" : "virtual time");
  const std::string links = run.context.is_null()
                                ? "links unknown"
                                : describe_links(run.context.at("experiment").at("link"));
  return fmt::format("# {}: {}, {}\n# run folder: {}\n", text::plain_line(run.name), links, time,
                     text::plain_line(run.folder.string()));
}

constexpr const char* kMore =
    "# gradwire results show --wide FOLDER shows all columns, and what the wirings cost; --columns "
    "algo,gst_p99 only those.\n";

Tables wide_tables(const record::StoredRun& run, const std::vector<record::Row>& rows) {
  Tables all{.text = "#\n" + format_rows(result_columns(), rows) + format_training_table(rows) +
                     format_dense_table(rows) + format_backing_table(rows),
             .columns = result_columns()};
  const auto has = [&](auto member) {
    return std::ranges::any_of(rows, [&](const record::Row& row) { return bool(row.*member); });
  };
  const auto add = [&](const Columns& more) {
    all.columns.insert(all.columns.end(), more.begin(), more.end());
  };
  if (has(&record::Row::training)) add(training_columns());
  if (has(&record::Row::dense)) add(dense_columns());
  if (run.context.is_null()) return all;
  const auto rate = rate_of(run.context.at("experiment").at("link"));
  if (rate) all.text += format_cost_table(*rate, rows);
  return all;
}

Tables tables_of(const record::StoredRun& run, const std::vector<record::Row>& rows,
                 const RunForm& form) {
  if (!form.columns.empty()) {
    const Columns columns = columns_named(form.columns);
    return {.text = "#\n" + format_rows(columns, rows, &run), .columns = columns};
  }
  if (form.wide) return wide_tables(run, rows);
  return brief_tables(rows);
}

}  // namespace

std::vector<record::Row> rows_of(const record::StoredRun& run) {
  std::vector<record::Row> rows;
  for (const record::StoredPoint& point : run.points) rows.push_back(point.row);
  return rows;
}

std::string format_run(const record::StoredRun& run, const RunForm& form,
                       const std::optional<record::GainQuery>& gains) {
  const std::vector<record::Row> rows = rows_of(run);
  if (rows.empty()) return "";
  const Tables tables = tables_of(run, rows, form);
  return title_of(run) + tables.text + row_notes(rows) + (gains ? format_gains(*gains, rows) : "") +
         "#\n" + define(tables.columns) + "# Times are divided by the dilation. GB/s = 1e9 B/s.\n" +
         (form.wide || !form.columns.empty() ? "" : kMore);
}

std::string format_problems(const record::StoredRun& run) {
  std::string lines;
  for (const record::StoreProblem& problem : run.problems) {
    lines += fmt::format("gradwire: {}\n", text::plain_line(problem.message()));
  }
  return lines;
}

}  // namespace gradwire::report
