#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/clock.h"
#include "core/elements.h"
#include "core/plan.h"
#include "tests/transport/rdma_namespace.h"
#include "tests/transport/rdma_ports.h"
#include "transport/bootstrap.h"
#include "transport/cancellation.h"
#include "transport/executor.h"
#include "transport/loopback/connect.h"
#include "transport/loopback/rendezvous.h"
#include "transport/tcp/connect.h"
#include "transport/ucx/connect.h"
#include "transport/verbs/connect.h"

/// The ranks of a run as threads of this process, over any transport.
namespace gradwire::transport::testing {

/// A machine without RDMA hardware, emulated by one without virtualization, connects slowly.
inline constexpr auto kMeetingPatience = std::chrono::seconds(60);
/// How long nothing may move where a test waits for that to be noticed.
inline constexpr auto kStall = std::chrono::milliseconds(1500);
/// The same where it must not happen: a busy machine may stand still for seconds.
inline constexpr auto kPatience = std::chrono::seconds(20);

#ifdef GRADWIRE_WITHOUT_UCX
inline constexpr const char* kWithoutUcx = "this gradwire was built without UCX";
#else
inline constexpr const char* kWithoutUcx = "";
#endif
#ifdef GRADWIRE_WITHOUT_VERBS
inline constexpr const char* kWithoutVerbs = "this gradwire was built without libibverbs";
#else
inline constexpr const char* kWithoutVerbs = "";
#endif

/// `why`, or that this machine has no RDMA ports; empty when it has.
inline std::string why_no_rdma(const std::string& why) {
  if (!why.empty()) return why;
  return rdma_ports().empty() ? kNoRdmaPorts : "";
}

/// Connects ranks in memory.
struct Loopback {
  explicit Loopback(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    auto endpoints =
        loopback::connect(rank.plan, rank.self, rank.gradient, fabric, rank.cancellation);
    rank.rendezvous.barrier();
    return endpoints;
  }
  SteadyClock clock;
  loopback::Fabric fabric{clock};
};

/// The same, with these ports.
inline Bootstrap with_ports(Bootstrap rank, std::span<const PortBinding> ports) {
  rank.ports = ports;
  return rank;
}

/// Connects ranks over TCP on the loopback interface, as if every rank had the ports it uses.
struct Tcp {
  explicit Tcp(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    const std::vector<PortBinding> ports(4, {.device = "lo", .address = "127.0.0.1"});
    return tcp::connect(with_ports(rank, ports), options);
  }

  tcp::ConnectOptions options{.key = {7}, .unacknowledged = kPatience};
};

/// The same without checks behind the frames.
struct TcpUnchecked : Tcp {
  explicit TcpUnchecked(std::size_t ranks) : Tcp(ranks) { options.check_frames = false; }
};

/// Connects ranks through UCX's TCP on the loopback interface.
struct Ucx {
  explicit Ucx(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    const std::vector<PortBinding> ports(4, {.device = "lo", .address = "127.0.0.1"});
    return ucx::connect(with_ports(rank, ports), {});
  }
  /// Why it cannot run; empty when it can.
  static std::string missing() { return kWithoutUcx; }
};

/// Connects ranks through UCX's reliable connections over the RDMA ports that the environment
/// names.
struct UcxRc {
  explicit UcxRc(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    enter_rdma_namespace(rank.self.index());
    const auto ports = rdma_ports_of(rdma_ports(), rank.self.index(), 4);
    return ucx::connect(with_ports(rank, ports),
                        {.context = {.wire = ucx::Wire::rc}, .timeout = kMeetingPatience});
  }
  /// Why it cannot run; empty when it can.
  static std::string missing() { return why_no_rdma(kWithoutUcx); }
};

/// Connects ranks over the RDMA ports that the environment names.
struct Verbs {
  explicit Verbs(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Bootstrap& rank) {
    enter_rdma_namespace(rank.self.index());
    const auto ports = rdma_ports_of(rdma_ports(), rank.self.index(), 4);
    return verbs::connect(with_ports(rank, ports), options);
  }
  /// Why it cannot run; empty when it can.
  static std::string missing() { return why_no_rdma(kWithoutVerbs); }

