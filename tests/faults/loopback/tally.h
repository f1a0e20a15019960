#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tests/faults/loopback/cases.h"
#include "tests/faults/loopback/judge.h"
#include "tests/faults/loopback/run.h"

namespace gradwire::faults {

/// What became of the runs, by case. Thread-safe.
class Tally {
 public:
  /// The share of a case's runs that may end otherwise than they must: who complains first is a race.
  /// One run always may.
  static constexpr double kMostOff = 0.01;

  explicit Tally(std::span<const Case* const> cases);

  void add(const Case& kind, const Outcome& outcome, const Judgement& judgement);
  /// Runs that were added.
  [[nodiscard]] std::size_t runs() const;
  /// No run hung, none accepted a wrong sum, and of every case enough ended as they must.
  [[nodiscard]] bool is_good() const;

  [[nodiscard]] std::string table(bool as_markdown) const;
  [[nodiscard]] nlohmann::json to_json() const;

 private:
  struct Entry {
    const Case* kind = nullptr;
    std::size_t runs = 0;
    std::size_t right = 0;
    std::size_t hangs = 0;
    std::size_t accepted = 0;        ///< runs in which a wrong sum was
    std::vector<Nanoseconds> times;  ///< from the fault to the verdict
  };
  [[nodiscard]] static std::vector<std::string> row(const Entry& entry);
  [[nodiscard]] static Entry sum(std::span<const Entry> entries);

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace gradwire::faults
