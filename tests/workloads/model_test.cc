#include "workloads/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

using ::testing::HasSubstr;

struct Known {
  const char* name;
  std::size_t tensors;
  std::size_t elements;
};

class EveryModel : public ::testing::TestWithParam<Known> {};

// BML paper, section 4.2 (VGG-19 there without its 14,696 biases); MG-WFBP, Table IV.
INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         ::testing::Values(Known{"lenet5", 8, 3'274'634},
                                           Known{"vgg19", 38, 143'667'240},
                                           Known{"resnet50", 161, 25'557'032}));

TEST_P(EveryModel, HasThePublishedSize) {
  const Model model = load_model(GetParam().name);
  EXPECT_EQ(model.name, GetParam().name);
  EXPECT_EQ(model.tensors.size(), GetParam().tensors);
  EXPECT_EQ(model.elements(), GetParam().elements);
}

TEST_P(EveryModel, ElementsAreTheProductOfTheShape) {
  for (const Tensor& tensor : load_model(GetParam().name).tensors) {
    std::size_t product = 1;
    for (const std::size_t extent : tensor.shape) product *= extent;
    EXPECT_EQ(tensor.elements, product) << tensor.name;
  }
}

TEST(ExtentsOf, TileTheBuffer) {
  const Model model = load_model("lenet5");
  const std::vector<Extent> extents = extents_of(model);
  std::size_t next = 0;
  for (const Extent& extent : extents) {
    EXPECT_EQ(extent.first, next);
    next = extent.end();
  }
  EXPECT_EQ(next, model.elements());
}

TEST(LoadModel, NamesTheModelsThereAre) {
  try {
    static_cast<void>(load_model("lenet6"));
    FAIL() << "lenet6 does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("lenet5, resnet50, vgg19"));
  }
}

}  // namespace
}  // namespace gradwire::workloads
