#include "workloads/dense.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

std::string refusal(const char* workload) {
  try {
    static_cast<void>(parse_dense(workload));
  } catch (const InputError& error) {
    EXPECT_FALSE(error.has_place());
    return error.what();
  }
  return "none";
}

TEST(Dense, AWorkloadIsTakenForOneByItsName) {
  EXPECT_TRUE(is_dense("dense(inputs=3, outputs=2, samples=1)"));
  EXPECT_TRUE(is_dense("dense (samples=1"));
  EXPECT_TRUE(is_dense("dense"));
  EXPECT_FALSE(is_dense("densenet161"));
  EXPECT_FALSE(is_dense("alexnet"));
  EXPECT_FALSE(is_dense(""));
}

// Late-multiply (2017), section 2.1: 10,000 by 10,000 neurons are 100 million weights.
TEST(Dense, ALayerIsGivenByItsSizes) {
  const DenseStack stack = parse_dense("dense(inputs=10000, outputs=10000, samples=25)");
  ASSERT_EQ(stack.layers.size(), 1u);
  EXPECT_EQ(stack.samples, 25u);
  EXPECT_EQ(stack.weights(), 100'000'000u);
  EXPECT_EQ(stack.values(), 25u * 20'000);  // M (N + K)
}

// AlexNet: K N is 4096 x 9216, 4096 x 4096 and 1000 x 4096; N + K of all three is 26,600.
TEST(Dense, AModelsLayersAreThoseThatEverySamplePassesOnce) {
  const DenseStack all = parse_dense("dense(model=alexnet, samples=64)");
  ASSERT_EQ(all.layers.size(), 3u);
  EXPECT_EQ(all.layers[0].name, "fc6");
  EXPECT_EQ(all.layers[0].inputs, 9216u);
  EXPECT_EQ(all.layers[0].outputs, 4096u);
  EXPECT_EQ(all.layers[2].inputs, 4096u);
  EXPECT_EQ(all.layers[2].outputs, 1000u);
  EXPECT_EQ(all.weights(), 58'621'952u);
  EXPECT_EQ(all.values(), 64u * 26'600);
  const DenseStack one = parse_dense("dense(layer=fc7, model=alexnet, samples=2)");
  ASSERT_EQ(one.layers.size(), 1u);
  EXPECT_EQ(one.weights(), 4096u * 4096);
}

// A table of words is looked up and not multiplied; a layer of a transformer is passed for every word.
TEST(Dense, OtherMatricesAreNone) {
  EXPECT_EQ(parse_dense("dense(model=bert_large, samples=1)").layers.front().name, "pooler");
  EXPECT_EQ(refusal("dense(model=gpt2_xl, samples=1)"),
            "dense: gpt2_xl has no fully connected layer");
}

TEST(Dense, WhatIsMissingOrSaidTwiceIsNamed) {
  const std::string how =
      ": dense(inputs=9216, outputs=4096, samples=64), or dense(model=alexnet, samples=64)";
  EXPECT_EQ(refusal("dense"), "dense: samples is missing" + how);
  EXPECT_EQ(refusal("dense(samples=4)"), "dense: inputs is missing" + how);
  EXPECT_EQ(refusal("dense(samples=4, inputs=4)"), "dense: outputs is missing" + how);
  EXPECT_EQ(refusal("dense(samples=4, inputs=4, outputs=4, layer=fc6)"),
            "dense: layer needs model");
  EXPECT_EQ(refusal("dense(samples=4, inputs=4, model=alexnet)"),
            "dense: inputs and model both say what is connected; keep one");
  EXPECT_EQ(refusal("dense(samples=4, layer=fc66, model=alexnet)"),
            "unknown fully connected layer 'fc66' (did you mean 'fc6'?)");
  EXPECT_EQ(refusal("dense(samples=1000001, inputs=1, outputs=1)"),
            "dense: samples=1000001 is more than 1000000");
  EXPECT_NE(refusal("dense(samples=0, inputs=1, outputs=1)"), "none");
  EXPECT_NE(refusal("dense(model=alexnett, samples=1)"), "none");
  EXPECT_NE(refusal("dense(neurons=4, samples=1)"), "none");
}

}  // namespace
}  // namespace gradwire::workloads
