#include "transport/execution/gradient_way.h"

#include <gtest/gtest.h>

#include "transport/cuda/rdma_access.h"

/// Whether a transport is handed the addresses of a device, by what its library answers.
namespace gradwire::execution {
namespace {

using execution::TransportKind;
using transport::device::RdmaAccess;
using transport::device::Reach;

/// How often UCX was asked, and what it answers.
struct Ucx {
  bool takes_cuda = false;
  int asked = 0;

  GradientWay way(TransportKind transport, Reach reach) {
    return way_of({.transport = transport, .reach = reach, .ucx_takes_cuda = [this] {
                     ++asked;
                     return takes_cuda;
                   }});
  }
};

TEST(GradientWay, IsByPointersWhereUcxTakesCudasMemory) {
  Ucx with{.takes_cuda = true};
  EXPECT_EQ(with.way(TransportKind::ucx, Reach::cuda), GradientWay::pointers);
  EXPECT_EQ(with.way(TransportKind::ucx_rc, Reach::cuda), GradientWay::pointers);
  Ucx without;
  EXPECT_EQ(without.way(TransportKind::ucx, Reach::cuda), GradientWay::staged);
  EXPECT_EQ(without.way(TransportKind::ucx_rc, Reach::cuda), GradientWay::staged);
  EXPECT_EQ(without.asked, 2);
}

// What no library reaches is staged, and what the host reaches needs no CUDA: UCX is not asked.
TEST(GradientWay, AsksUcxOnlyWhereItDependsOnIt) {
  Ucx ucx{.takes_cuda = true};
  EXPECT_EQ(ucx.way(TransportKind::ucx, Reach::streams), GradientWay::staged);
  EXPECT_EQ(ucx.way(TransportKind::ucx, Reach::host), GradientWay::pointers);
  EXPECT_EQ(ucx.way(TransportKind::tcp, Reach::host), GradientWay::staged);
  EXPECT_EQ(ucx.way(TransportKind::tcp, Reach::cuda), GradientWay::staged);
  EXPECT_EQ(ucx.asked, 0);
}

// Peers write into memory that RDMA devices get at, in one way or the other; there is no third.
TEST(GradientWay, OfVerbsIsThatOfRdmaDevices) {
  EXPECT_EQ(cuda::access_of({.peermem = true, .dma_buf = true}), RdmaAccess::addresses);
  EXPECT_EQ(cuda::access_of({.dma_buf = true}), RdmaAccess::dma_buf);
  EXPECT_EQ(cuda::access_of({}), RdmaAccess::none);
  EXPECT_EQ(way_of({.transport = TransportKind::verbs, .rdma = RdmaAccess::addresses}),
            GradientWay::pointers);
  EXPECT_EQ(way_of({.transport = TransportKind::verbs, .rdma = RdmaAccess::dma_buf}),
            GradientWay::pointers);
  EXPECT_EQ(way_of({.transport = TransportKind::verbs, .rdma = RdmaAccess::none}),
            GradientWay::none);
}

TEST(GradientWay, IsSaidWithWhatIsHandedThePointers) {
  const auto said = [](TransportKind transport, RdmaAccess rdma, bool takes_cuda) {
    return describe_way({.transport = transport,
                         .reach = Reach::cuda,
                         .rdma = rdma,
                         .ucx_takes_cuda = [takes_cuda] { return takes_cuda; }});
  };
  EXPECT_EQ(said(TransportKind::tcp, RdmaAccess::addresses, true), "staged");
  EXPECT_EQ(said(TransportKind::ucx, RdmaAccess::none, false), "staged");
  EXPECT_EQ(said(TransportKind::ucx_rc, RdmaAccess::none, true), "device pointers (ucx-rc)");
  EXPECT_EQ(said(TransportKind::verbs, RdmaAccess::addresses, false),
            "device pointers (verbs, nvidia-peermem)");
  EXPECT_EQ(said(TransportKind::verbs, RdmaAccess::dma_buf, false),
            "device pointers (verbs, dma-buf)");
  EXPECT_EQ(said(TransportKind::verbs, RdmaAccess::none, false),
            "none: neither nvidia-peermem nor dma-buf gives RDMA devices a GPU's memory here");
}

}  // namespace
}  // namespace gradwire::execution
