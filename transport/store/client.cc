#include "transport/store/client.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <poll.h>
#include <sys/socket.h>

#include "core/error.h"

namespace gradwire::transport::store {
namespace {

using namespace std::chrono_literals;

const PortBinding kAnyPort{.device = "", .address = "0.0.0.0"};
constexpr Nanoseconds kBetweenCalls = 50ms;
constexpr Nanoseconds kPatienceWithStore = 1s;

std::string text(const tcp::Listening& at) {
  return fmt::format("{}:{}", at.address, at.port);
}

/// Waits for an event of a socket. False when the deadline passes.
bool await(int socket, short event, const Deadline& deadline) {
  pollfd polled{.fd = socket, .events = event, .revents = 0};
  while (!deadline.passed()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline.left());
    const int ready = ::poll(&polled, 1, static_cast<int>(std::min(left, 1000ms).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) throw SystemError("poll", errno);
  }
  return false;
}

std::string why_not(const Verdict& verdict, std::size_t ranks) {
  switch (verdict.judgement) {
    case Judgement::welcome:
      break;
    case Judgement::taken:
      return "a process of this rank is there already";
    case Judgement::others:
      return fmt::format("it is for a job of {} ranks, not {}", verdict.ranks, ranks);
    case Judgement::secret:
      return "it has another secret";
  }
  throw_bug("a verdict is one of Judgement");
}

}  // namespace

Client::Client(const Options& options, Cancellation& cancellation, const Clock& clock)
    : options_(options), cancellation_(cancellation), clock_(clock), reader_(kMostStrangerBytes) {
  connect();
  introduce();
  listener_ = std::thread(&Client::listen, this);
}

Client::~Client() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  ::shutdown(socket_.get(), SHUT_RDWR);  // wakes the listener
  listener_.join();
}

void Client::connect() {
  const Deadline deadline(clock_, options_.timeout);
  std::string obstacle;
  while (true) {
    try {
      socket_ = tcp::start_connecting(kAnyPort, options_.store);
      const Deadline call(clock_, std::min<Nanoseconds>(deadline.left(), 5s));
      if (await(socket_.get(), POLLOUT, call)) {
        tcp::finish_connecting(socket_.get(), kAnyPort, options_.store);
        tcp::configure(socket_.get(), options_.timeout);
        return;
      }
      if (obstacle.empty() || !deadline.passed()) obstacle = "no answer";
    } catch (const SystemError& error) {
      obstacle = std::generic_category().message(error.error_number());
    }
    if (deadline.passed()) {
      throw refused(fmt::format("nobody is there within {}: {}; rank 0 is the store",
                                format_duration(options_.timeout), obstacle));
    }
    std::this_thread::sleep_for(std::min(kBetweenCalls, deadline.left()));
  }
}

void Client::introduce() {
  const Deadline deadline(clock_, options_.timeout);
  const auto greeting = decode_greeting(await_message(reader_, deadline));
  if (!greeting) throw refused("what is there is no store of this version of Gradwire");
  const Meeting meeting{.greeting = *greeting,
                        .hello = {.rank = options_.self,
                                  .ranks = static_cast<std::uint32_t>(options_.ranks),
                                  .nonce = random_nonce()}};
  send(encode(meeting, options_.key));
  const auto said = decode_verdict(await_message(reader_, deadline), meeting, options_.key);
  if (!said) throw refused("what is there is no store of this version of Gradwire");
  if (!said->is_proven) throw refused("it has another secret");
  if (said->verdict.judgement != Judgement::welcome) {
    throw refused(why_not(said->verdict, options_.ranks));
  }
  reader_.allow(most_gathered(options_.ranks));
  const Mac mac = authenticate(options_.key, said->verdict.job);
  std::copy_n(mac.begin(), job_key_.size(), job_key_.begin());
}

Message Client::await_message(MessageReader& reader, const Deadline& deadline) {
  while (true) {
    if (auto message = reader.next()) return std::move(*message);
    if (reader.is_broken()) throw refused("what is there is no store of Gradwire");
    if (!await(socket_.get(), POLLIN, deadline)) throw refused("it says nothing");
    std::array<char, 4096> bytes{};
    const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
    if (got == 0) throw refused("it closed the connection");
    if (got < 0 && errno != EAGAIN && errno != EINTR) throw SystemError("recv", errno);
    if (got > 0) static_cast<void>(reader.take({bytes.data(), static_cast<std::size_t>(got)}));
  }
}

FabricError Client::refused(const std::string& why) const {
  return {FabricFailure::refused,
          {.rank = options_.self},
          fmt::format("the store at {}: {}", text(options_.store), why)};
}

