#include "harness/commands/utf8_arguments.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"

namespace gradwire::commands {
namespace {

std::string refusal(std::vector<std::string> arguments) {
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  try {
    require_utf8(pointers);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Arguments, AreUtf8) {
  EXPECT_EQ(refusal({"gradwire"}), "");
  EXPECT_EQ(refusal({"gradwire", "run", "caf\xc3\xa9.yaml", "-o", "runs"}), "");
  EXPECT_EQ(refusal({"gradwire", "run", "caf\xe9.yaml"}),
            "argument 2 is not UTF-8: 'caf\xef\xbf\xbd.yaml'; give the file another name");
  EXPECT_EQ(refusal({"gradwire", "topo", "cost", "graph(\xff)"}),
            "argument 3 is not UTF-8: 'graph(\xef\xbf\xbd)'; give the file another name");
}

// A scratch folder of any name is told to workers.
TEST(Arguments, OfWhatTheProgramStartsAreTakenAsTheyAre) {
  EXPECT_EQ(refusal({"gradwire", "worker", "--attach", "/caf\xe9/control"}), "");
}

}  // namespace
}  // namespace gradwire::commands
