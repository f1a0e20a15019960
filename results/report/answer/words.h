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

/// The words that answers are made of.
namespace gradwire::report {

/// "2.345 ms": four digits, in us, ms or s.
[[nodiscard]] std::string time_words(Seconds time);

/// "lenet5 (12.49 MiB, batch 64)"; without a workload "12.49 MiB".
[[nodiscard]] std::string gradients_words(const record::Configuration& configuration);

/// " (spoiled: cpu-bound; flagged: burst, few-samples)": flags that keep a row out of comparisons
/// (record::spoils) apart from all others; empty without flags.
[[nodiscard]] std::string flags_words(const record::Row& row);

/// What several groups of rows have flags of.
struct Marks {
  std::size_t spoiled = 0;                 ///< groups in which a row has a flag that spoils
  std::size_t flagged = 0;                 ///< groups in which none has, and a row has another
  std::vector<std::string> spoiling = {};  ///< the flags of the former, each once
  std::vector<std::string> others = {};    ///< the flags of the latter, each once

  void add(std::span<const record::Row* const> group);
};

/// "; 1 of these is spoiled (cpu-bound); 2 of these are flagged (few-samples)", where `one` is "is",
/// `many` is "are" and `what` is empty; empty without marks.
struct MarksWording {
  const char* one;
  const char* many;
  const char* what;
};
[[nodiscard]] std::string marks_words(const Marks& marks, const MarksWording& wording);

/// "1.524", "1.00021": four digits, and two of what is above 1 unless that is under a millionth.
[[nodiscard]] std::string ratio_words(double ratio);

/// "1.524 to 1.61", or one ratio where both are written the same.
[[nodiscard]] std::string range_words(double low, double high);

/// "emulated", "on real hosts", "simulated"; of several, with "and" between.
[[nodiscard]] std::string backings_words(std::span<const record::Backing> backings);

/// "a, b and c", or with another word before the last.
[[nodiscard]] std::string list_words(const std::vector<std::string>& items,
                                     std::string_view before_last = "and");

/// How sure the lead is, as a reader needs it: "96.8 % sure to be 1.99 to 2.01 times; 5 and 5
/// samples".
[[nodiscard]] std::string surety_words(const Lead& lead);

}  // namespace gradwire::report
