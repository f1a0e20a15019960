// Keys that are in run folders already: what is added to experiments must leave them as they are.
#include <filesystem>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "harness/run/prepare.h"

namespace gradwire::run {
namespace {

namespace fs = std::filesystem;
using record::Backing;

/// Where the paths of experiments begin, for as long as this lives.
class InFolder {
 public:
  explicit InFolder(const fs::path& folder) { fs::current_path(folder); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;
  ~InFolder() { fs::current_path(before_); }

 private:
  fs::path before_ = fs::current_path();
};

/// A point of results/published.
struct Published {
  const char* experiment;
  Backing backing;
  std::size_t point;
  const char* key;
};

constexpr Published kPublished[] = {
    {"quickstart", Backing::emulated, 1, "9c3a497a5ae4f6fa"},
    {"quickstart", Backing::simulated, 2, "ab067f8e8af2229d"},
    {"figure5", Backing::emulated, 0, "c8d2ed53229b7869"},
    {"bml-figure5", Backing::simulated, 1, "a8fb5929ae7af73b"},
    {"bml-figure6", Backing::simulated, 10, "ff7de68be208c0c2"},
    {"bml-figure7", Backing::simulated, 8, "201b05b776aca97b"},
    {"bml-per-layer", Backing::emulated, 1, "e94510b2a0d4812c"},
    {"collectives", Backing::emulated, 1, "a34c99f712333254"},
    {"all-reduce-lines", Backing::simulated, 15, "6a6eb793280c38db"},
    {"late-multiply-volume", Backing::emulated, 1, "d6473969e18c38fc"},
    {"mg-wfbp", Backing::emulated, 0, "23a11742866f5821"},
    {"mg-wfbp", Backing::simulated, 14, "5b57920e7cd3abcb"},
    {"mg-wfbp-figure9-10gbe", Backing::simulated, 15, "1c3ac9a3e6eff4db"},
    {"mg-wfbp-figure11", Backing::simulated, 18, "983bccf5c284cb6f"},
    {"peers-unshaped", Backing::emulated, 0, "8e3d9ac6bdd3b130"},
    {"ps-incast", Backing::simulated, 11, "3de392f404026396"},
    {"ring-language-model", Backing::simulated, 3, "0824d6ce49f371b2"},
    {"ring-startup", Backing::emulated, 0, "a3fb6f28878d2547"},
    {"fat-tree-nics", Backing::simulated, 3, "41a9af3eb41bcd99"},
    {"vgg19", Backing::simulated, 1, "67bd94a35026188c"},
};

TEST(KnownKeys, OfPublishedPointsAreWhatTheyWere) {
  const InFolder root(GRADWIRE_ROOT);
  for (const Published& known : kPublished) {
    const experiment::Experiment experiment = experiment::load_experiment(
        fs::path("experiments") / (std::string(known.experiment) + ".yaml"));
    EXPECT_EQ(prepare(experiment, known.backing).at(known.point).key, known.key)
        << known.experiment << " " << to_string(known.backing) << " " << known.point;
  }
}

// What no published run has: a graph, failures, gamma beside prices, a processor that is kept busy.
TEST(KnownKeys, OfOtherPointsAreWhatTheyWere) {
  const InFolder experiments(GRADWIRE_ROOT "/experiments");
  const std::string ring = "algorithm: ring\nwiring: single-switch(4)\n";
  const std::pair<std::string, const char*> known[] = {
      {"elements: 9000\nalgorithm: ps\nwiring: graph(graphs/two-leaves.yaml)\n",
       "fbd72664af013af7"},
      {"elements: 9000\nfailures: [{link: 1, at: 2us, until: 9us}, {host: 1, port: 0, at: "
       "50ms}]\n" +
           ring,
       "2333060eba3be48f"},
      {"elements: 9000\nprices: {switch: 9, nic: 3}\ncost: {gamma: 0.5}\n" + ring,
       "35c8694621c03694"},
      {"compute: {trace: googlenet-k80, load: cpu}\nschedule: fixed(cap=25MiB)\n" + ring,
       "87ef6330dadcf093"},
  };
  for (const auto& [keys, key] : known) {
    const experiment::Experiment experiment = experiment::load_experiment_text(
        "gradwire: 1\nname: t\nbacking: simulated\nlink: {rate: 1Gbit}\n" + keys, "x.yaml");
    EXPECT_EQ(prepare(experiment, Backing::simulated).at(0).key, key) << keys;
  }
}

}  // namespace
}  // namespace gradwire::run
