#include "tests/faults/loopback/tally.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text/table.h"

namespace gradwire::faults {
namespace {

/// Requires that there is one.
Nanoseconds median(std::vector<Nanoseconds> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::ranges::nth_element(times, middle);
  return *middle;
}

std::string milliseconds(Nanoseconds time) {
  return fmt::format("{:.1f}", std::chrono::duration<double, std::milli>(time).count());
}

}  // namespace

Tally::Tally(std::span<const Case* const> cases) {
  for (const Case* kind : cases) entries_.push_back({.kind = kind});
}

void Tally::add(const Case& kind, const Outcome& outcome, const Judgement& judgement) {
  const std::scoped_lock lock(mutex_);
  Entry& entry = *std::ranges::find(entries_, &kind, &Entry::kind);
  ++entry.runs;
  entry.right += judgement.wrong_in.empty() ? 1 : 0;
  entry.hangs += outcome.hung ? 1 : 0;
  entry.accepted += judgement.accepts_wrong ? 1 : 0;
  if (outcome.time) entry.times.push_back(*outcome.time);
}

std::size_t Tally::runs() const {
  const std::scoped_lock lock(mutex_);
  return sum(entries_).runs;
}

bool Tally::is_good() const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::all_of(entries_, [](const Entry& entry) {
    const double most_off = std::max(1.0, kMostOff * static_cast<double>(entry.runs));
    const auto off = static_cast<double>(entry.runs - entry.right);
    return entry.hangs == 0 && entry.accepted == 0 && off <= most_off;
  });
}

Tally::Entry Tally::sum(std::span<const Entry> entries) {
  Entry all;
  for (const Entry& entry : entries) {
    all.runs += entry.runs;
    all.right += entry.right;
    all.hangs += entry.hangs;
    all.accepted += entry.accepted;
  }
  return all;
}

std::vector<std::string> Tally::row(const Entry& entry) {
  const double share = entry.runs == 0 ? 0 : 100.0 * double(entry.right) / double(entry.runs);
  return {entry.kind == nullptr ? "" : fmt::to_string(entry.kind->fault),
          std::string(entry.kind == nullptr ? "all" : entry.kind->about),
          std::string(entry.kind == nullptr ? "" : to_string(entry.kind->must)),
          fmt::to_string(entry.runs),
          entry.right == entry.runs ? fmt::to_string(entry.right)
                                    : fmt::format("{} ({:.1f} %)", entry.right, share),
          fmt::to_string(entry.hangs),
          fmt::to_string(entry.accepted),
          entry.times.empty() ? "-" : milliseconds(median(entry.times)),
          entry.times.empty() ? "-" : milliseconds(std::ranges::max(entry.times))};
}

std::string Tally::table(bool as_markdown) const {
  constexpr std::array kHeadings{
      text::Heading{.name = "fault"},
      text::Heading{.name = "what happens", .left = true},
      text::Heading{.name = "a run must", .left = true},
      text::Heading{.name = "runs"},
      text::Heading{.name = "did"},
      text::Heading{.name = "hangs"},
      text::Heading{.name = "wrong sums"},
      text::Heading{.name = "median", .unit = "ms"},
      text::Heading{.name = "worst", .unit = "ms"},
  };
  const std::scoped_lock lock(mutex_);
  std::vector<std::vector<std::string>> rows;
  for (const Entry& entry : entries_) rows.push_back(row(entry));
  rows.push_back(row(sum(entries_)));
  return as_markdown ? text::format_markdown(kHeadings, rows)
                     : text::format_columns(kHeadings, std::move(rows), text::kNoMargins);
}

nlohmann::json Tally::to_json() const {
  const std::scoped_lock lock(mutex_);
  auto cases = nlohmann::json::array();
  for (const Entry& entry : entries_) {
    nlohmann::json one{{"name", entry.kind->name}, {"fault", entry.kind->fault},
                       {"runs", entry.runs},       {"right", entry.right},
                       {"hangs", entry.hangs},     {"wrong_sums", entry.accepted}};
    if (!entry.times.empty()) {
      one["median_ns"] = median(entry.times).count();
      one["worst_ns"] = std::ranges::max(entry.times).count();
    }
    cases.push_back(std::move(one));
  }
  const Entry all = sum(entries_);
  return {{"cases", std::move(cases)},
          {"runs", all.runs},
          {"right", all.right},
          {"hangs", all.hangs},
          {"wrong_sums", all.accepted}};
}

}  // namespace gradwire::faults
