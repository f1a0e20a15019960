#include "results/report/answer/words.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "results/record/flags.h"

namespace gradwire::report {
namespace {

struct Unit {
  const char* name;
  double one;
};

constexpr std::array kTimes = std::to_array<Unit>({{"s", 1}, {"ms", 1e-3}, {"µs", 1e-6}});
constexpr std::array kSizes = std::to_array<Unit>(
    {{"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}});

/// The value in the largest unit of which it has at least one.
template <class Units>
std::string in_unit(const Units& units, double value) {
  const auto* fitting =
      std::ranges::find_if(units, [&](const Unit& unit) { return value >= unit.one; });
  const Unit& unit = fitting == units.end() ? units.back() : *fitting;
  return fmt::format("{:.4g} {}", value / unit.one, unit.name);
}

/// The number with at most `digits` significant digits, never with an exponent.
std::string number_words(double value, int digits) {
  return value >= std::pow(10, digits) ? fmt::format("{:.0f}", value)
                                       : fmt::format("{:.{}g}", value, digits);
}

std::string samples_words(const Lead& lead) {
  return fmt::format("{} and {} samples", lead.samples_of_less, lead.samples_of_more);
}

std::string gap_words(const Lead& lead) {
  if (!lead.gap) return "all of one lie below all of the other, and neither varies";
  if (*lead.gap < 0) return "their ranges overlap";
  return fmt::format("all of one lie below all of the other, {} times the wider range apart",
                     number_words(*lead.gap, 3));
}

/// Flags of a row that keep it out of comparisons, and all others.
struct SplitFlags {
  std::vector<std::string> spoiling;
  std::vector<std::string> others;
};

SplitFlags split_flags(const record::Row& row) {
  SplitFlags split;
  for (const std::string& flag : record::row_flags(row)) {
    (record::spoils(flag) ? split.spoiling : split.others).push_back(flag);
  }
  return split;
}

}  // namespace

std::string time_words(Seconds time) {
  return in_unit(kTimes, time.count());
}

std::string gradients_words(const record::Configuration& configuration) {
  const record::Configuration& c = configuration;
  std::string size = in_unit(kSizes, static_cast<double>(c.bytes()));
  if (c.type != Dtype::float32) size += fmt::format(" of {}", to_string(c.type));
  if (c.batch > 0) size += fmt::format(", batch {}", c.batch);
  return c.workload.empty() ? size : fmt::format("{} ({})", c.workload, size);
}

std::string flags_words(const record::Row& row) {
  const auto [spoiling, others] = split_flags(row);
  std::vector<std::string> parts;
  if (!spoiling.empty()) parts.push_back(fmt::format("spoiled: {}", fmt::join(spoiling, ", ")));
  if (!others.empty()) parts.push_back(fmt::format("flagged: {}", fmt::join(others, ", ")));
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, "; "));
}

void Marks::add(std::span<const record::Row* const> group) {
  SplitFlags all;
  for (const record::Row* row : group) {
    const auto [spoils, does_not] = split_flags(*row);
    all.spoiling.insert(all.spoiling.end(), spoils.begin(), spoils.end());
    all.others.insert(all.others.end(), does_not.begin(), does_not.end());
  }
  if (!all.spoiling.empty()) {
    ++spoiled;
    for (const std::string& flag : all.spoiling) record::add_once(spoiling, flag);
  } else if (!all.others.empty()) {
    ++flagged;
    for (const std::string& flag : all.others) record::add_once(others, flag);
  }
}

std::string marks_words(const Marks& marks, const MarksWording& wording) {
  const auto clause = [&](std::size_t count, const char* how,
                          const std::vector<std::string>& flags) {
    if (count == 0) return std::string();
    return fmt::format("; {} of these {} {}{} ({})", count, count == 1 ? wording.one : wording.many,
                       how, wording.what, fmt::join(flags, ", "));
  };
  return clause(marks.spoiled, "spoiled", marks.spoiling) +
         clause(marks.flagged, "flagged", marks.others);
}

std::string ratio_words(double ratio) {
  if (!(ratio > 1 + 1e-6 && ratio < 1.1)) return number_words(ratio, 4);
  const int decimals = std::min(6, 1 - static_cast<int>(std::floor(std::log10(ratio - 1))));
  return fmt::format("{:.{}f}", ratio, std::max(3, decimals));
}

std::string range_words(double low, double high) {
  const std::string from = ratio_words(low);
  const std::string to = ratio_words(high);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

std::string backings_words(std::span<const record::Backing> backings) {
  std::vector<std::string> found;
  for (const record::Backing backing : backings) {
    std::string name =
        backing == record::Backing::hosts ? "on real hosts" : record::to_string(backing);
    if (std::ranges::find(found, name) == found.end()) found.push_back(std::move(name));
  }
  return list_words(found);
}

std::string list_words(const std::vector<std::string>& items, std::string_view before_last) {
  if (items.size() < 2) return items.empty() ? "" : items.front();
  const std::vector<std::string> first(items.begin(), items.end() - 1);
  return fmt::format("{} {} {}", fmt::join(first, ", "), before_last, items.back());
}

std::string surety_words(const Lead& lead) {
  const auto& interval = lead.ratio.interval;
  switch (lead.surety) {
    case Surety::computed:
      return "computed, so without chance";
    case Surety::single:
      return samples_words(lead) + ", so how much they vary is not known";
    case Surety::spoiled:
      return "the machine or the links may have set one of the two; " + samples_words(lead);
    case Surety::interval:
      return fmt::format("{:.3g} % sure to be {} times; {}", 100 * interval->confidence,
                         range_words(interval->low, interval->high), samples_words(lead));
    case Surety::apart:
      return fmt::format("{}, {}", samples_words(lead), gap_words(lead));
    case Surety::unclear:
      if (!interval) return fmt::format("{}, {}", samples_words(lead), gap_words(lead));
      return fmt::format("the {:.3g} % interval, {} times, contains 1; {}",
                         100 * interval->confidence, range_words(interval->low, interval->high),
                         samples_words(lead));
  }
  throw_bug("an answer knows every kind of surety");
}

}  // namespace gradwire::report
