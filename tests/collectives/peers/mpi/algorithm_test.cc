#include "collectives/peers/mpi/algorithm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gradwire::peers::mpi {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(MpiAlgorithm, HasNames) {
  std::vector<std::string_view> names;
  for (const NamedAlgorithm& each : algorithms()) {
    names.push_back(each.name);
    EXPECT_EQ(algorithm_of(each.name), each.algorithm) << each.name;
  }
  EXPECT_THAT(names, ElementsAre("", "linear", "nonoverlapping", "recursive-doubling", "ring",
                                 "segmented-ring", "rabenseifner"));
  EXPECT_FALSE(algorithm_of("tree"));
}

// The numbers are Open MPI's: ompi_info --param coll tuned --level 9.
TEST(MpiAlgorithm, IsAMatterOfSettings) {
  EXPECT_THAT(settings(Algorithm::ring), ElementsAre(Pair("coll_tuned_use_dynamic_rules", "1"),
                                                     Pair("coll_tuned_allreduce_algorithm", "4")));
  EXPECT_THAT(settings(Algorithm::rabenseifner),
              Contains(Pair("coll_tuned_allreduce_algorithm", "6")));
  EXPECT_THAT(settings(Algorithm::segmented_ring),
              Contains(Pair("coll_tuned_allreduce_algorithm_segmentsize", "1048576")));
  EXPECT_THAT(settings(Algorithm::automatic), IsEmpty());
}

}  // namespace
}  // namespace gradwire::peers::mpi
