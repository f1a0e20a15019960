#include "collectives/algorithms/pair_counts.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>
#include <span>

#include <fmt/core.h>

#include "core/error.h"
#include "core/hasher.h"
#include "core/text/file.h"
#include "core/text/text_check.h"
#include "core/to_number.h"

namespace gradwire::algorithms {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Calls use(text up to the mark, where it begins) for each part between marks.
template <class Use>
void for_each_part(std::string_view text, char mark, const Use& use) {
  for (std::size_t first = 0;;) {
    const std::size_t end = std::min(text.find(mark, first), text.size());
    use(text.substr(first, end - first), first);
    if (end == text.size()) return;
    first = end + 1;
  }
}

/// The weights of a line, at most `most` of them.
std::vector<std::uint64_t> weights_of(std::string_view line, SourcePlace place, std::size_t most) {
  std::vector<std::uint64_t> weights;
  std::uint64_t sum = 0;
  for_each_part(line, ',', [&](std::string_view part, std::size_t begin) {
    const std::string_view word = without_blanks(part);
    const std::size_t blanks = std::min(part.find_first_not_of(kBlanks), part.size());
    place.column = begin + blanks + 1;
    const auto weight = to_number<std::uint64_t>(word);
    if (!weight) {
      throw InputError(place, fmt::format("{} is not a whole number from 0", text::shown(word)));
    }
    if (weights.size() == most) {
      throw InputError(place, fmt::format("more than {} numbers in a line", most));
    }
    if (*weight > kMostCountsOfRank || (sum += *weight) > kMostCountsOfRank) {
      throw InputError(place,
                       fmt::format("a rank's counts add up to more than {}", kMostCountsOfRank));
    }
    weights.push_back(*weight);
  });
  return weights;
}

}  // namespace

PairCounts::PairCounts(std::string_view text, const std::string& file) {
  constexpr std::size_t kMostRanks = 256;
  SourcePlace place{.file = file, .line = 0, .column = 1};
  std::size_t lines = 0;
  for_each_part(text, '\n', [&](std::string_view line, std::size_t) {
    ++place.line;
    line = line.substr(0, line.find('#'));
    if (without_blanks(line).empty()) return;
    const auto weights = weights_of(line, place, lines == 0 ? kMostRanks : ranks_);
    if (lines == 0) ranks_ = weights.size();
    if (weights.size() != ranks_) {
      throw InputError(
          place, fmt::format("{} numbers, where the first line has {}", weights.size(), ranks_));
    }
    if (++lines > ranks_) {
      throw InputError(place, fmt::format("a line too many for {} ranks", ranks_));
    }
    weights_.insert(weights_.end(), weights.begin(), weights.end());
    most_ = std::max(most_, std::reduce(weights.begin(), weights.end()));
  });
  if (lines < ranks_ || ranks_ < 2) {
    throw InputError(place, fmt::format("{} lines of {} numbers; a line for each of two ranks or "
                                        "more, and in it a number for each",
                                        lines, ranks_));
  }
  if (most_ == 0) throw InputError(place, "nobody sends anything");
}

std::vector<std::size_t> PairCounts::scaled(std::size_t elements) const {
  // floor(sum * elements / most_) without a product that is too large: sum and the remainder are at
  // most kMostCountsOfRank each.
  const auto scaled_down = [&](std::uint64_t sum) {
    return sum * (elements / most_) + sum * (elements % most_) / most_;
  };
  std::vector<std::size_t> counts;
  for (std::size_t from = 0; from < ranks_; ++from) {
    std::uint64_t sum = 0;
    for (std::size_t to = 0; to < ranks_; ++to) {
      const std::uint64_t before = scaled_down(sum);
      sum += weights_[from * ranks_ + to];
      counts.push_back(scaled_down(sum) - before);
    }
  }
  return counts;
}

double PairCounts::bus_factor() const {
  std::vector<std::uint64_t> sent(ranks_, 0);
  std::vector<std::uint64_t> received(ranks_, 0);
  for (std::size_t from = 0; from < ranks_; ++from) {
    for (std::size_t to = 0; to < ranks_; ++to) {
      if (to == from) continue;
      sent[from] += weights_[from * ranks_ + to];
      received[to] += weights_[from * ranks_ + to];
    }
  }
  const std::uint64_t busiest = std::max(std::ranges::max(sent), std::ranges::max(received));
  return static_cast<double>(busiest) / static_cast<double>(most_);
}

std::string PairCounts::digest() const {
  Hasher hasher;
  for (const std::uint64_t weight : weights_) hasher.mix(weight);
  return fmt::format("{:016x}", hasher.value());
}

std::shared_ptr<const PairCounts> pair_counts_of(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const PairCounts>> read;
  const std::scoped_lock lock(mutex);
  const auto known = read.find(path.string());
  if (known != read.end()) return known->second;
  return read[path.string()] = std::make_shared<const PairCounts>(
             text::read_input_file(path, kMostCountsBytes), path.string());
}

}  // namespace gradwire::algorithms
