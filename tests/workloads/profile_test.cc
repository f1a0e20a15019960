#include "workloads/profile.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Device kToy{.name = "toy", .description = "", .flops = 1e9, .bandwidth = 1e9};

/// A matrix with 1000 multiply-adds and a norm over 1000 activations.
const Model kTwo{
    .name = "two",
    .tensors = {{.name = "w", .shape = {10, 10}, .elements = 100, .forward_macs = 1000},
                {.name = "n", .shape = {10}, .elements = 10, .forward_macs = 1000}}};

TEST(Derive, DenseTensorsCountOperations) {
  const Profile profile = derive(kTwo, {.device = kToy, .batch = 3, .efficiency = 0.5});
  // Two operations per multiply-add forward, four backward, at half of 1e9 per second.
  EXPECT_DOUBLE_EQ(profile.layers[0].forward.count(), 3 * 2000 / 0.5e9);
  EXPECT_DOUBLE_EQ(profile.layers[0].backward.count(), 3 * 4000 / 0.5e9);
}

TEST(Derive, NormsCountBytes) {
  const Profile profile = derive(kTwo, {.device = kToy, .batch = 3, .efficiency = 0.5});
  // Two float32 per activation forward and three backward, at 1e9 bytes per second.
  EXPECT_DOUBLE_EQ(profile.layers[1].forward.count(), 3 * 8000 / 1e9);
  EXPECT_DOUBLE_EQ(profile.layers[1].backward.count(), 3 * 12000 / 1e9);
}

TEST(Derive, ANormCountsOperationsWhereMemoryIsFaster) {
  Device device = kToy;
  device.bandwidth = 1e15;
  const Profile profile = derive(kTwo, {.device = device, .batch = 3, .efficiency = 0.5});
  EXPECT_DOUBLE_EQ(profile.layers[1].forward.count(), 3 * 2000 / 0.5e9);
  EXPECT_DOUBLE_EQ(profile.layers[1].backward.count(), 3 * 4000 / 0.5e9);
}

TEST(Derive, MemoryDecidesForNormsOnEveryDevice) {
  for (const Device& device : devices()) {
    const Profile profile = derive(load_model("resnet50"), {.device = device});
    EXPECT_DOUBLE_EQ(profile.layers[1].forward.count(), 8.0 * 802816 / device.bandwidth);
    EXPECT_DOUBLE_EQ(profile.layers[1].backward.count(), 12.0 * 802816 / device.bandwidth);
    EXPECT_EQ(profile.layers[2].backward.count(), 0) << "a bias costs nothing of its own";
  }
}

TEST(Derive, ResNet50AddsUp) {
  const Device& device = find_device("k80");
  const Profile profile =
      derive(load_model("resnet50"), {.device = device, .batch = 32, .efficiency = 0.35});
  const double dense = 4'089'184'256.0 / (0.35 * 4.37e12);
  const double norms = 11'113'984.0 / 240e9;
  EXPECT_NEAR(profile.forward().count(), 32 * (2 * dense + 8 * norms), 1e-9);
  EXPECT_NEAR(profile.backward().count(), 32 * (4 * dense + 12 * norms), 1e-9);
  EXPECT_EQ(profile.elements(), 25'557'032u);
  EXPECT_EQ(profile.layers.size(), 161u);
}

TEST(Derive, OtherMultiplyAddsGoToDenseTensorsInProportion) {
  const Model model = load_model("bert_large");
  const Device& device = find_device("v100");
  const Profile profile = derive(model, {.device = device, .efficiency = 0.5});
  double norms = 0;
  for (const Tensor& tensor : model.tensors) {
    if (tensor.is_norm()) norms += 8.0 * static_cast<double>(tensor.forward_macs);
  }
  const double all = 155'156'744'192.0 + 28'887'220'224.0;
  EXPECT_NEAR(profile.forward().count(), 2 * all / (0.5 * 15.7e12) + norms / 900e9, 1e-9);
  EXPECT_EQ(profile.layers.front().forward.count(), 0) << "an embedding costs nothing of its own";
}

TEST(Derive, ScalesWithBatchAndDevices) {
  const Model model = load_model("vgg19");
  const Device& device = find_device("k40c");
  const double one = derive(model, {.device = device, .batch = 16}).backward().count();
  EXPECT_NEAR(derive(model, {.device = device, .batch = 64}).backward().count(), 4 * one, 1e-12);
  EXPECT_NEAR(derive(model, {.device = device, .devices = 2, .batch = 64}).backward().count(),
              2 * one, 1e-12);
}

TEST(Derive, SaysThatItIsDerivedAndFromWhat) {
  const Profile profile =
      derive(load_model("vgg19"), {.device = find_device("k40c"), .devices = 2, .batch = 64});
  EXPECT_EQ(profile.source, "derived: 2 k40c at 0.35 of 4.29 Tflop/s float32, batch 64 per host");
  EXPECT_FALSE(profile.measured);
  EXPECT_EQ(profile.model, "vgg19");
}

TEST(Derive, HasALayerPerTensorOfTheModel) {
  const Profile profile = derive(kTwo, {.device = kToy});
  ASSERT_EQ(profile.layers.size(), 2u);
  EXPECT_EQ(profile.layers[0].name, "w");
  EXPECT_THAT(profile.layers[0].tensors, ElementsAre(100));
  EXPECT_EQ(profile.layers[1].name, "n");
}

std::string refusal_of_derivation(const Derivation& derivation) {
  try {
    static_cast<void>(derive(kTwo, derivation));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Derive, RefusesWhatCannotBe) {
  EXPECT_THAT(refusal_of_derivation({.device = kToy, .batch = 0}), HasSubstr("batch"));
  EXPECT_THAT(refusal_of_derivation({.device = kToy, .devices = 0}), HasSubstr("devices"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double efficiency : {0.0, -0.1, 1.01, nan}) {
    EXPECT_THAT(refusal_of_derivation({.device = kToy, .efficiency = efficiency}),
                HasSubstr("efficiency"));
  }
  EXPECT_EQ(refusal_of_derivation({.device = kToy, .efficiency = 1}), "");
}

TEST(TensorExtents, RunBackwardThroughLayersAndTheirTensors) {
  const Profile profile{
      .layers = {{.name = "a", .tensors = {5, 1}}, {.name = "b", .tensors = {3}}}};
  EXPECT_THAT(tensor_extents(profile), ElementsAre(Extent{0, 3}, Extent{3, 1}, Extent{4, 5}));
}

TEST(TensorExtents, AreThoseOfTheModel) {
  const Model model = load_model("resnet50");
  EXPECT_EQ(tensor_extents(derive(model, {.device = kToy})), extents_of(model));
}

}  // namespace
}  // namespace gradwire::workloads
