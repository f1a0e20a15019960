#include "workloads/workload.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kDense = "dense(inputs=30, outputs=20, samples=6)";
constexpr const char* kHybrid = "hybrid(host=1, model=lenet5, samples=3)";
constexpr const char* kSmall = "hybrid(convolutions=4x3+6x3, image=1x8, samples=4, stack=12+5)";

TEST(Workload, WithoutANameIsANumberOfElements) {
  const Workload many = parse_workload("", 1234);
  EXPECT_EQ(many.elements(), 1234u);
  EXPECT_EQ(many.name(), "");
  EXPECT_THAT(many.tensors(), IsEmpty());
  EXPECT_EQ(Workload().elements(), 0u) << "a trace decides";
  EXPECT_EQ(Workload(Elements{7}).elements(), 7u);
}

TEST(Workload, OfAModelHasItsTensors) {
  const Workload lenet = parse_workload("lenet5", 5);
  EXPECT_EQ(lenet.elements(), load_model("lenet5").elements()) << "the name decides";
  EXPECT_EQ(lenet.tensors(), extents_of(load_model("lenet5")));
  EXPECT_EQ(lenet.dense(), nullptr);
  EXPECT_EQ(lenet.hybrid(), nullptr);
}

// Late-multiply (2017), section 2.1: the sum is of K N elements, whose tensors nobody places.
TEST(Workload, OfDenseLayersHasTheirGradients) {
  const Workload dense = parse_workload(kDense);
  EXPECT_EQ(dense.elements(), 30u * 20);
  EXPECT_THAT(dense.tensors(), IsEmpty());
  ASSERT_NE(dense.dense(), nullptr);
  EXPECT_EQ(dense.dense()->samples, 6u);
  EXPECT_EQ(dense.hybrid(), nullptr);
}

// Section 2.2: LeNet-5 has two convolutions, each with a bias, before its fully connected layers.
TEST(Workload, OfHybridParallelismHasTheReplicatedGradients) {
  const Workload hybrid = parse_workload(kHybrid);
  EXPECT_EQ(hybrid.elements(), 32u * 25 + 32 + 64 * 32 * 25 + 64);
  EXPECT_EQ(hybrid.tensors(), parse_hybrid(kHybrid).tensors);
  EXPECT_EQ(hybrid.tensors().size(), 4u);
  ASSERT_NE(hybrid.hybrid(), nullptr);
  EXPECT_EQ(hybrid.hybrid()->host, Rank(1));
  EXPECT_EQ(hybrid.dense(), nullptr);
}

TEST(Workload, HasOneSpelling) {
  EXPECT_EQ(parse_workload("lenet5").name(), "lenet5");
  EXPECT_EQ(parse_workload("dense( samples=6,outputs=20, inputs=30 )").name(), kDense);
  EXPECT_EQ(parse_workload("hybrid(model=lenet5, samples=3, host=1)").name(), kHybrid);
  EXPECT_EQ(parse_workload("hybrid(image=1x8, convolutions=4x3+6x3, stack=12+5, samples=4)").name(),
            kSmall);
  for (const char* name : {kDense, kHybrid, kSmall, "vgg19"}) {
    EXPECT_EQ(parse_workload(name).name(), name);
  }
}

// Of large models nothing but the traffic is there.
TEST(Workload, OfDenseLayersAndSmallNetworksIsComputed) {
  EXPECT_TRUE(parse_workload(kDense).is_computed());
  EXPECT_TRUE(parse_workload(kSmall).is_computed());
  EXPECT_FALSE(parse_workload(kHybrid).is_computed());
  EXPECT_FALSE(parse_workload("lenet5").is_computed());
  EXPECT_FALSE(parse_workload("", 9).is_computed());
}

std::string refusal_of(const char* name) {
  try {
    static_cast<void>(parse_workload(name));
  } catch (const InputError& error) {
    EXPECT_FALSE(error.has_place()) << name;
    return error.what();
  }
  return "none";
}

TEST(Workload, WhatIsWrongIsNamed) {
  EXPECT_THAT(refusal_of("lenet6"), HasSubstr("did you mean 'lenet5'?"));
  EXPECT_THAT(refusal_of("dense"), HasSubstr("dense: "));
  EXPECT_THAT(refusal_of("dense(inputs=1"), HasSubstr("dense(inputs=1"));
  EXPECT_EQ(refusal_of("hybrid(model=gpt2_xl, samples=1)"),
            "hybrid: the last layers of gpt2_xl are not fully connected");
  EXPECT_THAT(refusal_of("densely(inputs=1)"), HasSubstr("densely"));
}

}  // namespace
}  // namespace gradwire::workloads
