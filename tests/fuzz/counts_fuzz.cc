#include <algorithm>
#include <numeric>
#include <span>

#include "collectives/algorithms/pair_counts.h"
#include "core/error.h"
#include "tests/fuzz/fuzz.h"

/// Files of counts for each pair of ranks: whatever they say, no rank sends more than it is told, and the
/// one that sends most sends as much.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gradwire;
  const std::string_view text = fuzz::text_of(data, size);
  const auto counts =
      fuzz::value_of<InputError>([&] { return algorithms::PairCounts(text, "fuzz.csv"); });
  if (!counts) return 0;
  fuzz::require(counts->bus_factor() >= 0, "a NIC carries something or nothing");
  for (const std::size_t elements :
       {std::size_t{1}, std::size_t{997}, std::size_t{100'000'000'000}}) {
    const auto scaled = counts->scaled(elements);
    fuzz::require(scaled.size() == counts->ranks() * counts->ranks(), "a count for each pair");
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < counts->ranks(); ++rank) {
      const auto row = std::span(scaled).subspan(rank * counts->ranks(), counts->ranks());
      most = std::max(most, std::reduce(row.begin(), row.end()));
    }
    fuzz::require(most == elements, "the rank that sends most sends the size");
  }
  return 0;
}
