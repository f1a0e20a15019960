#include "ringallreduce/fixed_order.h"

#include "core/error.h"

namespace gradwire::ringallreduce::fixed_order {
namespace {

std::size_t steps(std::size_t ranks, std::size_t pieces) {
  return pieces + 2 * ranks - 3;
}

}  // namespace

Lane lane(const Position& position, std::size_t ranks, const Extent& what, std::size_t pieces) {
  ensure(ranks >= 2 && pieces >= 1, "a ring has two ranks and one piece at least");
  const std::size_t i = position.index;
  const std::size_t last = ranks - 1;
  Lane lane(steps(ranks, pieces));
  for (std::size_t p = 0; p < pieces; ++p) {
    const Extent piece = part(what, pieces, p);
    if (piece.empty()) continue;
    const auto send = [&](std::size_t step) {
      lane[step].sends.push_back({position.right, piece});
    };
    const auto receive = [&](std::size_t step, Combine how) {
      lane[step].recvs.push_back({position.left, piece, how});
    };
    if (i > 0) receive(p + i - 1, Combine::add);
    if (i < last) send(p + i);
    if (i < last) receive(p + last + i, Combine::replace);
    if (i == last) send(p + last);
    if (i + 1 < last) send(p + ranks + i);
  }
  return lane;
}

double closed_form(std::size_t ranks, std::size_t pieces) {
  const std::size_t both = pieces > ranks && ranks > 2 ? pieces - 3 : 0;
  return static_cast<double>(steps(ranks, pieces) + both) / static_cast<double>(pieces);
}

}  // namespace gradwire::ringallreduce::fixed_order
