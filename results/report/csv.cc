#include "results/report/csv.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gradwire::report {
namespace {

std::string text(std::string_view value) {
  std::string cell(value);
  if (cell.find_first_of("=+-@\t\r") == 0) cell.insert(0, "'");
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

template <class Value>
std::string number(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string microseconds(double seconds) {
  return fmt::format("{}", seconds * 1e6);
}

std::string gigabytes(double bytes_per_second) {
  return fmt::format("{}", bytes_per_second / 1e9);
}

std::string share(double value) {
  return fmt::format("{}", value);
}

/// What a cell is made from.
struct Of {
  const record::StoredRun& run;
  const record::StoredPoint& point;
  const record::Row& row = point.row;
  const record::Configuration& what = row.configuration;
};

using Cell = std::string (*)(const Of&);

struct Column {
  std::string_view name;
  Cell cell;
};

std::string interval_end(const Of& of, double record::MedianInterval::*end) {
  return of.row.gst.median_interval ? microseconds((*of.row.gst.median_interval).*end) : "";
}

std::string bound(const Of& of) {
  return of.row.bound ? microseconds(of.row.bound->count()) : "";
}

std::string flags(const Of& of) {
  return text(fmt::format("{}", fmt::join(record::row_flags(of.row), " ")));
}

std::string t_f(const Of& of) {
  const nlohmann::json::json_pointer rate("/experiment/link/rate_bits_per_s");
  const nlohmann::json& context = of.run.context;
  if (!context.contains(rate) || !context.at(rate).is_number()) return "";
  const BitRate line{context.at(rate).get<double>()};
  if (!(line.bits_per_second > 0)) return "";
  return microseconds(time_to_send(static_cast<double>(of.what.bytes()), line).count());
}

/// Empty cells of a point that is no training job.
template <class Value>
std::string trained(const Of& of, Value value) {
  return of.row.training ? value(*of.row.training) : "";
}

std::string predicted(const record::TrainingRow& training) {
  return training.plan.predicted.buckets.empty()
             ? ""
             : microseconds(training.plan.predicted.iteration.count());
}

/// Empty cells of a point whose wiring was not priced and counted.
template <class Value>
std::string wired(const Of& of, Value value) {
  return of.row.wiring ? value(*of.row.wiring) : "";
}

constexpr std::array kColumns = std::to_array<Column>({
    {"experiment", [](const Of& of) { return text(of.run.name); }},
    {"folder", [](const Of& of) { return text(of.run.folder.string()); }},
    {"started", [](const Of& of) { return text(of.run.started); }},
    {"key", [](const Of& of) { return text(of.point.record.key); }},
    {"backing", [](const Of& of) { return text(to_string(of.what.backing)); }},
    {"wiring", [](const Of& of) { return text(of.what.wiring); }},
    {"algorithm", [](const Of& of) { return text(of.what.algorithm); }},
    {"workload", [](const Of& of) { return text(of.what.workload); }},
    {"batch", [](const Of& of) { return of.what.batch > 0 ? fmt::to_string(of.what.batch) : ""; }},
    {"schedule", [](const Of& of) { return text(of.what.schedule); }},
    {"N", [](const Of& of) { return fmt::to_string(of.what.ranks); }},
    {"k", [](const Of& of) { return fmt::to_string(of.what.ports_per_host); }},
    {"bytes", [](const Of& of) { return fmt::to_string(of.what.bytes()); }},
    {"elements", [](const Of& of) { return fmt::to_string(of.what.elements); }},
    {"type", [](const Of& of) { return text(of.what.type); }},
    {"dilation", [](const Of& of) { return fmt::format("{}", of.row.dilation); }},
    {"n", [](const Of& of) { return fmt::to_string(of.row.gst.n); }},
    {"gst_p50_us", [](const Of& of) { return microseconds(of.row.gst.median); }},
    {"gst_p95_us", [](const Of& of) { return microseconds(of.row.gst.p95); }},
    {"gst_p99_us", [](const Of& of) { return microseconds(of.row.gst.p99); }},
    {"gst_mean_us", [](const Of& of) { return microseconds(of.row.gst.mean); }},
    {"gst_stdev_us", [](const Of& of) { return microseconds(of.row.gst.stdev); }},
    {"cv_percent", [](const Of& of) { return share(of.row.gst.cv_percent); }},
    {"gst_ci_low_us", [](const Of& of) { return interval_end(of, &record::MedianInterval::low); }},
    {"gst_ci_high_us", [](const Of& of) { return interval_end(of, &record::MedianInterval::high); }},
    {"bound_us", bound},
    {"cut_us",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& cost) { return microseconds(cost.cut.count()); });
     }},
    {"t_f_us", t_f},
    {"algbw_gbs", [](const Of& of) { return gigabytes(of.row.rates().algbw); }},
    {"busbw_gbs", [](const Of& of) { return gigabytes(of.row.rates().busbw); }},
    {"nicbw_gbs", [](const Of& of) { return gigabytes(of.row.rates().nicbw); }},
    {"efficiency", [](const Of& of) { return number(of.row.rates().efficiency); }},
    {"iteration_p50_us",
     [](const Of& of) {
       return trained(of, [](const record::TrainingRow& t) { return microseconds(t.iteration.median); });
     }},
    {"compute_us",
     [](const Of& of) {
       return trained(of, [](const record::TrainingRow& t) { return microseconds(t.compute.count()); });
     }},
    {"exposed_us",
     [](const Of& of) {
       return trained(of, [](const record::TrainingRow& t) { return microseconds(t.exposed.count()); });
     }},
    {"exposed_percent",
     [](const Of& of) {
       return trained(of, [](const record::TrainingRow& t) { return share(t.exposed_percent()); });
     }},
    {"jct_us",
     [](const Of& of) {
       return trained(of, [](const record::TrainingRow& t) { return microseconds(t.jct.count()); });
     }},
    {"predicted_iteration_us", [](const Of& of) { return trained(of, predicted); }},
    {"wrong", [](const Of& of) { return number(of.row.wrong); }},
    {"flags", flags},
    {"switches",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& w) { return fmt::to_string(w.cost.switches); });
     }},
    {"switch_ports",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& w) { return fmt::to_string(w.cost.switch_ports); });
     }},
    {"nics",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& w) { return fmt::to_string(w.cost.nics); });
     }},
    {"cables",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& w) { return fmt::to_string(w.cost.cables); });
     }},
    {"price",
     [](const Of& of) {
       return wired(of, [](const record::WiringCost& w) { return number(w.price); });
     }},
});

template <class Value>
std::string line(Value value) {
  std::vector<std::string> cells;
  for (const Column& column : kColumns) cells.push_back(value(column));
  return fmt::format("{}\r\n", fmt::join(cells, ","));
}

}  // namespace

std::string format_csv(std::span<const record::StoredRun> runs) {
  std::string csv = line([](const Column& column) { return std::string(column.name); });
  for (const record::StoredRun& run : runs) {
    for (const record::StoredPoint& point : run.points) {
      const Of of{.run = run, .point = point};
      csv += line([&](const Column& column) { return column.cell(of); });
    }
  }
  return csv;
}

}  // namespace gradwire::report