void Client::listen() {
  try {
    while (true) {
      while (const auto message = reader_.next()) {
        if (!take(*message)) return;
      }
      std::array<char, 65536> bytes{};
      pollfd polled{.fd = socket_.get(), .events = POLLIN, .revents = 0};
      const auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(kBetweenBeats);
      if (::poll(&polled, 1, static_cast<int>(wait.count())) <= 0) {
        beat();
        continue;
      }
      const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0 || !reader_.take({bytes.data(), static_cast<std::size_t>(got)})) break;
    }
  } catch (const std::exception&) {
    // Without memory nobody can listen.
  }
  note({.culprit = Rank(0), .text = "the store, which is its process, is gone"});
}

void Client::beat() {
  const std::string bytes = encode(Message{.kind = Kind::beat});
  const std::scoped_lock lock(sending_);
  // A connection that takes nothing has more than a beat on its way.
  static_cast<void>(::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

bool Client::take(const Message& message) {
  if (auto gathered = decode_gathered(message, options_.ranks)) {
    const std::scoped_lock lock(mutex_);
    gathered_ = std::move(gathered);
    news_.notify_all();
    return true;
  }
  if (auto letter = decode_letter(message)) {
    const std::scoped_lock lock(mutex_);
    letters_.push_back(std::move(*letter));
    news_.notify_all();
    return true;
  }
  const auto failure = decode_failure(message);
  note(failure.value_or(Failure{.culprit = Rank(0), .text = "its store says what makes no sense"}));
  return failure.has_value();
}

void Client::note(Failure failure) {
  {
    const std::scoped_lock lock(mutex_);
    if (leaving_ || failure_) return;
    failure_ = std::move(failure);
  }
  cancellation_.request();
  news_.notify_all();
}

void Client::send(const Message& message) {
  const std::string bytes = encode(message);
  const std::scoped_lock lock(sending_);
  const Deadline deadline(clock_, options_.timeout);
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t sent = ::send(socket_.get(), left.data(), left.size(), MSG_NOSIGNAL);
    if (sent > 0) left.remove_prefix(static_cast<std::size_t>(sent));
    if (sent > 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;  // the listener finds out, too, and says whose end it is
    if (!await(socket_.get(), POLLOUT, deadline)) throw refused("it takes nothing");
  }
}

template <class Find>
auto Client::await_news(std::optional<Rank> awaited, const Find& find) {
  std::unique_lock lock(mutex_);
  decltype(find()) found;
  const auto is_over = [&] { return (found = find()) || failure_; };
  if (!news_.wait_for(lock, options_.timeout, is_over)) {
    lock.unlock();
    const auto said = report(
        {.culprit = awaited,
         .text = fmt::format("nobody has come within {}", format_duration(options_.timeout))});
    lock.lock();
    if (!(found = find()) && !failure_) failure_ = said;
  }
  if (found) return *std::move(found);
  const Failure failure = failure_.value_or(Failure{.text = "the store does not answer"});
  throw FabricError(FabricFailure::peer_closed, {.rank = options_.self, .peer = failure.culprit},
                    failure.text);
}

std::vector<std::string> Client::all_gather(const std::string& mine) {
  ensure(mine.size() <= kMostContribution, "a rank contributes little to a gathering");
  send({.kind = Kind::contribution, .body = mine});
  return await_news(std::nullopt, [this] { return std::exchange(gathered_, std::nullopt); });
}

std::string Client::exchange(Rank other, std::uint32_t line, const std::string& mine) {
  const Message letter = encode(Letter{.other = other, .line = line, .text = mine});
  ensure(letter.body.size() <= kMostContribution, "a letter is short");
  send(letter);
  return await_news(other, [&]() -> std::optional<std::string> {
    const auto found = std::ranges::find_if(
        letters_, [&](const Letter& each) { return each.other == other && each.line == line; });
    if (found == letters_.end()) return std::nullopt;
    std::string text = std::move(found->text);
    letters_.erase(found);
    return text;
  });
}

void Client::barrier() {
  static_cast<void>(all_gather(""));
}

std::string Client::own_address() const {
  return tcp::address_of(socket_.get()).address;
}

std::optional<Failure> Client::failure() const {
  const std::scoped_lock lock(mutex_);
  return failure_;
}

std::optional<Failure> Client::report(const Failure& mine) {
  send(encode(mine));
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, kPatienceWithStore, [this] { return failure_.has_value(); });
  return failure_;
}

void Client::leave() {
  {
    const std::scoped_lock lock(mutex_);
    leaving_ = true;
  }
  send({.kind = Kind::leave, .body = ""});
}

}  // namespace gradwire::transport::store
