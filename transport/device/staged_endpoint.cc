#include "transport/device/staged_endpoint.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace gradwire::transport::device {
namespace {

/// Longest wait for the transport while the device copies: less than a piece takes.
constexpr Nanoseconds kGlance = std::chrono::microseconds(50);

}  // namespace

StagedEndpoint::StagedEndpoint(std::unique_ptr<Endpoint> over, const DeviceGradient& gradient,
                               std::shared_ptr<const StagingMemory> memory, const LaneSlots& slots,
                               std::span<const ChannelUse> use)
    : gradient_(gradient), memory_(std::move(memory)), slots_(slots), over_(std::move(over)) {
  const std::size_t of_channel = slots_.slots * slots_.stride;
  for (std::size_t i = 0; i < use.size(); ++i) {
    channels_.push_back(
        {.sends = make_direction(use[i].sends, slots_.first_send + i * of_channel),
         .receives = make_direction(use[i].receives, slots_.first_receive + i * of_channel)});
  }
  progress_.reserve(2 * channels_.size() * slots_.slots);
  out_ = gradient_.device.make_stream(channels_.size() * slots_.slots);
  in_ = gradient_.device.make_stream(channels_.size() * slots_.slots);
}

StagedEndpoint::Direction StagedEndpoint::make_direction(std::size_t operations,
                                                         std::size_t first_slot) const {
  return {.uncut = PostedQueue(operations),
          .pieces = std::vector<Piece>(slots_.slots),
          .first_slot = first_slot};
}

std::size_t StagedEndpoint::event_of(std::size_t channel, std::size_t number) const {
  return channel * slots_.slots + number % slots_.slots;
}

void StagedEndpoint::post_send(std::size_t channel, const SendRequest& request) {
  channels_[channel].sends.uncut.push({.extent = request.what,
                                       .operation = request.operation,
                                       .element_bytes = gradient_.gradient.element_bytes()});
  begin_sends(channel);
}

void StagedEndpoint::post_receive(std::size_t channel, Extent where, Combine how,
                                  std::size_t operation) {
  channels_[channel].receives.uncut.push({.extent = where,
                                          .how = how,
                                          .operation = operation,
                                          .element_bytes = gradient_.gradient.element_bytes()});
  begin_receives(channel);
}

StagedEndpoint::Piece* StagedEndpoint::begin_piece(Direction& direction) const {
  if (direction.uncut.empty() || direction.begun - direction.done == slots_.slots) return nullptr;
  Posted& posted = direction.uncut.front();
  const std::size_t before = posted.elements_done();
  const std::size_t count = std::min(slots_.piece, posted.extent.count - before);
  const Extent where{.first = posted.extent.first + before, .count = count};
  const std::size_t slot = direction.begun % slots_.slots;
  Piece& piece = direction.piece(direction.begun++);
  piece = {
      .where = where,
      .slot = {.first = direction.first_slot + slot * slots_.stride + where.first % slots_.vector,
               .count = count},
      .how = posted.how,
      .operation = posted.operation,
      .done_before = before};
  posted.bytes_done += count * posted.element_bytes;
  if (posted.bytes_left() == 0) direction.uncut.pop();
  return &piece;
}

void StagedEndpoint::begin_sends(std::size_t channel) {
  Direction& sends = channels_[channel].sends;
  while (const Piece* const piece = begin_piece(sends)) {
    out_->copy_out(memory_->pinned.elements.part(piece->slot),
                   gradient_.gradient.part(piece->where));
    out_->mark(event_of(channel, sends.begun - 1));
  }
}

void StagedEndpoint::begin_receives(std::size_t channel) {
  Direction& receives = channels_[channel].receives;
  while (const Piece* const piece = begin_piece(receives)) {
    const std::size_t name = 2 * event_of(channel, receives.begun - 1) + 1;
    over_->post_receive(channel, piece->slot, Combine::replace, name);
  }
}

std::span<const Progress> StagedEndpoint::wait(const Deadline& deadline) {
  progress_.clear();
  while (true) {
    take_copied();
    if (!progress_.empty()) return progress_;
    const Nanoseconds left = deadline.left();
    const Nanoseconds patience = is_copying() ? std::min(left, kGlance) : left;
    for (const Progress& moved : over_->wait(Deadline(gradient_.clock, patience))) {
      take_moved(moved);
    }
    if (!progress_.empty()) return progress_;
    if (left == Nanoseconds::zero()) return {};
  }
}

std::optional<std::size_t> StagedEndpoint::find_unanswered() const {
  return over_->find_unanswered();
}

void StagedEndpoint::take_copied() {
  for (std::size_t channel = 0; channel < channels_.size(); ++channel) take_copied(channel);
}

void StagedEndpoint::take_copied(std::size_t channel) {
  Direction& sends = channels_[channel].sends;
  while (sends.handed < sends.begun && out_->is_done(event_of(channel, sends.handed))) {
    const std::size_t name = 2 * event_of(channel, sends.handed);
    // A step of its own: how far a piece is says nothing of how far its operation is.
    over_->post_send(channel,
                     {.what = sends.piece(sends.handed++).slot, .operation = name, .step = name});
  }
  Direction& receives = channels_[channel].receives;
  while (receives.done < receives.handed && in_->is_done(event_of(channel, receives.done))) {
    const Piece& piece = receives.piece(receives.done++);
    report(piece.operation, piece.done_after());
  }
  begin_receives(channel);
}

void StagedEndpoint::take_moved(const Progress& moved) {
  const bool is_receive = moved.operation % 2 == 1;
  const std::size_t channel = moved.operation / 2 / slots_.slots;
  Direction& direction = is_receive ? channels_[channel].receives : channels_[channel].sends;
  Piece& piece = direction.pieces[moved.operation / 2 % slots_.slots];
  const bool is_whole = moved.elements == piece.where.count;
  if (is_receive) {
    // Nothing is combined before it is on the device; but that something moved is said.
    const Piece& oldest = direction.piece(direction.done);
    report(oldest.operation, oldest.done_before);
    if (is_whole) begin_copy_in(channel, piece);
    return;
  }
  report(piece.operation, piece.done_before + moved.elements);
  if (!is_whole) return;
  ++direction.done;
  begin_sends(channel);
}

void StagedEndpoint::begin_copy_in(std::size_t channel, const Piece& piece) {
  Direction& receives = channels_[channel].receives;
  const Elements arrived = memory_->pinned.elements.part(piece.slot);
  const DeviceElements where = gradient_.gradient.part(piece.where);
  if (piece.how == Combine::replace) {
    in_->copy_in(where, arrived);
  } else {
    const DeviceElements terms = memory_->arrived.elements.part(piece.slot);
    in_->copy_in(terms, arrived);
    in_->add(where, terms);
  }
  in_->mark(event_of(channel, receives.handed++));
}

bool StagedEndpoint::is_copying() const {
  return std::ranges::any_of(channels_, [](const Channel& channel) {
    return channel.sends.handed < channel.sends.begun ||
           channel.receives.done < channel.receives.handed;
  });
}

void StagedEndpoint::report(std::size_t operation, std::size_t elements) {
  for (Progress& progress : progress_) {
    if (progress.operation != operation) continue;
    progress.elements = std::max(progress.elements, elements);
    return;
  }
  progress_.push_back({.operation = operation, .elements = elements});
}

}  // namespace gradwire::transport::device
