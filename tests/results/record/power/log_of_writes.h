#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// What the preloaded write_log.cc has logged, and the program it was preloaded into has said.
namespace gradwire::record {

/// A line of the log.
struct Logged {
  /// file, folder: an entry that is new; write, size: a file's content; rename, unlink: entries;
  /// sync: a file or a folder, whole; said: by the program, about what it was promised.
  enum class Kind : std::uint8_t { file, folder, write, size, rename, unlink, sync, said };

  Kind kind = Kind::said;
  std::uint64_t inode = 0;              ///< of what is new, written or synced
  std::uint64_t folder = 0;             ///< that has the entry
  std::string name = {};                ///< of the entry
  std::string new_name = {};            ///< of a renamed entry, in the same folder
  std::size_t number = 0;               ///< write: offset; size: bytes
  std::string content = {};             ///< of a write
  std::vector<std::string> words = {};  ///< that were said
};

/// Throws InternalError for a line of no known form, and for a rename from folder to folder: the
/// store makes none, and Disk knows none.
[[nodiscard]] std::vector<Logged> read_log(const std::filesystem::path& file);

}  // namespace gradwire::record
