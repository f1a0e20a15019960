#include "harness/experiment/memory.h"

#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/experiment/overrides.h"

/// The key `memory`.
namespace gradwire::experiment {
namespace {

Experiment experiment_of(const std::string& more) {
  const std::string file =
      "gradwire: 1\n"
      "name: small\n"
      "link: {rate: 40Gbit}\n"
      "wiring: single-switch(4)\n" +
      more;
  return apply(load_experiment_text(file, "x.yaml"), {.inventory = "rack.yaml"});
}

/// "none" when the experiment can be.
std::string refusal(const std::string& more) {
  try {
    check_backings(experiment_of(more));
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

const std::string kDevice = "elements: 100\nalgorithm: ring\nmemory: device\n";

TEST(MemoryKey, IsTheHostsUnlessSaid) {
  EXPECT_EQ(experiment_of("elements: 100\nalgorithm: ring\n").memory, Memory::host);
  EXPECT_EQ(experiment_of(kDevice).memory, Memory::device);
}

TEST(MemoryKey, IsOneOfTwo) {
  EXPECT_THROW(experiment_of("elements: 100\nalgorithm: ring\nmemory: gpu\n"), InputError);
}

TEST(MemoryKey, DevicesAreOfRealHosts) {
  EXPECT_EQ(refusal(kDevice + "backing: hosts\n"), "none");
  EXPECT_EQ(refusal(kDevice + "backing: hosts\ntransport: ucx\n"), "none");
  EXPECT_EQ(refusal(kDevice + "backing: hosts\ntransport: verbs\n"), "none");
  EXPECT_EQ(refusal("elements: 100\nalgorithm: gloo(ring)\nmemory: device\nbacking: hosts\n"),
            "none");
  EXPECT_EQ(refusal(kDevice),
            "x.yaml:7:9: memory: device: emulated hosts have no GPU of their own; use backing: "
            "hosts");
  EXPECT_EQ(refusal(kDevice + "backing: [hosts, simulated]\n"),
            "x.yaml:7:9: memory: device: virtual time has no memory to copy to and from; use "
            "backing: hosts");
}

TEST(MemoryKey, ThatIsOfNoUseIsRefused) {
  EXPECT_EQ(refusal("workload: \"dense(model=alexnet, samples=64)\"\nalgorithm: ring\n"
                    "memory: device\nbacking: hosts\n"),
            "x.yaml:5:11: memory: device: dense layers are multiplied by the host's processors; "
            "use elements or a model");
  EXPECT_EQ(refusal("workload: \"hybrid(image=1x12, convolutions=8x3, stack=64+10, samples=4)\"\n"
                    "algorithm: ring\nmemory: device\nbacking: hosts\n"),
            "x.yaml:5:11: memory: device: hybrid(...) of a network is computed by the host's "
            "processors; use hybrid(...) of a model");
  EXPECT_EQ(refusal("workload: googlenet\nbatch: 8\nalgorithm: ring\nschedule: wfbp\n"
                    "compute: {device: k80}\nmemory: device\nbacking: hosts\n"),
            "x.yaml:10:9: memory: device: training jobs compute on the host; leave compute out");
}

}  // namespace
}  // namespace gradwire::experiment
