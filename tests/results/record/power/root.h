#pragma once

#include <filesystem>

#include "tests/results/record/stored_points.h"

// What these tests sync is thrown away a moment later. Included once in each program.
extern "C" int fsync(int) {
  return 0;
}
extern "C" int fdatasync(int) {
  return 0;
}

namespace gradwire::record {

/// A folder in which a writer may write.
class Root {
 public:
  Root() { std::filesystem::create_directory(scratch_ / "root"); }
  [[nodiscard]] std::filesystem::path path() const {
    return std::filesystem::canonical(scratch_ / "root");
  }

 private:
  ScratchFolder scratch_;
};

}  // namespace gradwire::record
