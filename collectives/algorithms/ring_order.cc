#include "collectives/algorithms/ring_order.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/file.h"
#include "core/text/text_check.h"
#include "core/to_number.h"

namespace gradwire::algorithms {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kBetween = " \t\r";

/// Whether it can only be a list: other characters make it the name of a file.
bool is_list(std::string_view text) {
  return text.find_first_not_of("0123456789-") == std::string_view::npos &&
         text.find_first_of(kDigits) != std::string_view::npos;
}

/// A word that should be a rank. The place is empty in a list.
struct Word {
  std::string_view text;
  SourcePlace place;
};

std::string line_of(const SourcePlace& place) {
  return place.file.empty() ? "" : fmt::format(", first in line {}", place.line);
}

/// The ranks that the words say, each once. `end` is where a missing one could stand.
std::vector<Rank> ranks_of(const std::vector<Word>& words, std::size_t ranks,
                           const SourcePlace& end) {
  std::vector<Rank> order;
  std::vector<const Word*> seen(ranks, nullptr);
  for (const Word& word : words) {
    const auto rank = to_number<std::size_t>(word.text);
    if (!rank) {
      throw InputError(word.place, fmt::format("{} is not a rank, a whole number from 0",
                                               text::shown(word.text)));
    }
    if (*rank >= ranks) {
      throw InputError(word.place, fmt::format("there is no rank {}: the wiring has ranks 0 to {}",
                                               *rank, ranks - 1));
    }
    if (seen[*rank] != nullptr) {
      throw InputError(word.place, fmt::format("rank {} stands in the ring twice{}", *rank,
                                               line_of(seen[*rank]->place)));
    }
    seen[*rank] = &word;
    order.emplace_back(*rank);
  }
  const auto missing = std::ranges::find(seen, nullptr);
  if (missing != seen.end()) {
    throw InputError(end, fmt::format("rank {} is missing: a ring has all {} ranks of the wiring",
                                      missing - seen.begin(), ranks));
  }
  return order;
}

/// Adds the words of a line of a file to the others.
void add_words(std::string_view line, const SourcePlace& begin, std::vector<Word>& words) {
  line = line.substr(0, line.find('#'));
  std::size_t first = line.find_first_not_of(kBetween);
  while (first != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(kBetween, first), line.size());
    SourcePlace place = begin;
    place.column = first + 1;
    words.push_back({line.substr(first, end - first), std::move(place)});
    first = line.find_first_not_of(kBetween, end);
  }
}

std::vector<Rank> read_file(const std::filesystem::path& path, std::size_t ranks) {
  const std::string content = text::read_input_file(path, kMostOrderBytes);
  std::vector<Word> words;
  SourcePlace place{.file = path.string(), .line = 0, .column = 1};
  for (std::string_view rest = content; !rest.empty() || place.line == 0;) {
    ++place.line;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    add_words(rest.substr(0, end), place, words);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return ranks_of(words, ranks, place);
}

}  // namespace

text::Spec with_order_read(text::Spec algorithm, const std::filesystem::path& folder,
                           std::size_t ranks) {
  const auto order = algorithm.options.find("order");
  if (algorithm.name != "ring" || order == algorithm.options.end() || is_list(order->second)) {
    return algorithm;
  }
  std::vector<std::size_t> list;
  for (const Rank rank : read_file(folder / order->second, ranks)) list.push_back(rank.index());
  order->second = fmt::format("{}", fmt::join(list, "-"));
  return algorithm;
}

std::vector<Rank> ring_order(const std::optional<std::string>& list, std::size_t ranks) {
  if (!list) return {};
  std::vector<Word> words;
  std::string_view rest = *list;
  for (;;) {
    const std::size_t dash = rest.find('-');
    words.push_back({rest.substr(0, dash), {}});
    if (dash == std::string_view::npos) break;
    rest.remove_prefix(dash + 1);
  }
  try {
    return ranks_of(words, ranks, {});
  } catch (const InputError& error) {
    throw InputError(fmt::format("ring: order={}: {}", *list, error.what()));
  }
}

}  // namespace gradwire::algorithms
