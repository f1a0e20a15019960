#include "transport/executor.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/sanitized.h"
#include "tests/transport/rank_group.h"

namespace gradwire::transport {
namespace {

/// Of a lane that has nothing to do.
class IdleEndpoint final : public Endpoint {
 public:
  void post_send(std::size_t, const SendRequest&) override {}
  void post_receive(std::size_t, Extent, Combine, std::size_t) override {}
  std::span<const Progress> wait(const Deadline&) override { return {}; }
};

/// Takes all that is to be sent, and hears of none of it.
class DeafEndpoint final : public Endpoint {
 public:
  void post_send(std::size_t, const SendRequest& request) override {
    taken_.push_back({.operation = request.operation, .elements = request.what.count});
  }
  void post_receive(std::size_t, Extent, Combine, std::size_t) override {}
  std::span<const Progress> wait(const Deadline&) override { return taken_; }
  [[nodiscard]] std::optional<std::size_t> find_unanswered() const override { return 0; }

 private:
  std::vector<Progress> taken_;
};

/// Leaves this process room for the stacks of a few threads.
void limit_memory() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t bytes =
      pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + (rlim_t{64} << 20);
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  checked(::setrlimit(RLIMIT_AS, &limit), "limit the memory");
}

int run_more_lanes_than_threads() {
  Plan plan;
  plan.lanes.resize(1000, {Step{}});
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  for (std::size_t i = 0; i < plan.lanes.size(); ++i) {
    endpoints.push_back(std::make_unique<IdleEndpoint>());
  }
  const SteadyClock clock;
  Cancellation cancellation;
  limit_memory();
  try {
    const Executor executor(plan, std::move(endpoints), cancellation,
                            {.rank = Rank(0), .clock = clock});
  } catch (const SystemError& error) {
    return std::string(error.what()).starts_with("start a thread for lane ") ? 0 : 1;
  }
  return 2;
}

// A rank that only sends is done when the kernel has taken all; whether it arrived shows later.
TEST(Executor, TellsWhoAcknowledgesNothingAfterItIsDone) {
  Plan plan;
  plan.lanes = {{Step{.sends = {{.to = {.rank = Rank(3), .via = Port(1), .at = Port(2)},
                                 .what = {.first = 0, .count = 4}}}}}};
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  endpoints.push_back(std::make_unique<DeafEndpoint>());
  const SteadyClock clock;
  Cancellation cancellation;
  Executor executor(plan, std::move(endpoints), cancellation, {.rank = Rank(0), .clock = clock});
  executor.execute();
  const auto lost = executor.unanswered();
  ASSERT_TRUE(lost.has_value());
  EXPECT_STREQ(lost->what(),
               "rank 0, peer 3, port 1, lane 0: no answer: port 2 of rank 3 acknowledges nothing "
               "that was sent to it");
}

TEST(Executor, SaysHowManyBytesHadMoved) {
  Plan plan;
  plan.lanes = {{Step{.recvs = {{.from = {.rank = Rank(3), .via = Port(1), .at = Port(2)},
                                 .where = {.first = 0, .count = 4}}}}}};
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  endpoints.push_back(std::make_unique<IdleEndpoint>());
  const SteadyClock clock;
  Cancellation cancellation;
  Executor executor(plan, std::move(endpoints), cancellation,
                    {.rank = Rank(0), .clock = clock, .element_bytes = 8});
  try {
    executor.execute();
    FAIL() << "nothing stalled";
  } catch (const FabricError& error) {
    EXPECT_EQ(error.failure(), FabricFailure::stalled);
    EXPECT_EQ(error.detail(), "nothing moved for 10 s; 0 B of 32 B received from rank 3");
  }
}

TEST(Executor, WorksOnMemoryThatItIsToldOf) {
  std::vector<Plan> plans(2);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const Peer peer{
        .rank = Rank(1 - rank), .via = Port(std::size_t{0}), .at = Port(std::size_t{0})};
    plans[rank].lanes = {{Step{.sends = {{.to = peer, .what = {rank, 1}}},
                               .recvs = {{.from = peer, .where = {1 - rank, 1}}}}}};
  }
  testing::Tcp transport(2);
  testing::expect_ended_well(testing::run_ranks(
      transport, std::span<const Plan>(plans), 2, [](testing::RankContext& rank) {
        std::vector<float> other{10, 20};
        rank.executor.move_to(std::span(other));
        rank.executor.execute();
        const float sum = rank.self.index() == 0 ? 40 : 20;
        EXPECT_EQ(other[1 - rank.self.index()], sum);
        EXPECT_EQ(rank.gradient[1 - rank.self.index()], 0);
      }));
}

TEST(Executor, TellsNoTransportOfOtherMemoryThatCannotMove) {
  Plan plan;
  plan.lanes = {{Step{}}};
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  endpoints.push_back(std::make_unique<IdleEndpoint>());
  const SteadyClock clock;
  Cancellation cancellation;
  Executor executor(plan, std::move(endpoints), cancellation, {.rank = Rank(0), .clock = clock});
  EXPECT_THROW(executor.move_to({}), InternalError);
}

TEST(Executor, SaysWhenThereAreNoThreadsForTheLanes) {
  if (gradwire::testing::kSanitized) {
    GTEST_SKIP() << "sanitizers reserve more addresses than the test allows";
  }
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) ::_exit(run_more_lanes_than_threads());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace gradwire::transport
