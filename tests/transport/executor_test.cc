#include "transport/executor.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/sanitized.h"

namespace gradwire::transport {
namespace {

/// Of a lane that has nothing to do.
class IdleEndpoint final : public Endpoint {
 public:
  void post_send(std::size_t, Extent, std::size_t) override {}
  void post_receive(std::size_t, Extent, Combine, std::size_t) override {}
  std::span<const Progress> wait(const Deadline&) override { return {}; }
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
