#include "core/source_path.h"

#include <gtest/gtest.h>

/// `known` is always what the compiler was given for core/error.cc.
namespace gradwire {
namespace {

std::string_view path(std::string_view file, std::string_view known) {
  return path_in_project(file, known, "core/error.cc");
}

TEST(PathInProject, LosesTheFolderThatTheProjectIsIn) {
  EXPECT_EQ(path("/home/me/gradwire/core/plan.cc", "/home/me/gradwire/core/error.cc"),
            "core/plan.cc");
  EXPECT_EQ(path("/gradwire/transport/tcp/connect.cc", "/gradwire/core/error.cc"),
            "transport/tcp/connect.cc");
}

// As a compiler cache gives them, which makes paths relative to the build folder.
TEST(PathInProject, LosesTheWayUpFromTheBuildFolder) {
  EXPECT_EQ(path("../../transport/tcp/connect.cc", "../../core/error.cc"),
            "transport/tcp/connect.cc");
  EXPECT_EQ(path("./core/plan.cc", "./core/error.cc"), "core/plan.cc");
  EXPECT_EQ(path("core/plan.cc", "core/error.cc"), "core/plan.cc");
}

// One file may have been compiled with an absolute path and the other with a relative one.
TEST(PathInProject, OutsideTheRootKeepsTheLastFolderAndTheName) {
  EXPECT_EQ(path("/home/me/gradwire/core/plan.cc", "../../core/error.cc"), "core/plan.cc");
  EXPECT_EQ(path("/home/me/gradwire/core/plan.cc", "core/error.cc"), "core/plan.cc");
  EXPECT_EQ(path("../../../elsewhere/a/b.cc", "../../core/error.cc"), "a/b.cc");
  EXPECT_EQ(path("/home/me/gradwire/core/plan.cc", "/home/me/gradwire/error.cc"), "core/plan.cc");
  EXPECT_EQ(path("/plan.cc", "/home/me/core/error.cc"), "/plan.cc");
  EXPECT_EQ(path("plan.cc", "/home/me/core/error.cc"), "plan.cc");
}

}  // namespace
}  // namespace gradwire
