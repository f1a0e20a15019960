#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/library/ranks.h"
#include "tests/sanitized.h"

/// What ranks are told when something is wrong with what they say, or with one of them.
namespace gradwire::library {
namespace {

using testing::FreePort;
using ::testing::HasSubstr;
using testing::join;
using testing::run_ranks;
using ::testing::StartsWith;

/// Why each rank of a job of two, with these options each, does not join; empty where it does.
std::vector<std::string> refusals(const testing::Options& zero, const testing::Options& one) {
  const FreePort port;
  const auto refusal = [&](std::size_t rank, const testing::Options& options) {
    std::string why;
    gradwire_finalize(join(rank, 2, port.number(), options, &why));
    return why;
  };
  auto other = std::async(std::launch::async, [&] { return refusal(1, one); });
  const std::string mine = refusal(0, zero);
  return {mine, other.get()};
}

TEST(Failures, SignalsStayTheProgramsOwn) {
  run_ranks(2, {}, [](gradwire_job*) {});
  for (const int signal : {SIGHUP, SIGPIPE, SIGTERM, SIGINT}) {
    struct sigaction now {};
    ASSERT_EQ(::sigaction(signal, nullptr, &now), 0);
    EXPECT_TRUE(now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) << signal;
  }
}

TEST(Failures, ArgumentsThatAreWrongAreToldAndTheJobGoesOn) {
  run_ranks(2, {}, [](gradwire_job* job) {
    float value = 1;
    EXPECT_EQ(gradwire_all_reduce(job, nullptr, 1, GRADWIRE_FLOAT32), GRADWIRE_INVALID);
    EXPECT_STREQ(gradwire_error_text(job), "the buffer is NULL");
    EXPECT_EQ(gradwire_all_reduce(job, &value, 1, GRADWIRE_BYTE), GRADWIRE_INVALID);
    EXPECT_STREQ(gradwire_error_text(job), "bytes are moved, and never added");
    EXPECT_EQ(gradwire_all_reduce(job, &value, 1, static_cast<gradwire_type>(7)), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_all_reduce(job, &value, SIZE_MAX, GRADWIRE_FLOAT32), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_broadcast(job, &value, 1, GRADWIRE_FLOAT32, 2), GRADWIRE_INVALID);
    EXPECT_STREQ(gradwire_error_text(job), "root 2 is none of 2 ranks");
    EXPECT_EQ(gradwire_broadcast(job, &value, 1, GRADWIRE_FLOAT32, -1), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_all_reduce(nullptr, &value, 1, GRADWIRE_FLOAT32), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_wait(nullptr), GRADWIRE_INVALID);
    std::size_t first = 0;
    EXPECT_EQ(gradwire_part(job, 2, 10, &first, &first), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_all_reduce(job, &value, 1, GRADWIRE_FLOAT32), GRADWIRE_OK);
    EXPECT_EQ(value, 2);
    EXPECT_EQ(gradwire_failed_rank(job), -1);
  });
}

TEST(Failures, NoJobIsJoinedWithOptionsThatAreWrong) {
  std::string why;
  const FreePort port;
  EXPECT_EQ(join(0, 2, port.number(), {"wiring=bcube(2,2)"}, &why), nullptr);
  EXPECT_EQ(why, "the wiring bcube(2,2) has 4 hosts, and the job 2 ranks");
  EXPECT_EQ(join(0, 2, port.number(), {"wiring=torsu(2,2)"}, &why), nullptr);
  EXPECT_THAT(why, HasSubstr("torus"));
  EXPECT_EQ(join(0, 2, port.number(), {"algorithm=broadcast"}, &why), nullptr);
  EXPECT_EQ(why, "algorithm broadcast is for broadcast");
  EXPECT_EQ(join(0, 2, port.number(), {"algorithm=ps(dedicated, servers=1)"}, &why), nullptr);
  EXPECT_THAT(why, HasSubstr("not every rank has a gradient of its own"));
  EXPECT_EQ(join(0, 2, port.number(), {"algorithm=bml"}, &why), nullptr);
  EXPECT_THAT(why, HasSubstr("bcube"));
  EXPECT_EQ(join(0, 2, port.number(), {"ports=nosuch0"}, &why), nullptr);
  EXPECT_THAT(why, HasSubstr("'nosuch0', and no such interface of this host has an IPv4 address"));
  EXPECT_EQ(join(2, 2, port.number(), {}, &why), nullptr);
  EXPECT_EQ(why, "option rank: '2' is not a whole number from 0 to 1");
  EXPECT_EQ(gradwire_init(nullptr, nullptr), GRADWIRE_INVALID);
}

TEST(Failures, AnotherSecretIsRefused) {
  const auto said = refusals({"secret=right", "timeout=1s"}, {"secret=wrong", "timeout=1s"});
  EXPECT_THAT(said[1], HasSubstr("it has another secret"));
  EXPECT_THAT(said[0], StartsWith("rank 0, peer 1: "));  // has not come
}

TEST(Failures, OtherSettingsAreNamed) {
  const auto said = refusals({"algorithm=ring"}, {"algorithm=ps"});
  for (const std::string& why : said) {
    EXPECT_THAT(why, HasSubstr("algorithm ps"));
    EXPECT_THAT(why, HasSubstr("algorithm ring"));
  }
}

TEST(Failures, APortOfAWiringThatIsNotThereIsMissed) {
  const FreePort port;
  std::vector<std::future<std::string>> all;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    all.push_back(std::async(std::launch::async, [&, rank] {
      std::string why;
      gradwire_finalize(join(rank, 4, port.number(), {"wiring=bcube(2,2)", "timeout=2s"}, &why));
      return why;
    }));
  }
  // The first that is refused may be gone before another has come.
  int told = 0;
  for (auto& why : all) {
    told += why.get() == "a host of bcube(2,2) has 2 ports, and ports (GRADWIRE_PORTS) names 0";
  }
  EXPECT_GE(told, 1);
}

TEST(Failures, AnotherCountIsNamed) {
  run_ranks(3, {}, [](gradwire_job* job) {
    std::vector<float> values(20, 1);
    const std::size_t count = gradwire_rank(job) == 1 ? 11 : 10;
    EXPECT_EQ(gradwire_all_reduce(job, values.data(), count, GRADWIRE_FLOAT32), GRADWIRE_FABRIC);
    EXPECT_EQ(gradwire_failed_rank(job), 1);
    EXPECT_THAT(gradwire_error_text(job),
                HasSubstr("it calls ring of 11 float32, and rank 0 calls ring of 10"));
    // A job that has failed says so again.
    EXPECT_EQ(gradwire_barrier(job), GRADWIRE_FABRIC);
    EXPECT_EQ(gradwire_failed_rank(job), 1);
  });
}

TEST(Failures, AnotherTypeIsNamed) {
  run_ranks(3, {}, [](gradwire_job* job) {
    std::vector<float> values(10, 1);
    const gradwire_type type = gradwire_rank(job) == 2 ? GRADWIRE_INT32 : GRADWIRE_FLOAT32;
    EXPECT_EQ(gradwire_all_reduce(job, values.data(), 10, type), GRADWIRE_FABRIC);
    EXPECT_EQ(gradwire_failed_rank(job), 2);
  });
}

TEST(Failures, AMessageOfAnotherSizeIsNamed) {
  run_ranks(3, {}, [](gradwire_job* job) {
    float values[4] = {};
    if (gradwire_rank(job) == 1) {
      static_cast<void>(gradwire_send(job, values, 3, GRADWIRE_FLOAT32, 2));
    } else if (gradwire_rank(job) == 2) {
      EXPECT_EQ(gradwire_recv(job, values, 4, GRADWIRE_FLOAT32, 1), GRADWIRE_FABRIC);
      EXPECT_EQ(gradwire_failed_rank(job), 1);
      EXPECT_THAT(gradwire_error_text(job),
                  HasSubstr("it sends 3 float32, and rank 2 receives 4 float32"));
    }
  });
}

TEST(Failures, NoMessageGoesToWhatIsNoOtherRank) {
  run_ranks(2, {}, [](gradwire_job* job) {
    float value = 1;
    for (const int wrong : {-1, 2, gradwire_rank(job)}) {
      EXPECT_EQ(gradwire_send(job, &value, 1, GRADWIRE_FLOAT32, wrong), GRADWIRE_INVALID);
      EXPECT_EQ(gradwire_recv(job, &value, 1, GRADWIRE_FLOAT32, wrong), GRADWIRE_INVALID);
    }
    EXPECT_STREQ(gradwire_error_text(job), "a rank sends nothing to itself");
    EXPECT_EQ(gradwire_send(nullptr, &value, 1, GRADWIRE_FLOAT32, 1), GRADWIRE_INVALID);
    EXPECT_EQ(gradwire_barrier(job), GRADWIRE_OK);
  });
}

TEST(Failures, WhoLeavesIsMissedByThoseThatWaitForItsMessages) {
  run_ranks(3, {}, [](gradwire_job* job) {
    float value = 1;
    if (gradwire_rank(job) == 1) return;
    EXPECT_EQ(gradwire_recv(job, &value, 1, GRADWIRE_FLOAT32, 1), GRADWIRE_FABRIC);
    EXPECT_EQ(gradwire_failed_rank(job), 1);
    EXPECT_THAT(gradwire_error_text(job), HasSubstr("it has left the job"));
  });
}

// Rank 2 gives up while all wait for something that will never come.
TEST(Failures, WhoGivesUpEndsEverybodysWaiting) {
  run_ranks(3, {}, [](gradwire_job* job) {
    float value = 1;
    ASSERT_EQ(gradwire_barrier(job), GRADWIRE_OK);
    const int rank = gradwire_rank(job);
    std::thread giving_up([&] {
      if (rank == 2) gradwire_abort(job);
    });
    EXPECT_EQ(gradwire_recv(job, &value, 1, GRADWIRE_FLOAT32, (rank + 1) % 3), GRADWIRE_FABRIC);
    giving_up.join();
    EXPECT_EQ(gradwire_failed_rank(job), 2);
    EXPECT_THAT(gradwire_error_text(job), HasSubstr("it has given up"));
  });
}

TEST(Failures, WhoLeavesAloneIsMissed) {
  run_ranks(3, {}, [](gradwire_job* job) {
    float value = 1;
    ASSERT_EQ(gradwire_all_reduce(job, &value, 1, GRADWIRE_FLOAT32), GRADWIRE_OK);
    if (gradwire_rank(job) == 1) return;
    EXPECT_EQ(gradwire_barrier(job), GRADWIRE_FABRIC);
    EXPECT_EQ(gradwire_failed_rank(job), 1);
    EXPECT_THAT(gradwire_error_text(job), HasSubstr("it has left the job"));
  });
}

/// The ranks of a job as processes, of which one gets a signal while all are under way.
class Signalled {
 public:
  /// Every rank's exit code is 100 + the rank that it was told of, or what went wrong.
  Signalled(std::size_t ranks, const std::string& timeout) : ranks_(ranks) {
    EXPECT_EQ(::pipe(running_), 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(live(rank, timeout));
      children_.push_back(child);
    }
    for (std::size_t i = 0; i < ranks; ++i) {
      char byte = 0;
      EXPECT_EQ(::read(running_[0], &byte, 1), 1);
    }
  }

