#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"
#include "tests/harness/experiment/refusal.h"

/// Experiments whose workload is fully connected layers.
namespace gradwire::experiment {
namespace {

using ::testing::HasSubstr;
using testing::refusal;
using ::testing::StartsWith;
using testing::with_workload;

TEST(DenseWorkload, HasOneSpelling) {
  const Experiment experiment =
      load_experiment_text(with_workload("dense( samples=2,model = alexnet, layer=fc6 )"), "x");
  EXPECT_EQ(experiment.points.at(0).task.workload.name(),
            "dense(layer=fc6, model=alexnet, samples=2)");
}

TEST(DenseWorkload, IsSweptAsAnyOther) {
  const Experiment experiment = load_experiment_text(
      "gradwire: 1\nname: t\nlink: {rate: 1Gbit}\nwiring: single-switch(2)\nsweep: {product: "
      "{algorithm: [ring, all-gather], workload: [\"dense(model=alexnet, samples=1)\", lenet5]}}\n",
      "x");
  ASSERT_EQ(experiment.points.size(), 4u);
  EXPECT_EQ(experiment.points.at(2).task.workload.name(), "dense(model=alexnet, samples=1)");
  EXPECT_EQ(experiment.points.at(3).task.workload.name(), "lenet5");
}

TEST(DenseWorkload, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_EQ(refusal(with_workload("dense(model=alexnet, layer=fc9, samples=2)")),
            "x.yaml:6:11: unknown fully connected layer 'fc9' (did you mean 'fc6'?)");
  EXPECT_THAT(refusal(with_workload("dense(inputs=3, outputs=2)")),
              StartsWith("x.yaml:6:11: dense: samples is missing"));
  EXPECT_THAT(refusal(with_workload("dense(inputs=3, outputs=2, samples=1")),
              HasSubstr("or layers, such as dense(model=alexnet, samples=64)"));
  EXPECT_EQ(refusal(with_workload("dense(inputs=3, outputs=2, samples=1)", "dtype: float64\n")),
            "x.yaml:7:8: dense(...) multiplies float32");
  EXPECT_EQ(refusal(with_workload("dense(inputs=3, outputs=2, samples=1)",
                                  "compute: {device: k80}\nbatch: 3\n")),
            "x.yaml:6:11: a training job needs a model: dense(...) computes by itself");
}

}  // namespace
}  // namespace gradwire::experiment
