#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "program.h"
#include "results/record/sealed_line.h"

/// gradwire compare, and the gates of gradwire run, on simulations, which need no namespaces.
namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

class Compare : public Program {
 protected:
  void SetUp() override {}  // does not ask whether the machine can emulate

  /// A simulated run of ring and bml; `keys` change it.
  [[nodiscard]] fs::path simulate(const std::string& name, const std::string& keys = "") const {
    const std::string file = experiment(
        "backing: simulated\nelements: 90000\nsweep:\n  zip:\n    algorithm: [ring, bml]\n"
        "    wiring: [single-switch(9), \"bcube(3,2)\"]\n" +
        keys);
    const fs::path out = scratch_ / name;
    EXPECT_EQ(finish(start({"run", file, "-o", out})), commands::kExitOk)
        << read(scratch_ / "stderr");
    return out;
  }

  [[nodiscard]] int compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return finish(start(arguments));
  }

  [[nodiscard]] std::string out() const { return read(scratch_ / "stdout"); }
  [[nodiscard]] std::string err() const { return read(scratch_ / "stderr"); }
};

TEST_F(Compare, ARunIsAsFastAsItself) {
  const fs::path a = simulate("a");
  const fs::path b = simulate("b");
  EXPECT_EQ(compare({a, b, "--max-gst-ratio", "1.0001"}), commands::kExitOk) << err();
  EXPECT_THAT(out(), AllOf(HasSubstr("# geometric mean of the gst ratios: 1.0000\n"),
                           HasSubstr("single-switch(9)"), HasSubstr("bcube(3,2)")));
}

TEST_F(Compare, RefusesOtherLinksUnlessToldTo) {
  const fs::path a = simulate("a");
  const fs::path slow = scratch_ / "slow";
  ASSERT_EQ(finish(start({"run", scratch_ / "experiment.yaml", "-o", slow, "--rate", "500Mbit"})),
            commands::kExitOk);
  EXPECT_EQ(compare({a, slow}), commands::kExitPreflight);
  EXPECT_EQ(out(), "");
  EXPECT_THAT(err(), HasSubstr("cannot be compared: experiment.link.rate_bits_per_s: 1000000000.0 "
                               "in A, 500000000.0 in B"));
  EXPECT_EQ(compare({a, slow, "--anyway"}), commands::kExitOk);
  EXPECT_THAT(out(), HasSubstr("# geometric mean of the gst ratios: 2.0000\n"));
  EXPECT_EQ(compare({a, slow, "--json"}), commands::kExitPreflight);
  EXPECT_EQ(nlohmann::json::parse(out()).at("refused"), true);
}

// Half the rate takes twice the time.
TEST_F(Compare, GatesByTheRatioAndSaysSoInJunit) {
  const fs::path a = simulate("a");
  const fs::path slow = scratch_ / "slow";
  ASSERT_EQ(finish(start({"run", scratch_ / "experiment.yaml", "-o", slow, "--rate", "500Mbit"})),
            commands::kExitOk);
  const fs::path xml = scratch_ / "junit.xml";
  EXPECT_EQ(compare({a, slow, "--anyway", "--max-gst-ratio", "1.05", "--junit", xml}),
            commands::kExitGate);
  EXPECT_THAT(err(),
              AllOf(HasSubstr("ring on single-switch(9), 90000 elements, simulated: GST is "),
                    HasSubstr("bml on bcube(3,2), 90000 elements, simulated: GST is ")));
  pugi::xml_document document;
  ASSERT_TRUE(document.load_file(xml.c_str()));
  const auto suite = document.child("testsuites").child("testsuite");
  EXPECT_EQ(suite.attribute("tests").as_int(), 3);
  EXPECT_EQ(suite.attribute("failures").as_int(), 2);
  EXPECT_EQ(compare({slow, a, "--anyway", "--max-gst-ratio", "1.05"}), commands::kExitOk) << err();
}