  /// Virtual machines, and shaped links, are slow to acknowledge.
  verbs::ConnectOptions options{.path = {.ack_timeout = 20}};
};

/// The same, with lanes that yield instead of sleeping.
struct VerbsPolling : Verbs {
  explicit VerbsPolling(std::size_t ranks) : Verbs(ranks) { options.poll = true; }
};

/// Skips its tests where the machine lacks what the transport needs. In the RoCE lab, which sets
/// GRADWIRE_ROCE, that is a failure.
template <class Transport>
class TransportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if constexpr (requires { Transport::missing(); }) {
      if (Transport::missing().empty()) return;
      ASSERT_EQ(std::getenv("GRADWIRE_ROCE"), nullptr) << Transport::missing();
      GTEST_SKIP() << Transport::missing();
    }
  }
};

using AllTransports = ::testing::Types<Loopback, Tcp, Ucx, UcxRc, Verbs, VerbsPolling>;

/// Names the suites after their transports.
struct TransportName {
  template <class Transport>
  static std::string GetName(int) {
    if (std::is_same_v<Transport, Loopback>) return "Loopback";
    if (std::is_same_v<Transport, Tcp>) return "Tcp";
    if (std::is_same_v<Transport, Ucx>) return "Ucx";
    if (std::is_same_v<Transport, UcxRc>) return "UcxRc";
    if (std::is_same_v<Transport, VerbsPolling>) return "VerbsPolling";
    return "Verbs";
  }
};

/// Why a rank ended; empty when nothing went wrong.
inline std::string reason(const std::exception_ptr& ending) {
  try {
    if (ending) std::rethrow_exception(ending);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// Fails with the reason of every rank that did not end well.
inline void expect_ended_well(std::span<const std::exception_ptr> endings) {
  for (std::size_t i = 0; i < endings.size(); ++i) {
    EXPECT_EQ(reason(endings[i]), "") << "rank " << i;
  }
}

/// What a rank of a group has to do its work with.
struct RankContext {
  Rank self;
  Elements elements;          ///< the gradient
  std::span<float> gradient;  ///< the same if they are float32; none if not
  Executor& executor;
  Rendezvous& rendezvous;
  Cancellation& cancellation;
};

/// How a group runs: as LaneTiming has it, with elements of this type.
struct GroupOptions {
  Nanoseconds stall_timeout = kPatience;
  Nanoseconds startup{};
  Dtype type = Dtype::float32;
};

using RankWork = std::function<void(RankContext&)>;

/// Connects all ranks, whose gradients have so many elements, which are 0; runs `work` on each in its
/// own thread, and returns how each ended.
template <class Transport>
std::vector<std::exception_ptr> run_ranks(Transport& transport, std::span<const StagedPlan> plans,
                                          std::size_t elements, const RankWork& work,
                                          const GroupOptions& options = {}) {
  loopback::MeetingPoint meeting(plans.size(), kMeetingPatience);
  const auto run_rank = [&](Rank self) {
    const SteadyClock clock;
    const ElementBuffer memory(options.type, elements);
    const Elements gradient = memory.elements();
    std::ranges::fill(gradient.bytes(), std::byte{});  // or none of it would be in memory yet
    Cancellation cancellation;
    loopback::LocalRendezvous rendezvous(meeting, self);
    const StagedPlan& plan = plans[self.index()];
    auto endpoints = transport.connect({.plan = plan.plan,
                                        .self = self,
                                        .gradient = gradient,
                                        .rendezvous = rendezvous,
                                        .cancellation = cancellation,
                                        .clock = clock});
    const LaneTiming timing{.stall_timeout = options.stall_timeout, .startup = options.startup};
    const LaneOptions lanes{self, clock, timing, gradient.element_bytes()};
    Executor executor(plan, std::move(endpoints), cancellation, lanes);
    const bool is_float = options.type == Dtype::float32;
    const auto floats = is_float ? gradient.as<float>() : std::span<float>();
    RankContext context{self, gradient, floats, executor, rendezvous, cancellation};
    work(context);
  };
  std::vector<std::exception_ptr> endings(plans.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        run_rank(Rank(i));
      } catch (...) {
        endings[i] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return endings;
}

/// The same for Plans of one stage.
template <class Transport>
std::vector<std::exception_ptr> run_ranks(Transport& transport, std::span<const Plan> plans,
                                          std::size_t elements, const RankWork& work,
                                          const GroupOptions& options = {}) {
  std::vector<StagedPlan> staged;
  for (const Plan& plan : plans) staged.push_back(in_stages({plan}));
  return run_ranks(transport, std::span<const StagedPlan>(staged), elements, work, options);
}

}  // namespace gradwire::transport::testing
