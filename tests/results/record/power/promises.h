#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// What the store has promised to writer.cc, and whether a folder keeps it.
namespace gradwire::record {

/// Where writer.cc writes, below its root.
inline constexpr const char* kRunPath = "results/runs/one";
inline constexpr const char* kTablePath = "table.csv";

/// What was acknowledged: everything up to these numbers. Numbers begin with 1; 0 is nothing.
struct Promises {
  bool created = false;                        ///< the run folder
  std::map<std::string, std::size_t> samples;  ///< by key of the point: the last one's microseconds
  std::map<std::string, bool> flagged;         ///< by key of the point
  std::size_t timelines = 0;
  std::size_t attempts = 0;  ///< in context.json
  std::size_t results = 0;   ///< the number in results.json
  std::size_t table = 0;     ///< the number in table.csv
};

/// Adds what was said.
void add(Promises& promises, const std::vector<std::string>& said);

/// What `root` holds, which may not be lost from now on. Throws what reading it throws.
[[nodiscard]] Promises found_in(const std::filesystem::path& root);

/// Everything that `root` holds otherwise than was promised: what is lost, half there, or neither
/// what was nor what was about to be; and what keeps a reader from reading, or the run from being
/// resumed. Resumes it, and appends a sample. Empty when all is well.
[[nodiscard]] std::vector<std::string> broken(const std::filesystem::path& root,
                                              const Promises& promises);

}  // namespace gradwire::record
