#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

/// The table of docs/architecture.md, "Folders and who may include whom", and what goes with it.
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = GRADWIRE_ROOT;

const std::map<std::string, std::set<std::string>> kMayInclude{
    {"core", {}},
    {"topologies", {"core"}},
    {"workloads", {"core"}},
    {"ps", {"core", "topologies"}},
    {"ringallreduce", {"core", "topologies"}},
    {"bml", {"core", "topologies"}},
    {"collectives", {"core", "topologies"}},
    {"schedule", {"core", "workloads"}},
    {"transport", {"core"}},
    {"peers", {"core", "transport"}},
    {"simulator", {"core", "topologies"}},
    {"testbed", {"core", "topologies"}},
    {"harness",
     {"core", "topologies", "workloads", "ps", "ringallreduce", "bml", "collectives", "schedule",
      "transport", "peers", "simulator", "testbed"}},
    {"reproduce",
     {"core", "topologies", "workloads", "ps", "ringallreduce", "bml", "collectives", "schedule",
      "transport", "peers", "simulator", "testbed", "harness"}},
};

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (extension == ".h" || extension == ".cc") sources.push_back(entry.path());
  }
  return sources;
}

std::vector<std::string> included_folders(const std::string& text) {
  static const std::regex kInclude(R"re(#include "([a-z]+)/)re");
  std::vector<std::string> folders;
  for (std::sregex_iterator match(text.begin(), text.end(), kInclude), end; match != end; ++match) {
    folders.push_back((*match)[1]);
  }
  return folders;
}

TEST(Layering, FoldersIncludeOnlyWhatTheyMay) {
  for (const auto& [folder, allowed] : kMayInclude) {
    const auto sources = sources_in(kRoot / folder);
    ASSERT_FALSE(sources.empty()) << folder;
    for (const fs::path& source : sources) {
      for (const std::string& included : included_folders(read(source))) {
        EXPECT_TRUE(included == folder || allowed.contains(included))
            << source << " includes " << included;
      }
    }
  }
}

TEST(Layering, TheReaderOfIncludesSeesOurFoldersOnly) {
  EXPECT_EQ(included_folders("#include \"bml/plan.h\"\n#include <bml/x.h>\n"),
            std::vector<std::string>{"bml"});
}

TEST(Layering, NothingPrintsBelowThePrograms) {
  const std::regex prints(
      R"(std::cout|std::cerr|\bprintf\(|fprintf\(|fmt::print\(|#include <iostream>|spdlog)");
  for (const auto& [folder, allowed] : kMayInclude) {
    if (folder == "harness") continue;
    for (const fs::path& source : sources_in(kRoot / folder)) {
      if (source == kRoot / "reproduce" / "main.cc") continue;
      EXPECT_FALSE(std::regex_search(read(source), prints)) << source;
    }
  }
}

TEST(Layering, NoShell) {
  const std::regex shell(R"(\b(system|popen)\(|"sh -c|"/bin/sh)");
  for (const auto& [folder, allowed] : kMayInclude) {
    for (const fs::path& source : sources_in(kRoot / folder)) {
      EXPECT_FALSE(std::regex_search(read(source), shell)) << source;
    }
  }
}

// A test that nobody builds is worse than none.
TEST(Tests, EveryTestFileIsBuilt) {
  std::set<fs::path> built;
  std::ifstream list(GRADWIRE_TEST_LIST);
  for (std::string line; std::getline(list, line);) built.insert(line);
  ASSERT_GT(built.size(), 10u);
  for (const fs::path& source : sources_in(kRoot / "tests")) {
    if (!source.filename().string().ends_with("_test.cc")) continue;
    EXPECT_TRUE(built.contains(source)) << source << " is in no gradwire_test";
  }
}

}  // namespace
