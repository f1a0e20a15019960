#include "results/record/libraries.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::record {
namespace {

TEST(Libraries, TheLineSaysWhatIsInAndWhatIsNot) {
  EXPECT_EQ(libraries_line({{"0.5.0", "4.1.4", "1.13.1", "1.14.44.0", "0.3.21", "13.0.88"}}),
            "with: Gloo 0.5.0, Open MPI 4.1.4, UCX 1.13.1, libibverbs 1.14.44.0, OpenBLAS 0.3.21, "
            "CUDA 13.0.88; without: -");
  EXPECT_EQ(libraries_line({{"", "4.1.4", "", "1.14.44.0"}}),
            "with: Open MPI 4.1.4, libibverbs 1.14.44.0; without: Gloo, UCX, OpenBLAS, CUDA");
  EXPECT_EQ(libraries_line({}),
            "with: -; without: Gloo, Open MPI, UCX, libibverbs, OpenBLAS, CUDA");
}

TEST(Libraries, OneThatIsNotInIsRefusedByName) {
  const Libraries without_mpi{{"0.5.0", "", "1.13.1", "1.14.44.0"}};
  for (const Library library : {Library::gloo, Library::ucx, Library::verbs}) {
    EXPECT_NO_THROW(require(without_mpi, library, "it")) << to_string(library);
  }
  try {
    require(without_mpi, Library::mpi, "mpi(ring)");
    FAIL() << "it is not in";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "mpi(ring): this gradwire was built without Open MPI");
    EXPECT_FALSE(error.has_place());
  }
}

}  // namespace
}  // namespace gradwire::record
