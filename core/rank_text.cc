#include "core/rank_text.h"

#include <fmt/format.h>

namespace gradwire {

std::string rank_text(std::span<const std::size_t> ranks, std::size_t most_runs) {
  std::string text;
  std::size_t runs = 0;
  for (std::size_t i = 0; i < ranks.size(); ++runs) {
    if (runs == most_runs) return fmt::format("{} and {} more", text, ranks.size() - i);
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (runs > 0) text += ", ";
    text += last == i ? fmt::to_string(ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace gradwire
