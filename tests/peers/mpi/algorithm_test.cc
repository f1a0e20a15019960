#include "peers/mpi/algorithm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::peers::mpi {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

TEST(MpiAlgorithm, HasNames) {
  EXPECT_THAT(algorithm_names(), ElementsAre("linear", "nonoverlapping", "recursive-doubling",
                                             "ring", "segmented-ring", "rabenseifner"));
  for (const std::string_view name : algorithm_names()) EXPECT_TRUE(algorithm_of(name)) << name;
  EXPECT_FALSE(algorithm_of("tree"));
}

// The numbers are Open MPI's: ompi_info --param coll tuned --level 9.
TEST(MpiAlgorithm, IsAMatterOfSettings) {
  EXPECT_THAT(
      settings(Algorithm::ring, "p0,p1"),
      AllOf(Contains(Pair("btl", "tcp,self")), Contains(Pair("btl_tcp_if_include", "p0,p1")),
            Contains(Pair("coll_tuned_use_dynamic_rules", "1")),
            Contains(Pair("coll_tuned_allreduce_algorithm", "4"))));
  EXPECT_THAT(settings(Algorithm::rabenseifner, "p0"),
              Contains(Pair("coll_tuned_allreduce_algorithm", "6")));
  EXPECT_THAT(settings(Algorithm::segmented_ring, "p0"),
              Contains(Pair("coll_tuned_allreduce_algorithm_segmentsize", "1048576")));
  EXPECT_THAT(
      settings(Algorithm::automatic, "p0"),
      AllOf(Contains(Pair("pml", "ob1")), Not(Contains(Key("coll_tuned_allreduce_algorithm")))));
}

}  // namespace
}  // namespace gradwire::peers::mpi
