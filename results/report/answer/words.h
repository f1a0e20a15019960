#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.h"
#include "results/record/configuration.h"
#include "results/record/row.h"
#include "results/report/answer/lead.h"

/// Words and phrases of which answers are made.
namespace gradwire::report {

/// The time with four digits, in us, ms or s: "2.345 ms".
[[nodiscard]] std::string time_words(Seconds time);

/// The gradients of a configuration: "lenet5 (12.49 MiB, batch 64)"; without a workload "12.49
/// MiB".
[[nodiscard]] std::string gradients_words(const record::Configuration& configuration);

/// The flags of a row: " (spoiled: cpu-bound; flagged: burst, few-samples)". Flags that keep a row
/// out of comparisons (record::spoils) are apart from all others; empty without flags.
[[nodiscard]] std::string flags_words(const record::Row& row);

/// Flags of several groups of rows, counted.
struct Marks {
  std::size_t spoiled = 0;                 ///< groups in which a row has a flag that spoils
  std::size_t flagged = 0;                 ///< groups in which none has, and a row has another
  std::vector<std::string> spoiling = {};  ///< the flags of the former, each once
  std::vector<std::string> others = {};    ///< the flags of the latter, each once

  void add(std::span<const record::Row* const> group);
};

/// Verbs and subject of marks_words(). Its result is "; 1 of these is spoiled (cpu-bound); 2 of
/// these are flagged (few-samples)" where `one` is "is", `many` is "are" and `what` is empty; it is
/// empty without marks.
struct MarksWording {
  const char* one;
  const char* many;
  const char* what;
};
[[nodiscard]] std::string marks_words(const Marks& marks, const MarksWording& wording);

/// The ratio with four digits: "1.524", "1.00021". Ratios near 1 have two digits of the excess over
/// 1, unless that is under a millionth.
[[nodiscard]] std::string ratio_words(double ratio);

/// The range of a ratio: "1.524 to 1.61", or one ratio where both are written the same.
[[nodiscard]] std::string range_words(double low, double high);

/// The backings in words, with "and" between several: "emulated", "on real hosts", "simulated".
[[nodiscard]] std::string backings_words(std::span<const record::Backing> backings);

/// The items as a list: "a, b and c", or with another word before the last.
[[nodiscard]] std::string list_words(const std::vector<std::string>& items,
                                     std::string_view before_last = "and");

/// The surety of a lead for a reader: "96.8 % sure to be 1.99 to 2.01 times; 5 and 5 samples".
[[nodiscard]] std::string surety_words(const Lead& lead);

}  // namespace gradwire::report
