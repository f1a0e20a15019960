#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workloads/model.h"
#include "workloads/trace.h"

/// The traces of experiments/traces that library/examples/record_profiles.py has recorded.
namespace gradwire::workloads {
namespace {

using ::testing::UnorderedElementsAreArray;

Profile recorded(const std::string& name) {
  return load_trace(std::string(GRADWIRE_ROOT "/experiments/traces/") + name + "-cpu.csv", nullptr);
}

std::vector<std::size_t> elements_of(const Profile& profile) {
  std::vector<std::size_t> elements;
  for (const Layer& layer : profile.layers) {
    elements.insert(elements.end(), layer.tensors.begin(), layer.tensors.end());
  }
  return elements;
}

class RecordedTrace : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, RecordedTrace, ::testing::Values("resnet50", "vgg19"));

TEST_P(RecordedTrace, HasTheModelsTensors) {
  std::vector<std::size_t> of_model;
  for (const Tensor& tensor : load_model(GetParam()).tensors) of_model.push_back(tensor.elements);
  EXPECT_THAT(elements_of(recorded(GetParam())), UnorderedElementsAreArray(of_model));
}

// Convolutions of 5 x 5 with 20 and 50 maps, 800 inputs of 500 neurons, 10 classes.
TEST(RecordedTraces, LeNet5HasTheTensorsOfTheExample) {
  EXPECT_THAT(
      elements_of(recorded("lenet5")),
      UnorderedElementsAreArray({20 * 25, 20, 50 * 20 * 25, 50, 500 * 800, 500, 10 * 500, 10}));
}

TEST(RecordedTraces, SayWhatTheyWereMeasuredOn) {
  for (const char* name : {"lenet5", "resnet50", "vgg19"}) {
    const Profile profile = recorded(name);
    EXPECT_TRUE(profile.measured);
    EXPECT_THAT(profile.source, ::testing::HasSubstr(", 2 threads, torch 1.13")) << name;
    EXPECT_GT(profile.layers.front().backward.count(), 0) << name;
  }
}

}  // namespace
}  // namespace gradwire::workloads
