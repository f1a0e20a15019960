#include "harness/workers/session/mpirun_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "testbed/scratch_folder.h"

namespace gradwire::workers {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Open MPI splits an agent's command at spaces, and agents at colons.
TEST(AgentWord, IsRefusedWhereOpenMpiWouldCutIt) {
  EXPECT_EQ(agent_word("/tmp/gw-1/config", "TMPDIR"), "/tmp/gw-1/config");
  EXPECT_EQ(agent_word("/tmp/a'b$x/config", "TMPDIR"), "/tmp/a'b$x/config");
  for (const char* path : {"/tmp/a b/config", "/tmp/a:b/config", "/tmp/a\tb/config"}) {
    try {
      static_cast<void>(agent_word(path, "TMPDIR"));
      ADD_FAILURE() << path;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("TMPDIR: Open MPI cuts"));
    }
  }
}

TEST(LinkedWord, IsTheProgramOrALinkToIt) {
  const testbed::ScratchFolder folder("gw-test");
  EXPECT_EQ(linked_word("/opt/gradwire", folder.path()), "/opt/gradwire");
  const std::string word = linked_word("/opt/my tools: all/gradwire", folder.path());
  EXPECT_EQ(word.find(' '), std::string::npos);
  EXPECT_EQ(fs::read_symlink(word), "/opt/my tools: all/gradwire");
}

}  // namespace
}  // namespace gradwire::workers
