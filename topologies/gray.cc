#include "topologies/gray.h"

namespace gradwire::topologies {

Rank gray_rank(const Digits& digits, std::size_t index, std::size_t first_level) {
  const std::size_t n = digits.n();
  Rank rank(0);
  std::size_t above = 0;
  for (std::size_t i = digits.k(); i-- > 0;) {
    const std::size_t digit = digits.digit(Rank(index), i);
    rank = digits.with_digit(rank, (first_level + i) % digits.k(), (digit + n - above) % n);
    above = digit;
  }
  return rank;
}

std::size_t gray_index(const Digits& digits, Rank rank, std::size_t first_level) {
  std::size_t index = 0;
  std::size_t above = 0;
  for (std::size_t i = digits.k(); i-- > 0;) {
    above = (digits.digit(rank, (first_level + i) % digits.k()) + above) % digits.n();
    index += above * digits.power(i);
  }
  return index;
}

}  // namespace gradwire::topologies
