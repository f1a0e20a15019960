#include "transport/ucx/stream.h"

#include <algorithm>

namespace gradwire::transport::ucx {

void StreamRequest::ended() noexcept {
  stream_->list();
}

void Stream::list() noexcept {
  if (listed_) return;
  listed_ = true;
  with_news_.push_back(this);
}

Stream::Stream(const Options& options)
    : channel_(options.channel),
      kind_(options.kind),
      cutting_(options.cutting),
      waiting_(options.operations),
      segments_(cutting_.window),
      credit_size_(std::max<std::size_t>(1, cutting_.window / 2)),
      with_news_(options.with_news) {
  carrier_.stream_ = this;
  const std::size_t each = options.staging.size() / cutting_.window;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    segments_[i].stream_ = this;
    segments_[i].slot = channel_ * segments_.size() + i;
    segments_[i].staging = options.staging.subspan(i * each, each);
  }
}

Segment* Stream::start() {
  if (waiting_.empty() || started_ - retired_ == segments_.size()) return nullptr;
  // A window to begin with, and half a window more for each credit: so the receiver never has more
  // than a window of segments that it has not retired.
  const bool credited = started_ < segments_.size() + credits_ * credit_size_;
  if (kind_ == Operation::Kind::send && !credited) return nullptr;
  Segment& segment = segments_[started_++ % segments_.size()];
  Posted& posted = waiting_.front();
  const std::size_t before = posted.elements_done();
  const std::size_t count = std::min(cutting_.elements, posted.extent.count - before);
  posted.bytes_done += count * posted.element_bytes;
  segment.extent = {.first = posted.extent.first + before, .count = count};
  segment.how = posted.how;
  segment.operation = posted.operation;
  segment.elements_done = before + count;
  if (posted.bytes_left() == 0) waiting_.pop();
  return &segment;
}

void Stream::credit() {
  ++credits_;
  if (kind_ == Operation::Kind::receive) uncredited_ -= credit_size_;
}

Segment* Stream::finished() {
  if (started_ == taken_) return nullptr;
  Segment& oldest = segments_[taken_ % segments_.size()];
  return oldest.done() ? &oldest : nullptr;
}

Segment* Stream::taken() {
  return taken_ == retired_ ? nullptr : &segments_[retired_ % segments_.size()];
}

}  // namespace gradwire::transport::ucx
