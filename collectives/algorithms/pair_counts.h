#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Counts for each pair of ranks in an all-to-all, as users write them:
///
///     all-to-all(counts=experts.csv)
///
///     # line i is what rank i sends: to rank 0, to rank 1, ...
///     0, 3, 1
///     2, 0, 2
///     1, 1, 4
///
/// The numbers are weights. The point's size is what the rank sends whose line adds up to most, its
/// own block included, and all others in proportion; with a size of as many elements as that line adds
/// up to they are numbers of elements.
namespace gradwire::algorithms {

/// Larger files are refused.
inline constexpr std::size_t kMostCountsBytes = std::size_t{4} << 20;
/// A line that adds up to more is refused.
inline constexpr std::uint64_t kMostCountsOfRank = 4'000'000'000;

/// The counts of a file: at least two ranks, and something to send.
class PairCounts {
 public:
  /// Reads a file's text; messages call it `file`. Between numbers stand commas, with spaces around or
  /// not; lines without anything, and what follows a #, do not count. Throws InputError with file, line
  /// and column for what is no whole number from 0, for a line that has another number of them than the
  /// first, adds up to more than kMostCountsOfRank or is one too many, where one is missing, and where
  /// nothing is sent.
  PairCounts(std::string_view text, const std::string& file);

  [[nodiscard]] std::size_t ranks() const { return ranks_; }
  /// The elements by sender, then receiver, as core/goal.h's all_to_all takes them, where the rank that
  /// sends most sends `elements`. Rounded so that the blocks of a rank have together what is its own in
  /// proportion, rounded down.
  [[nodiscard]] std::vector<std::size_t> scaled(std::size_t elements) const;
  /// The most that a rank sends to others or receives from them, in what the rank that sends most sends:
  /// how many times the size the busiest NIC of a host with one carries. (N-1)/N where all are equal.
  [[nodiscard]] double bus_factor() const;
  /// A number by which another file is told.
  [[nodiscard]] std::string digest() const;

 private:
  std::size_t ranks_ = 0;
  std::vector<std::uint64_t> weights_;  ///< by sender, then receiver
  std::uint64_t most_ = 0;              ///< largest sum of a rank
};

/// The counts of a file, read once while the program runs. Throws InputError for one that is missing, no
/// regular file or too large, and as PairCounts.
[[nodiscard]] std::shared_ptr<const PairCounts> pair_counts_of(const std::filesystem::path& path);

}  // namespace gradwire::algorithms
