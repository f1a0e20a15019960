#include "transport/tcp/acceptor.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "core/binary.h"
#include "tests/sanitized.h"
#include "tests/transport/sockets.h"
#include "transport/tcp/caller.h"

/// Strangers at the doors of rank 1, whose channel rank 0 connects. Time stands still unless a test
/// moves it on.
namespace gradwire::transport::tcp {
namespace {

using namespace std::chrono_literals;
using transport::testing::connect_to;

constexpr RunKey kKey{5};
const ChannelName kExpected{.lane = 2, .peer = {.rank = Rank(0), .via = Port(0), .at = Port(1)}};
const ChannelName kAsCalled{.lane = 2, .peer = {.rank = Rank(1), .via = Port(1), .at = Port(0)}};

class Doors : public ::testing::Test {
 protected:
  Doors() {
    std::vector<FileDescriptor> listeners;
    for (int i = 0; i < 2; ++i) listeners.push_back(listen_on(lo_));
    for (const FileDescriptor& one : listeners) listening_.push_back(address_of(one.get()));
    acceptor_.emplace(
        std::move(listeners),
        Acceptor::Options{.self = Rank(1), .key = kKey, .expected = {kExpected}, .clock = clock_});
  }

  /// Lets the acceptor work until nothing is left to do.
  void work() {
    while (true) {
      std::vector<pollfd> polled;
      acceptor_->watch(polled);
      if (::poll(polled.data(), polled.size(), 0) <= 0) return acceptor_->work(polled);
      acceptor_->work(polled);
    }
  }

  /// What rank 0 does to be let in, with this key.
  Caller caller(const RunKey& key = kKey) {
    Caller made({.self = Rank(0), .key = key, .ports = ports_, .clock = clock_});
    made.call(kAsCalled, listening_[0]);
    return made;
  }
  /// Lets both work until the caller is in, or rests for the second time. Whether it is in.
  bool comes_in(Caller& caller) {
    const SteadyClock real;
    const Deadline deadline(real, 10s);
    for (int rests = 0; !caller.is_done() && rests < 2 && !deadline.passed();) {
      std::vector<pollfd> polled;
      caller.watch(polled);
      if (polled[0].fd < 0 && caller.next_time() > clock_.now()) {
        ++rests;
        clock_.advance(caller.next_time() - clock_.now());
      }
      ::poll(polled.data(), polled.size(), 1);
      caller.work(polled);
      work();
    }
    return caller.is_done() && acceptor_->is_done();
  }

  /// Connections that say something and stay.
  void strangers(std::size_t count, const std::string& words = "") {
    for (std::size_t i = 0; i < count; ++i) {
      strangers_.push_back(connect_to(listening_[0]));
      ASSERT_EQ(::send(strangers_.back().get(), words.data(), words.size(), MSG_NOSIGNAL),
                static_cast<ssize_t>(words.size()));
    }
  }

