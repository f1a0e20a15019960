#include "workloads/dense/values.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::dense {
namespace {

using workloads::DenseStack;

const DenseStack kSmallStack{.layers = {{.inputs = 5, .outputs = 3}, {.inputs = 3, .outputs = 7}},
                             .samples = 4};

std::vector<float> small_share(const Source& source) {
  std::vector<float> share(kSmallStack.values());
  fill_share(source, kSmallStack, share);
  return share;
}

// X and E of each layer lie side by side, 4 x 5, 4 x 3, 4 x 3 and 4 x 7; so do the gradients, 3 x 5 and
// 7 x 3.
TEST(DenseValues, MatricesLieSideBySide) {
  const std::vector<LayerPlace> all = places(kSmallStack);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].inputs, (Extent{0, 20}));
  EXPECT_EQ(all[0].errors, (Extent{20, 12}));
  EXPECT_EQ(all[0].weights, (Extent{0, 15}));
  EXPECT_EQ(all[1].inputs, (Extent{32, 12}));
  EXPECT_EQ(all[1].errors, (Extent{44, 28}));
  EXPECT_EQ(all[1].weights, (Extent{15, 21}));
  EXPECT_EQ(kSmallStack.values(), 72u);
  EXPECT_EQ(kSmallStack.weights(), 36u);
}

TEST(DenseValues, InputsAreFromZeroToOneAndErrorsLieAroundZero) {
  std::vector<float> inputs(100'000);
  std::vector<float> errors(100'000);
  fill_inputs({.seed = 1, .rank = Rank(2)}, 0, inputs);
  fill_errors({.seed = 1, .rank = Rank(2)}, 0, errors);
  double sum = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    ASSERT_GE(inputs[i], 0);
    ASSERT_LT(inputs[i], 1);
    ASSERT_EQ(errors[i], inputs[i] - 0.5F);
    ASSERT_EQ(inputs[i] * 0x1p24F, std::floor(inputs[i] * 0x1p24F));
    sum += inputs[i];
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.01);  // ten times the standard deviation
}

// What another worker or another iteration has is something else, so a stale or a foreign share shows.
TEST(DenseValues, DependOnSeedIterationAndRank) {
  const std::vector<float> share = small_share({.seed = 1, .iteration = 2, .rank = Rank(3)});
  EXPECT_EQ(share, small_share({.seed = 1, .iteration = 2, .rank = Rank(3)}));
  for (const Source& other : {Source{.seed = 2, .iteration = 2, .rank = Rank(3)},
                              Source{.seed = 1, .iteration = 3, .rank = Rank(3)},
                              Source{.seed = 1, .iteration = 2, .rank = Rank(2)}}) {
    const std::vector<float> foreign = small_share(other);
    for (std::size_t i = 0; i < share.size(); ++i) EXPECT_NE(share[i], foreign[i]) << i;
  }
}

TEST(DenseValues, APartIsThatOfTheWhole) {
  const Source source{.seed = 5, .rank = Rank(1)};
  const std::vector<float> share = small_share(source);
  std::vector<float> inputs(12);
  std::vector<float> errors(28);
  fill_inputs(source, 32, inputs);
  fill_errors(source, 44, errors);
  EXPECT_EQ(inputs, std::vector<float>(share.begin() + 32, share.begin() + 44));
  EXPECT_EQ(errors, std::vector<float>(share.begin() + 44, share.end()));
}

TEST(DenseValues, AShareOfAnotherSizeIsABug) {
  std::vector<float> share(kSmallStack.values() - 1);
  EXPECT_THROW(fill_share({}, kSmallStack, share), InternalError);
}

}  // namespace
}  // namespace gradwire::dense