TEST_F(Compare, FoldersWithProblemsAreComparedAsFarAsTheyGo) {
  const fs::path a = simulate("a");
  const fs::path b = simulate("b");
  std::ofstream(b / "samples.ndjson", std::ios::app) << "{\"damaged\":\n";
  EXPECT_EQ(compare({a, b}), commands::kExitUsage);
  EXPECT_THAT(err(), HasSubstr("samples.ndjson:3:"));
  EXPECT_THAT(out(), HasSubstr("geometric mean"));
}

TEST_F(Compare, WrongSumsHaveTheirOwnExitCode) {
  const fs::path a = simulate("a");
  const fs::path b = simulate("b");
  std::istringstream lines(read(b / "samples.ndjson"));
  std::ofstream rewritten(b / "samples.ndjson");
  for (std::string line; std::getline(lines, line);) {
    auto sample = nlohmann::json::parse(line);
    sample.erase("crc32");
    sample["wrong"] = 3;
    rewritten << record::seal(sample) << "\n";
  }
  rewritten.close();
  EXPECT_EQ(compare({a, b}), commands::kExitWrongData);
  EXPECT_THAT(err(), HasSubstr("cannot be compared: wrong elements: 0 in A, 3 in B (ring on "
                               "single-switch(9), 90000 elements, simulated, and 1 more)"));
  EXPECT_EQ(compare({a, b, "--anyway", "--max-gst-ratio", "1.05"}), commands::kExitWrongData);
}

TEST_F(Compare, RefusesWhatIsNoRunAndNoRatio) {
  const fs::path a = simulate("a");
  EXPECT_EQ(compare({a, scratch_ / "nowhere"}), commands::kExitUsage);
  EXPECT_EQ(compare({a, scratch_}), commands::kExitUsage);
  EXPECT_EQ(compare({a}), commands::kExitUsage);
  for (const char* ratio : {"0", "-1", "nan", "inf", "much"}) {
    EXPECT_EQ(compare({a, a, "--max-gst-ratio", ratio}), commands::kExitUsage) << ratio;
  }
  EXPECT_EQ(compare({a, a, "--junit", scratch_ / "nowhere" / "x.xml"}), commands::kExitUsage);
  EXPECT_THAT(err(), HasSubstr("--junit: cannot write into "));
}

// Without start-up costs a ring reaches its bound; 16 messages of 10 ms each are not in it.
TEST_F(Compare, ARunIsHeldAgainstItsBound) {
  const std::string file = experiment(
      "backing: simulated\nelements: 90000\nalgorithm: ring\nwiring: single-switch(9)\n");
  EXPECT_EQ(finish(start({"run", file, "-o", scratch_ / "a", "--min-eff", "90%"})),
            commands::kExitOk)
      << err();
  const fs::path xml = scratch_ / "junit.xml";
  const fs::path slow = scratch_ / "slow.yaml";
  std::ofstream(slow) << "gradwire: 1\nname: slow\nlink: {rate: 1Gbit, mtu: 9000, startup: 10ms}\n"
                         "backing: simulated\nelements: 90000\nalgorithm: ring\n"
                         "wiring: single-switch(9)\n";
  EXPECT_EQ(finish(start({"run", slow, "-o", scratch_ / "b", "--min-eff", "90%", "--junit", xml})),
            commands::kExitGate);
  EXPECT_THAT(err(), HasSubstr("ring on single-switch(9), 90000 elements, simulated: eff "));
  EXPECT_TRUE(fs::exists(scratch_ / "b" / "results.json")) << "what was measured is kept";
  EXPECT_THAT(read(xml), AllOf(HasSubstr("<failure message=\"eff "), HasSubstr("name=\"slow\"")));
  EXPECT_EQ(finish(start({"run", slow, "--min-eff", "90"})), commands::kExitUsage);
}

}  // namespace
}  // namespace gradwire::harness
