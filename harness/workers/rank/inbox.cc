#include "harness/workers/rank/inbox.h"

#include <new>
#include <utility>

#include <sys/socket.h>

#include "core/error.h"
#include "core/hex.h"

namespace gradwire::workers {

Inbox::Inbox(int control, transport::Cancellation& cancellation)
    : control_(control), cancellation_(cancellation), reader_(&Inbox::read_all, this) {}

Inbox::~Inbox() {
  ::shutdown(control_, SHUT_RD);  // wakes the reader
  reader_.join();
}

void Inbox::read_all() {
  while (read_one()) arrived_.notify_all();
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
  }
  cancellation_.request();
  arrived_.notify_all();
}

bool Inbox::read_one() try {
  std::optional<ControlMessage> message = receive_message(control_);
  if (!message) return false;
  const std::scoped_lock lock(mutex_);
  messages_.push_back(std::move(*message));
  return true;
} catch (const std::bad_alloc&) {
  const std::scoped_lock lock(mutex_);
  no_memory_ = true;
  return false;
} catch (const std::exception&) {
  return false;  // a control connection that does not work is as good as closed
}

std::optional<ControlMessage> Inbox::next() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return closed_ || !messages_.empty(); });
  if (messages_.empty()) {
    if (no_memory_) throw std::bad_alloc();
    return std::nullopt;
  }
  ControlMessage message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

std::vector<std::string> ControlRendezvous::all_gather(const std::string& mine) {
  send_message(control_, {Message::gather, to_hex(mine)});
  const auto answer = inbox_.next();
  if (!answer || answer->kind != Message::gathered) {
    throw FabricError(FabricFailure::cancelled, {}, "the harness has gone");
  }
  std::vector<std::string> all;
  for (const auto& text : answer->body) {
    auto bytes = from_hex(text.get<std::string>());
    if (!bytes) throw InternalError("what a rank brought to a meeting is no text of bytes");
    all.push_back(*std::move(bytes));
  }
  return all;
}

void ControlRendezvous::barrier() {
  static_cast<void>(all_gather(""));
}

}  // namespace gradwire::workers
