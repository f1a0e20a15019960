#include "workloads/hybrid.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "workloads/model.h"

namespace gradwire::workloads {
namespace {

std::string refusal_of_hybrid(const char* workload) {
  try {
    static_cast<void>(parse_hybrid(workload));
  } catch (const InputError& error) {
    EXPECT_FALSE(error.has_place());
    return error.what();
  }
  return "none";
}

TEST(Hybrid, AWorkloadIsTakenForOneByItsName) {
  EXPECT_TRUE(is_hybrid("hybrid(model=alexnet, samples=1)"));
  EXPECT_TRUE(is_hybrid("hybrid (samples=1"));
  EXPECT_TRUE(is_hybrid("hybrid"));
  EXPECT_FALSE(is_hybrid("hybridnet"));
  EXPECT_FALSE(is_hybrid("alexnet"));
  EXPECT_FALSE(is_hybrid(""));
}

// Late-multiply (2017), section 2.2: AlexNet has 60,965,224 parameters, of which 58,631,144 are those of
// the three fully connected layers, the first of which has 9216 inputs. What is left are the
// convolutions' 8.90 MiB.
TEST(Hybrid, AlexNetIsCutBeforeItsFullyConnectedLayers) {
  const Hybrid alexnet = parse_hybrid("hybrid(model=alexnet, samples=128, host=3)");
  EXPECT_EQ(alexnet.kept, 9217u * 4096 + 4097u * 4096 + 4097u * 1000);
  EXPECT_EQ(alexnet.gradients() + alexnet.kept, load_model("alexnet").elements());
  EXPECT_NEAR(4.0 * static_cast<double>(alexnet.gradients()) / 1048576, 8.90, 0.005);
  EXPECT_EQ(alexnet.inputs, 9216u);
  EXPECT_EQ(alexnet.inputs_of_worker(), 128u * 9216);
  EXPECT_EQ(alexnet.samples, 128u);
  EXPECT_EQ(alexnet.host, Rank(3));
  EXPECT_EQ(parse_hybrid("hybrid(model=alexnet, samples=1)").host, Rank(0));
}

// Gradients lie in backward order: conv5's bias first, 256 elements, and conv1's weights last.
TEST(Hybrid, TensorsLieAsThoseOfTheWholeModel) {
  const Hybrid alexnet = parse_hybrid("hybrid(model=alexnet, samples=1)");
  ASSERT_EQ(alexnet.tensors.size(), 10u);
  EXPECT_EQ(alexnet.tensors.front(), (Extent{.first = 0, .count = 256}));
  EXPECT_EQ(alexnet.tensors.back().count, 96u * 3 * 11 * 11);
  EXPECT_EQ(alexnet.tensors.back().end(), alexnet.gradients());
}

// 3 channels of 6 x 6; 4 windows of 3 x 3 on them leave 4 x 4, 5 of 2 x 2 leave 3 x 3: 45 inputs.
TEST(Hybrid, ANetworkMayBeGiven) {
  const Hybrid own = parse_hybrid("hybrid(image=3x6, convolutions=4x3+5x2, stack=7+2, samples=10)");
  ASSERT_TRUE(own.network);
  EXPECT_EQ(own.network->channels, 3u);
  EXPECT_EQ(own.network->side, 6u);
  EXPECT_EQ(own.network->convolutions.back().outputs, 5u);
  EXPECT_EQ(own.network->convolutions.back().kernel, 2u);
  EXPECT_EQ(own.network->stack, (std::vector<std::size_t>{7, 2}));
  EXPECT_EQ(own.inputs, 45u);
  EXPECT_EQ(own.kept, 7u * 45 + 2 * 7);
  ASSERT_EQ(own.tensors.size(), 2u);
  EXPECT_EQ(own.tensors[0], (Extent{.first = 0, .count = 5 * 4 * 4}));
  EXPECT_EQ(own.tensors[1], (Extent{.first = 80, .count = 4 * 3 * 9}));
  EXPECT_TRUE(parse_hybrid("hybrid(image=1x2, convolutions=1x1, stack=1, samples=1)").network);
  EXPECT_FALSE(parse_hybrid("hybrid(model=alexnet, samples=1)").network);
}

TEST(Hybrid, WhatIsWrongIsNamed) {
  const std::string how =
      " is missing: hybrid(model=alexnet, samples=64), or hybrid(image=1x12, "
      "convolutions=8x3+16x3, stack=64+10, samples=4)";
  EXPECT_EQ(refusal_of_hybrid("hybrid"), "hybrid: model" + how);
  EXPECT_EQ(refusal_of_hybrid("hybrid(model=alexnet)"), "hybrid: samples" + how);
  EXPECT_EQ(refusal_of_hybrid("hybrid(image=1x4, stack=2, samples=1)"),
            "hybrid: convolutions" + how);
  EXPECT_EQ(refusal_of_hybrid("hybrid(model=gpt2_xl, samples=1)"),
            "hybrid: the last layers of gpt2_xl are not fully connected");
  EXPECT_EQ(refusal_of_hybrid("hybrid(model=alexnet, samples=1000001)"),
            "hybrid: samples=1000001 is more than 1000000");
  EXPECT_NE(refusal_of_hybrid("hybrid(model=alexnett, samples=1)"), "none");
  EXPECT_NE(refusal_of_hybrid("hybrid(model=alexnet, samples=0)"), "none");
  EXPECT_NE(refusal_of_hybrid("hybrid(model=alexnet, samples=1, hosts=2)"), "none");
  EXPECT_NE(refusal_of_hybrid("hybrid(model=alexnet, samples=1, host=-1)"), "none");
  EXPECT_EQ(refusal_of_hybrid("hybrid(model=alexnet, stack=2, samples=1)"),
            "hybrid: model and a network both say what is trained; keep one");
  EXPECT_EQ(refusal_of_hybrid("hybrid(image=1x4, convolutions=2x5, stack=2, samples=1)"),
            "hybrid: a window of 5 x 5 on an image of 4 x 4");
  EXPECT_EQ(refusal_of_hybrid("hybrid(image=1x4, convolutions=2x2x2, stack=2, samples=1)"),
            "hybrid: 2x2x2 is not channels x side, such as 8x3");
  EXPECT_EQ(refusal_of_hybrid("hybrid(image=1x400, convolutions=100x9, stack=2, samples=10)"),
            "hybrid: more than 1e+09 products of a worker's samples; a network that is computed is "
            "a small one");
  EXPECT_NE(refusal_of_hybrid("hybrid(image=0x4, convolutions=2x2, stack=2, samples=1)"), "none");
  EXPECT_EQ(refusal_of_hybrid("hybrid(image=1x4, convolutions=2x2, stack=1000001, samples=1)"),
            "hybrid: 1000001 is more than 1000000");
}

}  // namespace
}  // namespace gradwire::workloads
