#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "log_of_writes.h"

/// A disk that loses power: what it may hold afterwards.
///
/// A file's content is safe once the file was synced, an entry of a folder once the folder was.
/// Of what was done since, any part may have reached the disk, in any order: each block of 512 or
/// 4096 bytes may be as it was at any moment since, a block that is new may be zeros or garbage,
/// the file's size may be any that it had since or lie on a block's border between, and each entry
/// may be as before or as after. A rename happens wholly or not at all. This allows more than any
/// file system does that keeps an order.
namespace gradwire::record {

/// Decides what has reached the disk: one leaf of the tree of all choices.
class Choices {
 public:
  /// All first options, which keep everything.
  Choices() = default;
  /// Random ones.
  explicit Choices(std::uint64_t seed) : random_(seed) {}
  /// All last options, which lose everything.
  [[nodiscard]] static Choices last();

  /// One of so many options; 1 or more.
  [[nodiscard]] std::size_t pick(std::size_t options);
  /// The next leaf, of those that are not random. False after the last.
  [[nodiscard]] bool advance();
  /// At how many ways the picks so far could have gone, as a number that does not overflow.
  [[nodiscard]] double ways() const;
  void begin() { picked_ = 0; }

 private:
  struct Digit {
    std::size_t value = 0;
    std::size_t options = 1;
  };

  std::optional<std::mt19937_64> random_;
  bool last_ = false;
  std::vector<Digit> digits_;
  std::size_t picked_ = 0;
};

class Disk {
 public:
  /// What is below `root` now, all of it safe.
  explicit Disk(const std::filesystem::path& root);

  /// Another moment. Throws InternalError for what the log cannot mean.
  void apply(const Logged& logged);

  /// Whether anything is not safe.
  [[nodiscard]] bool has_pending() const;

  /// Writes into `place`, a folder, what a power cut leaves of the root.
  void leave(const std::filesystem::path& place, Choices& choices, std::size_t block) const;

  /// What differs between the root as it would be without a power cut and as it is at `root`:
  /// something that was written and not logged. Empty when nothing does.
  [[nodiscard]] std::string difference_from(const std::filesystem::path& root) const;

 private:
  struct EntryChange {
    std::string gone;  ///< empty: none
    std::string come;  ///< empty: none
    std::size_t node = 0;
  };
  struct Node {
    bool is_folder = false;
    std::string safe;                            ///< content
    std::vector<std::string> since;              ///< contents after each change since
    std::map<std::string, std::size_t> entries;  ///< that are safe
    std::map<std::string, std::size_t> newest;   ///< entries
    std::vector<EntryChange> changes;            ///< of entries since
  };

  std::size_t scan(const std::filesystem::path& path);
  std::size_t add_node(std::uint64_t inode, bool is_folder);
  [[nodiscard]] Node& node(std::uint64_t inode);
  void change_entry(std::uint64_t folder, EntryChange change);
  void change_content(std::uint64_t inode, std::string content);
  void sync(std::uint64_t inode);
  void leave_folder(const Node& folder, const std::filesystem::path& place, Choices& choices,
                    std::size_t block) const;
  [[nodiscard]] static std::string left_of(const Node& file, Choices& choices, std::size_t block);
  void compare(const Node& folder, const std::filesystem::path& place, std::string& found) const;

  std::vector<Node> nodes_;                       ///< the root first
  std::map<std::uint64_t, std::size_t> numbers_;  ///< of the newest node that has an inode
};

}  // namespace gradwire::record
