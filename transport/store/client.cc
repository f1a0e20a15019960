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
constexpr unsigned kMostCalls = 6;  ///< calls on which the store, in a crowd of strangers, hangs up

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
  if (verdict.judgement != Judgement::others) return "a process of this rank is there already";
  return fmt::format("it is for a job of {} ranks, not {}", verdict.ranks, ranks);
}

}  // namespace

Client::Client(const Options& options, Cancellation& cancellation, const Clock& clock)
    : options_(options),
      cancellation_(cancellation),
      clock_(clock),
      reader_(most_gathered(options.ranks)) {
  const Deadline deadline(clock_, options_.timeout);
  Nanoseconds pause = kBetweenCalls;
  for (unsigned calls = 1; connect(deadline), !introduce(deadline); ++calls) {
    if (calls == kMostCalls || deadline.passed()) throw refused("it closed the connection");
    std::this_thread::sleep_for(std::min(pause, deadline.left()));
    pause *= 2;
  }
  next_beat_ = heard_ = turned_ = clock_.now();
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

void Client::connect(const Deadline& deadline) {
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

bool Client::introduce(const Deadline& deadline) {
  const Greeting greeting{.from = options_.self,
                          .ranks = static_cast<std::uint32_t>(options_.ranks),
                          .purpose = Purpose::store,
                          .nonce = random_nonce()};
  Opening opening{.greeting = encode(greeting, options_.key)};
  send_bytes(opening.greeting);
  const std::string said = await_bytes(kChallengeBytes, deadline);
  if (said.empty()) return false;
  const auto challenge = decode_challenge(said);
  if (!challenge) throw refused("what is there is no store of this version of Gradwire");
  if (!challenge->is_of_run) throw refused("it has another secret");
  opening.challenge = challenge->nonce;
  send_bytes(to_bytes(proof_of_caller(options_.key, opening)));
  const std::string answer = await_bytes(kVerdictBytes, deadline);
  if (answer.size() < kVerdictBytes) return false;
  const auto verdict = decode_verdict(answer, options_.key, opening);
  if (!verdict) throw refused("it has another secret");
  if (verdict->judgement != Judgement::welcome) {
    throw refused(why_not(*verdict, options_.ranks));
  }
  const Mac mac = authenticate(options_.key, to_bytes(verdict->job));
  std::copy_n(mac.begin(), job_key_.size(), job_key_.begin());
  return true;
}

std::string Client::await_bytes(std::size_t count, const Deadline& deadline) {
  std::string all;
  while (all.size() < count) {
    if (!await(socket_.get(), POLLIN, deadline)) throw refused("it says nothing");
    std::array<char, std::max(kChallengeBytes, kVerdictBytes)> bytes{};
    const ssize_t got = ::recv(socket_.get(), bytes.data(), count - all.size(), 0);
    if (got == 0 || (got < 0 && errno == ECONNRESET)) break;
    if (got < 0 && errno != EAGAIN && errno != EINTR) throw SystemError("recv", errno);
    if (got > 0) all.append(bytes.data(), static_cast<std::size_t>(got));
  }
  return all;
}

FabricError Client::refused(const std::string& why) const {
  return {FabricFailure::refused,
          {.rank = options_.self},
          fmt::format("the store at {}:{}: {}", options_.store.address, options_.store.port, why)};
}

void Client::listen() {
  std::string end = "the store, which is its process, is gone";
  try {
    while (true) {
      while (const auto message = reader_.next()) {
        if (!take(*message)) return;
      }
      beat();
      if (is_store_silent()) {
        end = fmt::format(
            "the store, which is its process, is gone or stands still: nothing came for {}",
            format_duration(kSilence));
        break;
      }
      std::array<char, 65536> bytes{};
      pollfd polled{.fd = socket_.get(), .events = POLLIN, .revents = 0};
      const Nanoseconds left = std::max(next_beat_ - clock_.now(), Nanoseconds::zero());
      const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left);
      if (::poll(&polled, 1, static_cast<int>(wait.count())) <= 0) continue;
      const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), 0);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (got <= 0 || !reader_.take({bytes.data(), static_cast<std::size_t>(got)})) break;
      heard_ = clock_.now();
    }
  } catch (const std::exception&) {
    // Without memory nobody can listen.
  }
  note({.culprit = Rank(0), .text = end});
}

void Client::beat() {
  if (clock_.now() < next_beat_) return;
  next_beat_ = clock_.now() + kBetweenBeats;
  const std::unique_lock lock(sending_, std::try_to_lock);
  if (!lock) return;  // what is being sent shows as well that this process runs
  if (unsent_.empty()) unsent_ = encode(Message{.kind = Kind::beat});
  const ssize_t sent = ::send(socket_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL);
  if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
}

bool Client::is_store_silent() {
  const TimePoint now = clock_.now();
  // While this process stood still it heard nobody.
  const Nanoseconds stood_still = now - std::exchange(turned_, now) - kBetweenBeats;
  heard_ += std::max(stood_still, Nanoseconds::zero());
  return now - heard_ >= kSilence;
}

bool Client::take(const Message& message) {
  if (message.kind == Kind::beat) return true;
  if (auto gathered = body_of<Gathered>(message);
      gathered && gathered->texts.size() == options_.ranks) {
    const std::scoped_lock lock(mutex_);
    gathered_ = std::move(gathered->texts);
    news_.notify_all();
    return true;
  }
  if (auto letter = body_of<Letter>(message)) {
    const std::scoped_lock lock(mutex_);
    letters_.push_back(std::move(*letter));
    news_.notify_all();
    return true;
  }
  const auto failure = body_of<Failure>(message);
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
  send_bytes(encode(message));
}

void Client::send_bytes(const std::string& message) {
  const std::scoped_lock lock(sending_);
  const std::string bytes = std::exchange(unsent_, "") + message;
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
  ensure(mine.size() <= kMostContribution, "a letter is short");
  send(message_of(Letter{.other = other, .line = line, .text = mine}));
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
  send(message_of(Failure{.culprit = mine.culprit, .text = mine.text.substr(0, kMostText)}));
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
