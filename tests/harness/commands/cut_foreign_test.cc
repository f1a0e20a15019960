#include <gtest/gtest.h>

#include "harness/commands/emulate.h"

namespace gradwire::commands {
namespace {

/// What is cut off a command line, and how many words stay.
struct Cut {
  std::optional<ForeignCommand> foreign;
  int left = 0;
};

Cut cut(std::vector<std::string> words) {
  words.insert(words.begin(), "gradwire");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  Cut result{.foreign = {}, .left = static_cast<int>(argv.size())};
  result.foreign = cut_foreign(result.left, argv.data());
  return result;
}

TEST(CutForeign, TakesWhatStandsBehindTheFirstDashes) {
  const Cut made = cut({"emulate", "bcube(2,2)", "--", "sh", "-c", "[a]", "--", "--rate"});
  EXPECT_EQ(made.foreign, (ForeignCommand{"sh", "-c", "[a]", "--", "--rate"}));
  EXPECT_EQ(made.left, 3);
}

TEST(CutForeign, TakesNothingWithoutDashes) {
  EXPECT_EQ(cut({"emulate", "bcube(2,2)"}).foreign, std::nullopt);
  EXPECT_EQ(cut({"emulate", "bcube(2,2)", "--"}).foreign, ForeignCommand());
}

TEST(CutForeign, LeavesOtherCommandsAlone) {
  const Cut made = cut({"run", "--", "a.yaml"});
  EXPECT_EQ(made.foreign, std::nullopt);
  EXPECT_EQ(made.left, 4);
}

}  // namespace
}  // namespace gradwire::commands