  /// The exit codes of all others.
  std::vector<int> send(std::size_t rank, int signal) {
    ::kill(children_[rank], signal);
    std::vector<int> codes;
    for (std::size_t i = 0; i < ranks_; ++i) {
      if (i == rank) continue;
      int status = 0;
      ::waitpid(children_[i], &status, 0);
      codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
    ::kill(children_[rank], SIGKILL);
    ::waitpid(children_[rank], nullptr, 0);
    return codes;
  }

 private:
  int live(std::size_t rank, const std::string& timeout) {
    gradwire_job* const job = join(rank, ranks_, port_.number(), {"timeout=" + timeout});
    if (job == nullptr) return 1;
    std::vector<float> values(10'000);
    for (int call = 0;; ++call) {
      const int code = gradwire_all_reduce(job, values.data(), values.size(), GRADWIRE_FLOAT32);
      if (code == GRADWIRE_FABRIC) break;
      if (code != GRADWIRE_OK) return 2;
      if (call == 2 && ::write(running_[1], "x", 1) != 1) return 3;
    }
    const int failed = gradwire_failed_rank(job);
    gradwire_finalize(job);
    return 100 + failed;
  }

  std::size_t ranks_;
  FreePort port_;
  int running_[2] = {};
  std::vector<pid_t> children_;
};

TEST(Failures, AKilledRankIsNamedByAllOthers) {
  for (const std::size_t victim : {std::size_t{0}, std::size_t{2}}) {
    Signalled job(4, "60s");  // what a test may take is less
    EXPECT_EQ(job.send(victim, SIGKILL), std::vector<int>(3, 100 + static_cast<int>(victim)));
  }
}

TEST(Failures, AStoppedRankIsNamedByAllOthers) {
  for (const std::size_t victim : {std::size_t{0}, std::size_t{2}}) {
    Signalled job(4, "4s");
    EXPECT_EQ(job.send(victim, SIGSTOP), std::vector<int>(3, 100 + static_cast<int>(victim)));
  }
}

}  // namespace
}  // namespace gradwire::library
