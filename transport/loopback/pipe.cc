#include "transport/loopback/pipe.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <utility>

#include <sys/eventfd.h>

#include "core/error.h"

namespace gradwire::transport::loopback {

Bell::Bell() : fd_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {}

void Bell::ring() const noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd_.get(), &one, sizeof one);
}

void Bell::silence() const noexcept {
  std::uint64_t rings = 0;
  [[maybe_unused]] const auto read = ::read(fd_.get(), &rings, sizeof rings);
}

Pipe::Pipe(std::size_t capacity, const Fault& fault, const Clock& clock)
    : fault_(fault), clock_(clock), messages_(std::max<std::size_t>(capacity, 1)) {}

void Pipe::attach_sender(std::shared_ptr<const Bell> bell) {
  sender_ = std::move(bell);
}

void Pipe::attach_receiver(std::shared_ptr<const Bell> bell) {
  receiver_ = std::move(bell);
}

void Pipe::offer(const Elements& elements) {
  const std::size_t number = offered_.load(std::memory_order_relaxed);
  ensure(number - taken_.load(std::memory_order_acquire) < messages_.size(),
         "no more messages are under way than the pipe has room for");
  const auto delay = fault_.kind == Fault::Kind::delay ? fault_.delay : Nanoseconds::zero();
  messages_[number % messages_.size()] = {.elements = elements, .arrives = clock_.now() + delay};
  offered_.store(number + 1, std::memory_order_release);
  receiver_->ring();
}

const Pipe::Message* Pipe::front() const {
  const std::size_t number = taken_.load(std::memory_order_relaxed);
  if (number == offered_.load(std::memory_order_acquire)) return nullptr;
  return &messages_[number % messages_.size()];
}

Elements Pipe::available(std::size_t most) {
  // Either close() sees that we read and waits, or we see that it has closed: both cannot miss.
  reading_ = true;
  const Elements elements = closed_ ? Elements() : shown(most);
  if (elements.empty()) reading_ = false;
  return elements;
}

Elements Pipe::shown(std::size_t most) const {
  const Message* message = front();
  if (message == nullptr || message->arrives > clock_.now()) return {};
  std::size_t count = std::min(message->elements.size() - consumed_of_front_, most);
  if (fault_.kind == Fault::Kind::stall || fault_.kind == Fault::Kind::cut) {
    const std::size_t passed = consumed_.load(std::memory_order_relaxed);
    const std::size_t may_pass = fault_.after_elements - std::min(fault_.after_elements, passed);
    count = std::min(count, may_pass);
  }
  return message->elements.part({.first = consumed_of_front_, .count = count});
}

void Pipe::consume(std::size_t elements) {
  reading_ = false;
  const std::size_t size = front()->elements.size();
  consumed_of_front_ += elements;
  if (consumed_of_front_ == size) {
    consumed_of_front_ = 0;
    taken_.fetch_add(1, std::memory_order_release);
  }
  const std::size_t passed = consumed_.fetch_add(elements, std::memory_order_release) + elements;
  if (fault_.kind == Fault::Kind::cut && passed >= fault_.after_elements) close();
  sender_->ring();
}

std::optional<TimePoint> Pipe::arrival() const {
  const Message* message = front();
  if (message == nullptr || message->arrives <= clock_.now()) return std::nullopt;
  return message->arrives;
}

void Pipe::close() {
  closed_ = true;
  while (reading_) std::this_thread::yield();  // at most one addition of some elements
  if (sender_) sender_->ring();
  if (receiver_) receiver_->ring();
}

bool Pipe::closed() const {
  const bool cut_at_start = fault_.kind == Fault::Kind::cut && fault_.after_elements == 0;
  return closed_ || cut_at_start;
}

}  // namespace gradwire::transport::loopback