  const PortBinding lo_{.device = "lo", .address = "127.0.0.1"};
  const std::vector<PortBinding> ports_{lo_, lo_};
  ManualClock clock_;
  std::vector<Listening> listening_;
  std::optional<Acceptor> acceptor_;
  std::vector<FileDescriptor> strangers_;
};

TEST_F(Doors, OpenForTheRankThatIsExpected) {
  Caller rank = caller();
  EXPECT_TRUE(comes_in(rank));
  const auto admitted = acceptor_->take_admitted();
  ASSERT_EQ(admitted.size(), 1u);
  EXPECT_EQ(admitted[0].first, kExpected);
  EXPECT_EQ(rank.take_connected().at(0).first, kAsCalled);
  EXPECT_EQ(acceptor_->dropped(), 0u);
}

// However many come first and say nothing, and though no deadline passes: the oldest go.
TEST_F(Doors, ACrowdBeforeThemDelaysNobody) {
  strangers(3 * Acceptor::kMostPending);
  Caller rank = caller();
  EXPECT_TRUE(comes_in(rank));
  EXPECT_EQ(acceptor_->dropped(), 2 * Acceptor::kMostPending + 1);
}

TEST_F(Doors, ALoneStrangerHasTwoSeconds) {
  strangers(1);
  work();
  clock_.advance(Acceptor::kPatience - 1ns);
  work();
  EXPECT_EQ(acceptor_->dropped(), 0u);
  clock_.advance(1ns);
  work();
  EXPECT_EQ(acceptor_->dropped(), 1u);
}

TEST_F(Doors, ACrowdHasAQuarterOfASecond) {
  strangers(Acceptor::kCrowd + 1);
  work();
  clock_.advance(Acceptor::kPatienceInACrowd);
  work();
  EXPECT_EQ(acceptor_->dropped(), Acceptor::kCrowd + 1);
}

// What a stranger says is read up to the length of a Greeting, and it is dropped for the first wrong
// one.
TEST_F(Doors, WhoSaysSomethingElseIsDroppedAtOnce) {
  strangers(1, "GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: a scanner of all ports\r\n\r\n");
  strangers(1, std::string(100'000, '\xff'));
  work();
  EXPECT_EQ(acceptor_->dropped(), 2u);
}

// The listener of a port where nobody is expected, or nobody any more, wakes nobody.
TEST_F(Doors, AListenerThatNothingIsTakenFromIsNotWatched) {
  std::vector<pollfd> polled;
  acceptor_->watch(polled);
  ASSERT_EQ(polled.size(), 2u);
  EXPECT_GE(polled[0].fd, 0);
  EXPECT_EQ(polled[1].fd, -1);
  Caller rank = caller();
  ASSERT_TRUE(comes_in(rank));
  polled.clear();
  acceptor_->watch(polled);
  EXPECT_EQ(polled[0].fd, -1);
}

// Without descriptors a connection stays in the queue and would be news for ever.
TEST_F(Doors, WantOfDescriptorsIsWaitedFor) {
  if (gradwire::testing::kAddressSanitized) {
    GTEST_SKIP() << "UndefinedBehaviorSanitizer makes a pipe to see what can be read";
  }
  strangers(1);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{.rlim_cur = static_cast<rlim_t>(strangers_.back().get()) + 1,
                    .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  work();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(acceptor_->accept_error(), EMFILE);
  std::vector<pollfd> polled;
  acceptor_->watch(polled);
  EXPECT_EQ(polled[0].fd, -1);
  clock_.advance(1s);
  polled.clear();
  acceptor_->watch(polled);
  EXPECT_GE(polled[0].fd, 0);
}

// A rank of another run does not get beyond its Greeting.
TEST_F(Doors, AnotherKeyStaysOutside) {
  Caller stranger = caller({6});
  EXPECT_FALSE(comes_in(stranger));
  EXPECT_FALSE(acceptor_->is_done());
  EXPECT_EQ(stranger.obstacle(kAsCalled),
            "the peer closed the connection 2 times instead of welcoming it");
}

/// What a caller got as the answer to these words.
std::string answer_to(const std::string& words, int connection, std::size_t bytes,
                      const std::function<void()>& work) {
  EXPECT_EQ(::send(connection, words.data(), words.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(words.size()));
  const SteadyClock clock;
  std::string answer;
  for (const Deadline deadline(clock, 5s); answer.size() < bytes && !deadline.passed();) {
    work();
    std::string part(bytes - answer.size(), '\0');
    const ssize_t got = ::recv(connection, part.data(), part.size(), MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN)) break;
    if (got > 0) answer += part.substr(0, static_cast<std::size_t>(got));
  }
  return answer;
}

// The words of a caller that was let in, said again: the challenge is another one.
TEST_F(Doors, AReplayedHandshakeIsDropped) {
  const Greeting greeting{.lane = 2, .from = Rank(0), .via = Port(1), .to = Rank(1), .at = Port(0)};
  Opening opening{.greeting = encode(greeting, kKey)};
  const auto go_on = [this] { work(); };

  const FileDescriptor recorded = connect_to(listening_[0]);
  const std::string said = answer_to(opening.greeting, recorded.get(), kChallengeBytes, go_on);
  const auto challenge = decode_challenge(said);
  ASSERT_TRUE(challenge && challenge->is_of_run);
  opening.challenge = challenge->nonce;
  const std::string proof = to_bytes(proof_of_caller(kKey, opening));

  const FileDescriptor replayed = connect_to(listening_[0]);
  EXPECT_NE(answer_to(opening.greeting, replayed.get(), kChallengeBytes, go_on), said);
  EXPECT_EQ(answer_to(proof, replayed.get(), kVerdictBytes, go_on), "");
  EXPECT_FALSE(acceptor_->is_done());

  const std::string verdict = answer_to(proof, recorded.get(), kVerdictBytes, go_on);
  EXPECT_EQ(decode_verdict(verdict, kKey, opening), Verdict{});
  EXPECT_TRUE(acceptor_->is_done());
}

// A rank of this run that asks for what is not its own is told so, with a proof.
TEST_F(Doors, AWrongRankIsToldWhy) {
  Caller wrong({.self = Rank(9), .key = kKey, .ports = ports_, .clock = clock_});
  wrong.call(kAsCalled, listening_[0]);
  try {
    EXPECT_FALSE(comes_in(wrong));
    FAIL() << "rank 9 has no channel";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::refused);
    EXPECT_EQ(error.place(), (FabricPlace{Rank(9), Rank(1), Port(1), 2, {}}));
    EXPECT_EQ(error.detail(), "the peer has no such channel");
  }
  Caller rank = caller();
  EXPECT_TRUE(comes_in(rank));
}

TEST_F(Doors, AChannelIsTakenOnce) {
  Caller rank = caller();
  ASSERT_TRUE(comes_in(rank));
  const ChannelName other{.lane = 3, .peer = kExpected.peer};
  acceptor_.emplace(std::vector<FileDescriptor>{}, Acceptor::Options{.clock = clock_});
  std::vector<FileDescriptor> listeners;
  listeners.push_back(listen_on(lo_));
  listening_[0] = address_of(listeners[0].get());
  acceptor_.emplace(
      std::move(listeners),
      Acceptor::Options{
          .self = Rank(1), .key = kKey, .expected = {kExpected, other}, .clock = clock_});
  Caller first = caller();
  static_cast<void>(comes_in(first));
  ASSERT_TRUE(first.is_done());
  Caller second = caller();
  EXPECT_THROW(static_cast<void>(comes_in(second)), FabricError);
}

// Who listens where a peer should, and has no key, is not taken for it.
TEST_F(Doors, AnImpostorThatListensIsNamed) {
  acceptor_.emplace(std::vector<FileDescriptor>{}, Acceptor::Options{.clock = clock_});
  const FileDescriptor listener = listen_on(lo_);
  listening_[0] = address_of(listener.get());
  Caller rank = caller();
  const std::string words = encode(Challenge{}) + std::string(kVerdictBytes, 'W');
  FileDescriptor taken;
  const auto go_on = [&] {
    while (!rank.is_done()) {
      std::vector<pollfd> polled;
      rank.watch(polled);
      ::poll(polled.data(), polled.size(), 1);
      rank.work(polled);
      if (taken) continue;
      taken = FileDescriptor(::accept(listener.get(), nullptr, nullptr));
      if (taken) static_cast<void>(::send(taken.get(), words.data(), words.size(), MSG_NOSIGNAL));
    }
  };
  EXPECT_THROW(go_on(), FabricError);
}

}  // namespace
}  // namespace gradwire::transport::tcp
