#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/fuzz/replay.h"

/// Gives each fuzz target the files of its subfolder of some folders, one after the other: every
/// finding that was ever made, and the seeds. A file that is a finding still ends the program as it
/// would end a fuzzer.
namespace {

namespace fs = std::filesystem;
using gradwire::fuzz::Target;

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;  // a target without findings
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void replay(const Target& target, const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  // On the heap and no longer than it is, so that a sanitizer sees a byte too many.
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  target.run(input.data(), input.size());
}

/// Returns how many inputs there were. Throws what the target throws.
std::size_t replay_all(const Target& target, const std::vector<fs::path>& folders) {
  std::size_t replayed = 0;
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_of(folder / target.name)) {
      try {
        replay(target, file);
      } catch (const std::exception& error) {
        throw std::runtime_error(file.string() + ": " + error.what());
      }
      ++replayed;
    }
  }
  return replayed;
}

}  // namespace

int main(int count, char** words) try {
  const std::vector<fs::path> folders(words + 1, words + count);
  for (const Target& target : gradwire::fuzz::targets()) {
    const std::size_t replayed = replay_all(target, folders);
    std::printf("%s: %zu inputs\n", target.name, replayed);
    std::fflush(stdout);
    if (replayed == 0) return 1;  // nothing replayed is nothing tested
  }
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
