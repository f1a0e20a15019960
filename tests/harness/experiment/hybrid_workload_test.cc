#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/experiment/experiment.h"
#include "tests/harness/experiment/refusal.h"

/// Experiments whose workload is hybrid parallelism.
namespace gradwire::experiment {
namespace {

using testing::refusal;
using ::testing::StartsWith;
using testing::with_workload;

TEST(HybridWorkload, HasOneSpelling) {
  const Experiment experiment =
      load_experiment_text(with_workload("hybrid( samples=2,model = alexnet, host=1 )"), "x");
  EXPECT_EQ(experiment.points.at(0).task.workload.name(),
            "hybrid(host=1, model=alexnet, samples=2)");
}

TEST(HybridWorkload, MovesElementsOfAnyTypeThatAdds) {
  const Experiment experiment = load_experiment_text(
      with_workload("hybrid(model=lenet5, samples=2)", "dtype: bfloat16\n"), "x");
  EXPECT_EQ(experiment.points.at(0).task.type, Dtype::bfloat16);
}

TEST(HybridWorkload, WhatIsWrongIsSaidAtItsPlace) {
  EXPECT_THAT(refusal(with_workload("hybrid(model=alexnet)")),
              StartsWith("x.yaml:6:11: hybrid: samples is missing: hybrid(model=alexnet"));
  EXPECT_THAT(refusal(with_workload("hybrid(model=alexnett, samples=2)")),
              StartsWith("x.yaml:6:11: "));
  EXPECT_EQ(refusal(with_workload("hybrid(model=alexnet, samples=2)",
                                  "compute: {device: k80}\nbatch: 3\n")),
            "x.yaml:6:11: a training job needs a model: hybrid(...) computes by itself, or not");
  EXPECT_EQ(refusal(with_workload("hybrid(image=1x4, convolutions=2x2, stack=2, samples=1)",
                                  "dtype: float64\n")),
            "x.yaml:7:8: hybrid(...) of a network computes float32");
}

}  // namespace
}  // namespace gradwire::experiment
