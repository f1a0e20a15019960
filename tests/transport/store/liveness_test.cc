#include <array>
#include <csignal>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/sanitized.h"
#include "tests/transport/sockets.h"
#include "tests/transport/store/members.h"

/// Who stands still, or is gone though a connection stays, and strangers that keep nobody out.
namespace gradwire::transport::store {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

using testing::gather;
using testing::kKey;
using testing::Member;
using testing::three;

template <class Value>
void tell(int pipe, const Value& value) {
  checked(static_cast<int>(::write(pipe, &value, sizeof value)), "write");
}
template <class Value>
Value hear(int pipe) {
  Value value{};
  ensure(::read(pipe, &value, sizeof value) == sizeof value, "the other process says it");
  return value;
}

/// A process that runs `work` with the ends of two pipes, and ends with what it returns. Made before
/// this process has threads.
class Process {
 public:
  using Work = std::function<int(int in, int out)>;

  explicit Process(const Work& work) {
    std::array<int, 2> there{};
    std::array<int, 2> back{};
    checked(::pipe(there.data()), "pipe");
    checked(::pipe(back.data()), "pipe");
    id_ = checked(::fork(), "fork");
    if (id_ == 0) {
      try {
        ::_exit(work(there[0], back[1]));
      } catch (const std::exception&) {
        ::_exit(99);
      }
    }
    ::close(there[0]);
    ::close(back[1]);
    out_ = FileDescriptor(there[1]);
    in_ = FileDescriptor(back[0]);
  }
  ~Process() {
    if (child_of_it_ > 0) ::kill(child_of_it_, SIGKILL);
    if (id_ > 0) ::kill(id_, SIGKILL);
    static_cast<void>(end());
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] int in() const { return in_.get(); }
  [[nodiscard]] int out() const { return out_.get(); }
  void signal(int number) const { ::kill(id_, number); }
  /// Kills it, while a process that it has forked and told of lives on.
  void kill_alone() {
    child_of_it_ = hear<pid_t>(in());
    signal(SIGKILL);
  }
  /// Waits for its end; the status that it exits with.
  int end() {
    int status = -1;
    if (id_ > 0) ::waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t id_ = -1;
  pid_t child_of_it_ = -1;
  FileDescriptor in_;
  FileDescriptor out_;
};

/// Leaves a process behind that has all descriptors of this one, tells of it, and waits to be killed.
[[noreturn]] void fork_and_wait(int out) {
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  tell(out, child);
  while (true) ::pause();
}

Nanoseconds time_of(const std::function<void()>& work) {
  const SteadyClock clock;
  const TimePoint start = clock.now();
  work();
  return clock.now() - start;
}

// Its connection stays, since the other process has it, too.
TEST(StoreLiveness, AKilledRankWhoseChildLivesIsNamedWithinTwoSeconds) {
  Process rank_two([](int in, int out) {
    const Member member({.address = "127.0.0.1", .port = hear<std::uint16_t>(in)}, 2);
    fork_and_wait(out);
    return 0;
  });
  const Server server(three());
  Member zero(server, 0);
  Member one(server, 1);
  tell(rank_two.out(), server.listening().port);
  auto waiting = std::async(std::launch::async, [&] { return gather(one, "x"); });
  rank_two.kill_alone();
  EXPECT_LT(time_of([&] {
              EXPECT_THAT(gather(zero, "x"), AllOf(HasSubstr("rank 0, peer 2: "),
                                                   HasSubstr("nothing came for 1.5 s")));
            }),
            2s);
  EXPECT_THAT(waiting.get(), HasSubstr("rank 1, peer 2: "));
}

TEST(StoreLiveness, AKilledStoreWhoseChildLivesIsNamedWithinTwoSeconds) {
  Process rank_zero([](int in, int out) {
    const Server server(three());
    tell(out, server.listening().port);
    static_cast<void>(hear<char>(in));  // that rank 1 is connected
    fork_and_wait(out);
    return 0;
  });
  Member one({.address = "127.0.0.1", .port = hear<std::uint16_t>(rank_zero.in())}, 1);
  tell(rank_zero.out(), 'f');
  rank_zero.kill_alone();
  EXPECT_LT(time_of([&] {
              EXPECT_THAT(gather(one, "x"), AllOf(HasSubstr("rank 1, peer 0: "),
                                                  HasSubstr("nothing came for 1.5 s")));
            }),
            2s);
}

// A batch system that suspends a job stops all of it: then nobody was silent.
TEST(StoreLiveness, AJobThatWasStoppedAsAWholeGoesOn) {
  Process job([](int in, int out) {
    const Server server(three());
    std::vector<std::unique_ptr<Member>> members;
    for (std::size_t i = 0; i < 3; ++i) members.push_back(std::make_unique<Member>(server, i));
    tell(out, 'r');
    static_cast<void>(hear<char>(in));
    std::this_thread::sleep_for(2 * kBetweenBeats);
    std::vector<std::future<std::string>> all;
    for (auto& member : members) {
      all.push_back(std::async(std::launch::async, [&] { return gather(*member, "x"); }));
    }
    for (auto& one : all) {
      if (one.get() != "x.x.x.") return 1;
    }
    return 0;
  });
  static_cast<void>(hear<char>(job.in()));
  job.signal(SIGSTOP);
  std::this_thread::sleep_for(kSilence + 700ms);
  job.signal(SIGCONT);
  tell(job.out(), 'g');
  EXPECT_EQ(job.end(), 0);
}

// Rank 2 gets a letter more often than beats are due, and says nothing itself.
TEST(StoreLiveness, WhoIsWrittenToAllTheTimeIsNotSilent) {
  const Server server(three());
  std::vector<std::unique_ptr<Member>> members;
  for (std::size_t i = 0; i < 3; ++i) members.push_back(std::make_unique<Member>(server, i));
  std::vector<std::future<void>> letters;
  for (std::uint32_t line = 0; line < 20; ++line) {
    letters.push_back(std::async(std::launch::async, [&members, line] {
      try {
        static_cast<void>(members[0]->client.exchange(Rank(2), line, "?"));
      } catch (const FabricError&) {
        // Nobody answers; the job ends first.
      }
    }));
    std::this_thread::sleep_for(kBetweenBeats / 2);
  }
  EXPECT_FALSE(members[1]->client.failure());
  const auto said = members[1]->client.report({.culprit = Rank(0), .text = "it was me"});
  ASSERT_TRUE(said);
  EXPECT_EQ(said->culprit, Rank(0));
}

// They are sent away long before they have had the time that a lone stranger has.
TEST(StoreLiveness, ACrowdOfStrangersIsSentAwaySoon) {
  const Server server(three());
  std::vector<FileDescriptor> strangers;
  for (std::size_t i = 0; i <= Acceptor::kCrowd; ++i) {
    strangers.push_back(transport::testing::connect_to(server.listening()));
  }
  const SteadyClock clock;
  const Deadline deadline(clock, 1500ms);
  for (const FileDescriptor& stranger : strangers) {
    char byte = 0;
    do {
      ASSERT_TRUE(transport::testing::wait_for(stranger.get(), POLLIN, deadline));
    } while (::recv(stranger.get(), &byte, 1, MSG_DONTWAIT) > 0);
  }
}

Nanoseconds processor_time() {
  rusage usage{};
  checked(::getrusage(RUSAGE_SELF, &usage), "getrusage");
  const auto time_in = [](const timeval& time) -> Nanoseconds {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
  };
  return time_in(usage.ru_utime) + time_in(usage.ru_stime);
}

// A connection that cannot be taken stays in the kernel's queue and would be news for ever.
TEST(StoreLiveness, WithoutDescriptorsTheStoreRestsAndSaysSo) {
  if (gradwire::testing::kSanitized) GTEST_SKIP() << "sanitizers need descriptors and time";
  const Server server(three());
  Member zero(server, 0, kKey, 3, 1s);
  const FileDescriptor next(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit one_more{.rlim_cur = static_cast<rlim_t>(next.get()) + 2,
                        .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &one_more), 0);
  FileDescriptor stranger;
  std::string ending;
  Nanoseconds busy{};
  try {
    stranger = tcp::start_connecting({.device = "", .address = "127.0.0.1"}, server.listening());
    const Nanoseconds start = processor_time();
    ending = gather(zero, "x");
    busy = processor_time() - start;
  } catch (const SystemError& error) {
    ending = error.what();
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_THAT(ending, HasSubstr("the store cannot take connections: Too many open files"));
  EXPECT_LT(busy, 100ms);
}

// A store that hangs up may be crowded by strangers, and what is no store may do so for ever.
TEST(StoreLiveness, WhoIsHungUpOnCallsAgainSomeTimes) {
  const FileDescriptor listener = tcp::listen_at({.address = "127.0.0.1", .port = 0});
  Cancellation over;
  std::size_t calls = 0;
  std::thread hanging_up([&] {
    while (!over.requested()) {
      std::array<pollfd, 2> polled{{{.fd = over.fd(), .events = POLLIN, .revents = 0},
                                    {.fd = listener.get(), .events = POLLIN, .revents = 0}}};
      ::poll(polled.data(), polled.size(), 1000);
      calls += FileDescriptor(::accept(listener.get(), nullptr, nullptr)) ? 1 : 0;
    }
  });
  std::string ending;
  try {
    const Member member(tcp::address_of(listener.get()), 1);
  } catch (const FabricError& error) {
    ending = error.what();
  }
  over.request();
  hanging_up.join();
  EXPECT_THAT(ending, HasSubstr("it closed the connection"));
  EXPECT_EQ(calls, 6U);
}

}  // namespace
}  // namespace gradwire::transport::store
