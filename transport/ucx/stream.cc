#include "transport/ucx/stream.h"

#include <algorithm>

namespace gradwire::transport::ucx {

void StreamRequest::ended() noexcept {
  if (stream_->listed_) return;
  stream_->listed_ = true;
  stream_->with_news_.push_back(stream_);
}

Stream::Stream(std::size_t channel, Operation::Kind kind, std::size_t operations,
               const Cutting& cutting, std::span<float> staging, std::vector<Stream*>& with_news)
    : channel_(channel),
      kind_(kind),
      cutting_(cutting),
      waiting_(operations),
      segments_(cutting.window),
      credit_size_(std::max<std::size_t>(1, cutting.window / 2)),
      with_news_(with_news) {
  carrier_.stream_ = this;
  const std::size_t each = staging.size() / cutting.window;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    segments_[i].stream_ = this;
    segments_[i].staging = staging.subspan(i * each, each);
  }
}

Segment* Stream::start() {
  if (waiting_.empty() || started_ - retired_ == segments_.size()) return nullptr;
  const bool credited = started_ < segments_.size() + credits_ * credit_size_;
  if (kind_ == Operation::Kind::send && !credited) return nullptr;
  Segment& segment = segments_[started_++ % segments_.size()];
  Posted& posted = waiting_.front();
  const std::size_t before = posted.elements_done();
  const std::size_t count = std::min(cutting_.elements, posted.extent.count - before);
  posted.bytes_done += count * sizeof(float);
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
  if (started_ == retired_) return nullptr;
  Segment& oldest = segments_[retired_ % segments_.size()];
  return oldest.done() ? &oldest : nullptr;
}

}  // namespace gradwire::transport::ucx
