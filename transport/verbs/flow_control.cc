#include "transport/verbs/flow_control.h"

#include <algorithm>

#include "core/error.h"

// Neither end tells the other which segment it means, or which slot. Both count, and the counts
// agree:
//
//   - Both cut the n-th operation at the same elements, and take segments in the order of
//     operations. Each end has two queues over the same operations, for the two moments that it
//     must tell apart: leaving and done here, granted and arrived there.
//   - Grants travel in order, and say how each segment in turn is combined. So both ends know which
//     segments are added, and the m-th of these uses slot m modulo the window at both.
//
// Counts of all time may grow for ever; only differences and remainders of them are used.
//
// What is granted and not settled is at most the window (grant() stops there). Hence
//
//   - A slot is free when it comes round: the segment that used it last is a window of added
//     segments back, so it was settled, which is after it was added, before the grant that reaches
//     this one was sent.
//   - The ring of grants_ never overruns: a grant is overwritten a window later, when its segment
//     has left.
//   - The peer's receives, a window of them, suffice.
//
// What has left and is not done may be more than that, because acknowledgements come later than
// arrivals. depart() bounds it by the window, too: so deep is the send queue.
namespace gradwire::transport::verbs {
namespace {

/// The number of a segment in messages. It is only compared with the number that is due, so it may
/// wrap.
constexpr std::uint32_t number_of(std::size_t segment) {
  return static_cast<std::uint32_t>(segment) & ((1U << kNumberBits) - 1);
}

}  // namespace

SegmentQueue::SegmentQueue(std::size_t operations, std::size_t most)
    : operations_(operations), most_(most) {
  ensure(most > 0, "a segment has at least one element");
}

void SegmentQueue::push(Extent extent, Combine how, std::size_t operation) {
  ensure(!extent.empty(), "an operation has at least one element");
  // Only elements are counted here: who writes them knows how long they are.
  operations_.push({.extent = extent, .how = how, .operation = operation, .element_bytes = 1});
}

Segment SegmentQueue::take() {
  Posted& posted = operations_.front();
  const std::size_t done = posted.elements_done();
  const std::size_t count = std::min(most_, posted.extent.count - done);
  const Segment segment{.operation = posted.operation,
                        .extent = {.first = posted.extent.first + done, .count = count},
                        .elements = done + count,
                        .how = posted.how};
  posted.bytes_done += count * posted.element_bytes;
  if (posted.bytes_left() == 0) operations_.pop();
  return segment;
}

SendFlow::SendFlow(std::size_t operations, const FlowLimits& limits)
    : departing_(operations, limits.segment),
      leaving_(operations, limits.segment),
      grants_(limits.window) {
  ensure(limits.window >= kLeastWindow, "a window has at least kLeastWindow segments");
}

void SendFlow::post(Extent what, std::size_t operation) {
  departing_.push(what, Combine::replace, operation);
  leaving_.push(what, Combine::replace, operation);
}

void SendFlow::grant(Combine how, std::size_t count) {
  ensure(granted_ - departed_ + count <= grants_.size(),
         "no more segments are granted than the window");
  for (std::size_t i = 0; i < count; ++i) grants_[granted_++ % grants_.size()] = how;
}

std::optional<Departure> SendFlow::depart() {
  // Nothing posted, nothing granted, or no place in the send queue.
  if (departing_.empty() || departed_ == granted_ || under_way_ == grants_.size()) {
    return std::nullopt;
  }
  Departure departure{.segment = departing_.take(), .number = number_of(departed_), .slot = {}};
  departure.segment.how = grants_[departed_ % grants_.size()];
  if (departure.segment.how == Combine::add) departure.slot = added_++ % grants_.size();
  ++departed_;
  ++under_way_;
  return departure;
}

Segment SendFlow::leave() {
  ensure(under_way_ > 0, "a segment that is done was under way");
  --under_way_;
  return leaving_.take();
}

ReceiveFlow::ReceiveFlow(std::size_t operations, const FlowLimits& limits)
    : granting_(operations, limits.segment),
      arriving_(operations, limits.segment),
      window_(limits.window) {
  ensure(limits.window >= kLeastWindow, "a window has at least kLeastWindow segments");
}

void ReceiveFlow::post(Extent where, Combine how, std::size_t operation) {
  granting_.push(where, how, operation);
  arriving_.push(where, how, operation);
}

std::optional<Grant> ReceiveFlow::grant() {
  Grant grant;
  while (!granting_.empty() && granted_ - settled_ < window_) {
    const Combine how = granting_.next_how();
    if (grant.count > 0 && how != grant.how) break;  // the next grant, of the other kind
    grant.how = how;
    ++grant.count;
    ++granted_;
    granting_.take();
  }
  if (grant.count == 0) return std::nullopt;
  return grant;
}

Arrival ReceiveFlow::arrive(std::uint32_t number) {
  ensure(arrived_ < granted_, "a segment that arrives was granted");
  ensure(number == number_of(arrived_), "segments arrive in order");
  ++arrived_;
  Arrival arrival{.segment = arriving_.take(), .slot = {}};
  if (arrival.segment.how == Combine::add) arrival.slot = added_++ % window_;
  return arrival;
}

void ReceiveFlow::settle() {
  ensure(settled_ < arrived_, "a segment that is settled has arrived");
  ++settled_;
}

}  // namespace gradwire::transport::verbs
