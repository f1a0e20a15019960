#include "harness/workers/mpi/relay_lines.h"

#include <fmt/core.h>

#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::workers::relay_lines {

std::string order(Rank to, std::string_view text) {
  return fmt::format("{} {}", to.index(), text);
}

RankText parse_order(std::string_view line, std::size_t ranks) {
  const std::size_t space = line.find(' ');
  const auto rank = to_number<std::size_t>(line.substr(0, space));
  if (space == std::string_view::npos || !rank || *rank >= ranks) {
    throw InternalError(fmt::format("a line names a rank: {}", line.substr(0, 80)));
  }
  return {.rank = Rank(*rank), .text = std::string(line.substr(space + 1))};
}

std::string answer(Rank from, std::string_view text) {
  return kMark + order(from, text);
}

RankText parse_answer(std::string_view line, std::size_t ranks) {
  if (!line.starts_with(kMark)) {
    throw InternalError(fmt::format("a line has a mark: {}", line.substr(0, 80)));
  }
  return parse_order(line.substr(1), ranks);
}

}  // namespace gradwire::workers::relay_lines
