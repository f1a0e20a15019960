#include "harness/workers/rank/inbox.h"

#include <sys/socket.h>

#include "core/error.h"
#include "harness/workers/control.h"

namespace gradwire::workers {

Inbox::Inbox(int control, transport::Cancellation& cancellation)
    : control_(control), cancellation_(cancellation), reader_(&Inbox::read_all, this) {}

Inbox::~Inbox() {
  ::shutdown(control_, SHUT_RD);  // wakes the reader
  reader_.join();
}

void Inbox::read_all() {
  bool open = true;
  while (open) {
    std::optional<nlohmann::json> message;
    try {
      message = receive_message(control_);
    } catch (const std::exception&) {
      // A control connection that does not work is as good as closed.
    }
    open = message.has_value();
    {
      const std::scoped_lock lock(mutex_);
      if (open) {
        messages_.push_back(std::move(*message));
      } else {
        closed_ = true;
      }
    }
    if (!open) cancellation_.request();
    arrived_.notify_all();
  }
}

std::optional<nlohmann::json> Inbox::next() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return closed_ || !messages_.empty(); });
  if (messages_.empty()) return std::nullopt;
  nlohmann::json message = std::move(messages_.front());
  messages_.pop_front();
  return message;
}

std::vector<std::string> ControlRendezvous::all_gather(const std::string& mine) {
  send_message(control_, {{"gather", mine}});
  const auto answer = inbox_.next();
  if (!answer || !answer->contains("gathered")) {
    throw FabricError(FabricFailure::cancelled, {}, "the harness has gone");
  }
  return answer->at("gathered").get<std::vector<std::string>>();
}

void ControlRendezvous::barrier() {
  static_cast<void>(all_gather(""));
}

}  // namespace gradwire::workers
