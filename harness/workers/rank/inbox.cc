#include "harness/workers/rank/inbox.h"

#include <new>
#include <utility>

#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::workers {
namespace {

/// Bytes as text that JSON can hold: each is the character of its number, in UTF-8.
std::string text_of(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    if (byte >= 0x80) text += static_cast<char>(0xC0 | (byte >> 6));
    text += byte < 0x80 ? each : static_cast<char>(0x80 | (byte & 0x3F));
  }
  return text;
}

/// The bytes of such a text. Throws InternalError for another one.
std::string bytes_of(const std::string& text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) {
      bytes += text[i];
      continue;
    }
    if ((lead & 0xFC) != 0xC0 || ++i == text.size()) {
      throw InternalError("a rank's contribution is no text of bytes");
    }
    bytes += static_cast<char>((lead & 0x03) << 6 | (static_cast<unsigned char>(text[i]) & 0x3F));
  }
  return bytes;
}

}  // namespace

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
  send_message(control_, {Message::gather, text_of(mine)});
  const auto answer = inbox_.next();
  if (!answer || answer->kind != Message::gathered) {
    throw FabricError(FabricFailure::cancelled, {}, "the harness has gone");
  }
  std::vector<std::string> all;
  for (const auto& text : answer->body) all.push_back(bytes_of(text.get<std::string>()));
  return all;
}

void ControlRendezvous::barrier() {
  static_cast<void>(all_gather(""));
}

}  // namespace gradwire::workers
