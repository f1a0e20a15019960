#include "tests/refused_calls.h"

#include <csignal>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/library/ranks.h"

/// libgradwire on an older kernel, in a container that forbids what is newer, and in a program that
/// has signals of its own.
namespace gradwire::library {
namespace {

using ::gradwire::testing::kYoungCalls;
using ::gradwire::testing::names_refused;
using ::gradwire::testing::Refusal;
using ::gradwire::testing::refusal_of_all;
using ::gradwire::testing::refusals_of;
using ::gradwire::testing::refuse;
using ::gradwire::testing::YoungCall;
using testing::FreePort;
using testing::join;

constexpr unsigned kLongest = 10;  // seconds

enum Ended { kRight = 0, kSaid = 3, kFailed = 4, kWrong = 5, kNoSeccomp = 6 };

/// What one rank of two gets of an all-reduce. `refused` is null where nothing is.
Ended sum_as(std::size_t rank, int port, const Refusal* refused) {
  std::string text;
  gradwire_job* const job = join(rank, 2, port, {"timeout=2s"}, &text);
  std::vector<float> values(1000, static_cast<float>(rank + 1));
  int code = job == nullptr ? GRADWIRE_SYSTEM : GRADWIRE_OK;
  if (job != nullptr) {
    code = gradwire_all_reduce(job, values.data(), values.size(), GRADWIRE_FLOAT32);
    if (code != GRADWIRE_OK) text = gradwire_error_text(job);
    gradwire_finalize(job);
  }
  if (code == GRADWIRE_OK) return values == std::vector<float>(1000, 3) ? kRight : kWrong;
  return refused != nullptr && names_refused(text, *refused) ? kSaid : kFailed;
}

/// How both ranks end, each a process that prepares itself so. 128 + SIGALRM where one does not.
template <class Prepare>
std::vector<int> endings(const Prepare& prepare, const Refusal* refused = nullptr) {
  const FreePort port;
  std::vector<pid_t> ranks;
  for (std::size_t rank = 0; rank < 2; ++rank) {
    ranks.push_back(::fork());
    if (ranks.back() != 0) continue;
    ::alarm(kLongest);
    if (!prepare()) ::_exit(kNoSeccomp);
    ::_exit(sum_as(rank, port.number(), refused));
  }
  std::vector<int> all;
  for (const pid_t pid : ranks) {
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    all.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  }
  return all;
}

/// Expects that both ranks end with the right sum, or that the first names the call. The other may
/// then only see that the first is not there.
void expect_right_or_named(const Refusal& refusal) {
  SCOPED_TRACE(refusal.name);
  const std::vector<int> all = endings([&] { return refuse(refusal); }, &refusal);
  if (all == std::vector<int>{kRight, kRight}) return;
  EXPECT_EQ(all[0], kSaid);
  EXPECT_TRUE(all[1] == kSaid || all[1] == kFailed) << all[1];
}

TEST(RefusedByTheKernel, AllAtOnce) {
  for (const int error : {ENOSYS, EPERM}) expect_right_or_named(refusal_of_all(error));
}

TEST(RefusedByTheKernel, OneByOne) {
  for (const YoungCall& call : kYoungCalls) {
    for (const Refusal& refusal : refusals_of(call)) expect_right_or_named(refusal);
  }
}

// The library needs none of them, and changes none.
TEST(SignalsOfTheProgram, AreIgnoredAndBlocked) {
  constexpr int kIgnored[] = {SIGCHLD, SIGPIPE, SIGXFSZ};
  const auto prepare = [&] {
    for (const int signal : kIgnored) std::signal(signal, SIG_IGN);
    sigset_t all;
    ::sigfillset(&all);
    ::sigdelset(&all, SIGALRM);
    return ::sigprocmask(SIG_SETMASK, &all, nullptr) == 0;
  };
  EXPECT_EQ(endings(prepare), (std::vector<int>{kRight, kRight}));
}

}  // namespace
}  // namespace gradwire::library
