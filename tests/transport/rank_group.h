#pragma once

#include <chrono>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "core/clock.h"
#include "core/plan.h"
#include "tests/transport/rdma_namespace.h"
#include "tests/transport/rdma_ports.h"
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
inline constexpr auto kStall = std::chrono::milliseconds(1500);

/// Connects ranks in memory.
struct Loopback {
  explicit Loopback(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                 std::span<float> gradient, Rendezvous& rendezvous,
                                                 const Cancellation& cancellation, const Clock&) {
    auto endpoints = loopback::connect(plan, self, gradient, fabric, cancellation);
    rendezvous.barrier();
    return endpoints;
  }
  SteadyClock clock;
  loopback::Fabric fabric{clock};
};

/// Connects ranks over TCP on the loopback interface, as if every rank had the ports it uses.
struct Tcp {
  explicit Tcp(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                 std::span<float> gradient, Rendezvous& rendezvous,
                                                 const Cancellation& cancellation,
                                                 const Clock& clock) {
    const std::vector<PortBinding> ports(4, {.device = "lo", .address = "127.0.0.1"});
    return tcp::connect(plan, self, gradient, ports, rendezvous, cancellation, clock,
                        {.key = {7}, .unacknowledged = kStall});
  }
};

/// Connects ranks through UCX: its TCP on the loopback interface, or reliable connections over
/// the RDMA ports that the environment names.
struct Ucx {
  explicit Ucx(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                 std::span<float> gradient, Rendezvous& rendezvous,
                                                 const Cancellation& cancellation,
                                                 const Clock& clock) {
    const std::vector<PortBinding> ports(4, {.device = "lo", .address = "127.0.0.1"});
    return ucx::connect(plan, self, gradient, ports, rendezvous, cancellation, clock, {});
  }
};

struct UcxRc {
  explicit UcxRc(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                 std::span<float> gradient, Rendezvous& rendezvous,
                                                 const Cancellation& cancellation,
                                                 const Clock& clock) {
    enter_rdma_namespace(self.index());
    return ucx::connect(plan, self, gradient, rdma_ports_of(rdma_ports(), self.index(), 4),
                        rendezvous, cancellation, clock,
                        {.context = {.wire = ucx::Wire::rc}, .timeout = kMeetingPatience});
  }
  /// Why this machine cannot run it; empty when it can.
  static std::string missing() { return rdma_ports().empty() ? kNoRdmaPorts : ""; }
};

/// Connects ranks over the RDMA ports that the environment names.
struct Verbs {
  explicit Verbs(std::size_t) {}
  std::vector<std::unique_ptr<Endpoint>> connect(const Plan& plan, Rank self,
                                                 std::span<float> gradient, Rendezvous& rendezvous,
                                                 const Cancellation& cancellation,
                                                 const Clock& clock) {
    enter_rdma_namespace(self.index());
    return verbs::connect(plan, self, gradient, rdma_ports_of(rdma_ports(), self.index(), 4),
                          rendezvous, cancellation, clock, options);
  }
  /// Why this machine cannot run it; empty when it can.
  static std::string missing() { return rdma_ports().empty() ? kNoRdmaPorts : ""; }

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

/// What a rank of a group has to do its work with.
struct RankContext {
  Rank self;
  std::span<float> gradient;
  Executor& executor;
  Rendezvous& rendezvous;
  Cancellation& cancellation;
};

/// Connects all ranks, runs `work` on each in its own thread, and returns how each ended.
template <class Transport>
std::vector<std::exception_ptr> run_ranks(Transport& transport, std::span<const StagedPlan> plans,
                                          std::size_t elements,
                                          const std::function<void(RankContext&)>& work,
                                          const LaneTiming& timing = {.stall_timeout = kStall}) {
  loopback::MeetingPoint meeting(plans.size(), kMeetingPatience);
  std::vector<std::exception_ptr> endings(plans.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    threads.emplace_back([&, i] {
      try {
        const SteadyClock clock;
        const Rank self(i);
        std::vector<float> gradient(elements);
        Cancellation cancellation;
        loopback::LocalRendezvous rendezvous(meeting, self);
        Executor executor(
            plans[i], self,
            transport.connect(plans[i].plan, self, gradient, rendezvous, cancellation, clock),
            cancellation, clock, timing);
        RankContext context{self, gradient, executor, rendezvous, cancellation};
        work(context);
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
                                          std::size_t elements,
                                          const std::function<void(RankContext&)>& work,
                                          const LaneTiming& timing = {.stall_timeout = kStall}) {
  std::vector<StagedPlan> staged;
  for (const Plan& plan : plans) staged.push_back(in_stages({plan}));
  return run_ranks(transport, std::span<const StagedPlan>(staged), elements, work, timing);
}

}  // namespace gradwire::transport::testing
