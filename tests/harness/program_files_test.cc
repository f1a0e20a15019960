// Files that users name, and run folders of somebody else.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "program.h"

namespace gradwire::harness {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using testing::Program;
using testing::read;

class Files : public Program {
 protected:
  void SetUp() override {
    const std::string file = experiment(
        "elements: 9000\nwarmup: 0\niterations: 1\nbacking: simulated\nalgorithm: ring\n"
        "wiring: single-switch(4)\n");
    experiment_ = file;
    ASSERT_EQ(finish(start({"run", file, "-o", run_})), commands::kExitOk)
        << read(scratch_ / "stderr");
  }

  /// Runs a command whose last argument is to be the file that it writes.
  [[nodiscard]] int write(std::vector<std::string> command, const std::string& file) const {
    command.push_back(file);
    return finish(start(std::move(command)));
  }

  /// Whether the program was built with the report's page.
  [[nodiscard]] bool has_page() const {
    static_cast<void>(write({"report", run_, "-o"}, scratch_ / "page.html"));
    return read(scratch_ / "stderr").find("without the report page") == std::string::npos;
  }

  /// Every command that writes a file which the user names.
  [[nodiscard]] std::vector<std::vector<std::string>> writers() const {
    std::vector<std::vector<std::string>> commands{
        {"topo", "export", "bcube(2,2)", "--format", "json", "-o"},
        {"report", run_, "--data"},
        {"compare", run_, run_, "--junit"},
        {"run", experiment_, "-o", scratch_ / "a", "--junit"},
        {"run", experiment_, "-o", scratch_ / "b", "--trace"}};
    if (has_page()) commands.push_back({"report", run_, "-o"});
    return commands;
  }

  std::string experiment_;
  const std::string run_ = scratch_ / "run";
};

TEST_F(Files, StayTheDevicesThatTheyAre) {
  const std::string device = scratch_ / "null";
  if (::mknod(device.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) {
    GTEST_SKIP() << "no right to make a device";
  }
  for (const auto& command : writers()) {
    EXPECT_EQ(write(command, device), commands::kExitOk) << read(scratch_ / "stderr");
    EXPECT_TRUE(fs::is_character_file(device)) << command.front() << " " << command.back();
  }
}

TEST_F(Files, AreWrittenWhereLinksLead) {
  for (const auto& command : writers()) {
    for (const fs::path& file : {scratch_ / "target", scratch_ / "link"}) fs::remove(file);
    fs::create_symlink("target", scratch_ / "link");
    EXPECT_EQ(write(command, scratch_ / "link"), commands::kExitOk) << read(scratch_ / "stderr");
    EXPECT_TRUE(fs::is_symlink(scratch_ / "link")) << command.front() << " " << command.back();
    EXPECT_GT(fs::file_size(scratch_ / "target"), 0u);
  }
}

// A folder of somebody else may have links where a run has files; what they lead to is not the
// run's to change.
TEST_F(Files, OfARunAreNoLinks) {
  for (const std::string name : {"samples.ndjson", "points.ndjson", "timelines.ndjson"}) {
    const fs::path folder = scratch_ / ("copy-" + name);
    fs::copy(run_, folder, fs::copy_options::recursive);
    std::ofstream(scratch_ / "victim") << "precious";
    fs::remove(folder / name);
    fs::create_symlink("../victim", folder / name);
    EXPECT_EQ(finish(start({"run", "--resume", folder})), commands::kExitUsage) << name;
    EXPECT_THAT(read(scratch_ / "stderr"), HasSubstr(name + ": is a symbolic link"));
    EXPECT_EQ(read(scratch_ / "victim"), "precious") << name;
  }
}

}  // namespace
}  // namespace gradwire::harness
