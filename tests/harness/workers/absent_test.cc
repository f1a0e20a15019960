#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "collectives/peers/gloo/connect.h"
#include "collectives/peers/mpi/connect.h"
#include "core/error.h"
#include "harness/workers/mpi/attached_worker.h"
#include "harness/workers/mpi/mpi_worker.h"
#include "transport/cuda/open.h"
#include "transport/loopback/rendezvous.h"
#include "transport/ucx/connect.h"
#include "transport/verbs/connect.h"
#include "transport/verbs/usable_mtu.h"
#include "workloads/dense/openblas/product.h"

/// What a program says that was built without a library, when a rank is to use it all the same: a
/// harness that was built with it may have started the rank.
namespace gradwire::workers {
namespace {

std::string refusal(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

/// What a rank without lanes and without peers connects with.
class Alone {
 public:
  [[nodiscard]] transport::Bootstrap bootstrap() {
    return {.plan = plan_,
            .self = Rank(0),
            .gradient = {},
            .rendezvous = rendezvous_,
            .cancellation = cancellation_,
            .clock = clock_};
  }
  [[nodiscard]] transport::Rendezvous& rendezvous() { return rendezvous_; }

 private:
  SteadyClock clock_;
  Plan plan_;
  transport::Cancellation cancellation_;
  transport::loopback::MeetingPoint meeting_{1};
  transport::loopback::LocalRendezvous rendezvous_{meeting_, Rank(0)};
};

TEST(Absent, ProductsNameTheirLibrary) {
  const std::vector<float> singles(1);
  const std::vector<double> doubles(1);
  std::vector<float> single(1);
  std::vector<double> twice(1);
  EXPECT_EQ(refusal([&] { dense::openblas::multiply({}, singles, singles, single, {}); }),
            "this gradwire was built without OpenBLAS");
  EXPECT_EQ(refusal([&] { dense::openblas::multiply({}, doubles, doubles, twice); }),
            "this gradwire was built without OpenBLAS");
}

TEST(Absent, DevicesNameTheirLibrary) {
  EXPECT_THROW(static_cast<void>(cuda::open_device()), transport::device::DeviceError);
  EXPECT_EQ(cuda::describe_gpu(), "this gradwire was built without CUDA");
}

TEST(Absent, TransportsNameTheirLibrary) {
  Alone rank;
  EXPECT_EQ(refusal([&] { static_cast<void>(transport::ucx::connect(rank.bootstrap(), {})); }),
            "this gradwire was built without UCX");
  EXPECT_FALSE(transport::ucx::takes_cuda_memory());
  EXPECT_EQ(refusal([&] { static_cast<void>(transport::verbs::connect(rank.bootstrap(), {})); }),
            "this gradwire was built without libibverbs");
  EXPECT_EQ(refusal([] { static_cast<void>(transport::verbs::usable_mtu({.device = "lo"})); }),
            "this gradwire was built without libibverbs");
}

TEST(Absent, PeersNameTheirLibrary) {
  Alone rank;
  EXPECT_EQ(
      refusal([&] { static_cast<void>(peers::gloo::connect({}, {}, {}, rank.rendezvous(), {})); }),
      "this gradwire was built without Gloo");
  EXPECT_EQ(refusal([] {
              static_cast<void>(peers::mpi::connect({}, {}, peers::What::all_reduce, Rank(0)));
            }),
            "this gradwire was built without Open MPI");
}

TEST(Absent, WorkersOfMpirunNameTheirLibrary) {
  EXPECT_EQ(refusal([] { static_cast<void>(run_mpi_worker()); }),
            "this gradwire was built without Open MPI");
  EXPECT_EQ(refusal([] { static_cast<void>(run_attached_worker("/nowhere")); }),
            "this gradwire was built without Open MPI");
}

}  // namespace
}  // namespace gradwire::workers
