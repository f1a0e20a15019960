#pragma once

#include <cstdlib>

#include <gtest/gtest.h>

#include "testbed/rdma_link.h"

/// For tests that need a kernel with Soft-RoCE, as the lab's. Where GRADWIRE_ROCE is set, want of
/// it is a failure.
#define SKIP_WITHOUT_RXE()                                                         \
  if (!::gradwire::testbed::rxe_available()) {                                     \
    ASSERT_EQ(std::getenv("GRADWIRE_ROCE"), nullptr);                              \
    GTEST_SKIP() << "no Soft-RoCE in namespaces here; see testbed/roce/README.md"; \
  }
