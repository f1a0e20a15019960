#include "disk.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <sys/stat.h>

#include "core/error.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

/// States of one file that are looked at, of the many that it may have been in.
constexpr std::size_t kMostVersions = 4;
constexpr std::size_t kMostSizes = 6;

std::uint64_t inode_of(const fs::path& path) {
  struct stat status {};
  checked(::stat(path.c_str(), &status), "look at " + path.string());
  return status.st_ino;
}

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// As long as asked for, with zeros where there is nothing.
std::string part(const std::string& content, std::size_t first, std::size_t size) {
  std::string bytes = first < content.size() ? content.substr(first, size) : "";
  bytes.resize(size, '\0');
  return bytes;
}

/// What was on the disk before the file had the block: bytes of any value, with ends of lines.
std::string garbage(std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 131 % 251);
  return bytes;
}

/// Each once, those that come first kept.
template <class Value>
void keep_first(std::vector<Value>& values, std::size_t most) {
  std::vector<Value> kept;
  for (Value& value : values) {
    if (std::ranges::find(kept, value) == kept.end()) kept.push_back(std::move(value));
  }
  // The last one is the safe one, which may not be left out.
  if (kept.size() > most) kept.erase(kept.begin() + static_cast<long>(most) - 1, kept.end() - 1);
  values = std::move(kept);
}

}  // namespace

Choices Choices::last() {
  Choices choices;
  choices.last_ = true;
  return choices;
}

std::size_t Choices::pick(std::size_t options) {
  if (last_) return options - 1;
  if (random_) return (*random_)() % options;
  if (picked_ == digits_.size()) digits_.push_back({.options = options});
  return digits_[picked_++].value;
}

bool Choices::advance() {
  digits_.resize(picked_);
  while (!digits_.empty() && digits_.back().value + 1 == digits_.back().options) digits_.pop_back();
  if (digits_.empty()) return false;
  ++digits_.back().value;
  return true;
}

double Choices::ways() const {
  double ways = 1;
  for (const Digit& digit : digits_) ways *= static_cast<double>(digit.options);
  return ways;
}

Disk::Disk(const fs::path& root) {
  static_cast<void>(scan(root));
}

std::size_t Disk::scan(const fs::path& path) {
  const bool is_folder = fs::is_directory(path);
  const std::size_t number = add_node(inode_of(path), is_folder);
  if (!is_folder) nodes_[number].safe = content_of(path);
  if (!is_folder) return number;
  std::map<std::string, std::size_t> entries;
  for (const auto& entry : fs::directory_iterator(path)) {
    entries[entry.path().filename()] = scan(entry.path());
  }
  nodes_[number].entries = entries;
  nodes_[number].newest = std::move(entries);
  return number;
}

std::size_t Disk::add_node(std::uint64_t inode, bool is_folder) {
  nodes_.push_back({.is_folder = is_folder});
  numbers_[inode] = nodes_.size() - 1;
  return nodes_.size() - 1;
}

Disk::Node& Disk::node(std::uint64_t inode) {
  const auto found = numbers_.find(inode);
  if (found == numbers_.end()) throw InternalError("the log has an inode that it never made");
  return nodes_[found->second];
}

void Disk::change_entry(std::uint64_t folder, EntryChange change) {
  Node& changed = node(folder);
  if (!change.gone.empty()) changed.newest.erase(change.gone);
  if (!change.come.empty()) changed.newest[change.come] = change.node;
  changed.changes.push_back(std::move(change));
}

void Disk::change_content(std::uint64_t inode, std::string content) {
  node(inode).since.push_back(std::move(content));
}

void Disk::sync(std::uint64_t inode) {
  Node& synced = node(inode);
  if (!synced.since.empty()) synced.safe = synced.since.back();
  synced.since.clear();
  synced.entries = synced.newest;
  synced.changes.clear();
}

void Disk::apply(const Logged& logged) {
  using Kind = Logged::Kind;
  const auto newest = [this](std::uint64_t inode) {
    const Node& file = node(inode);
    return file.since.empty() ? file.safe : file.since.back();
  };
  if (logged.kind == Kind::file || logged.kind == Kind::folder) {
    const std::size_t made = add_node(logged.inode, logged.kind == Kind::folder);
    change_entry(logged.folder, {.gone = "", .come = logged.name, .node = made});
  } else if (logged.kind == Kind::write) {
    std::string content = newest(logged.inode);
    content.resize(std::max(content.size(), logged.number + logged.content.size()), '\0');
    content.replace(logged.number, logged.content.size(), logged.content);
    change_content(logged.inode, std::move(content));
  } else if (logged.kind == Kind::size) {
    std::string content = newest(logged.inode);
    content.resize(logged.number, '\0');
    change_content(logged.inode, std::move(content));
  } else if (logged.kind == Kind::rename) {
    const std::size_t moved = node(logged.folder).newest.at(logged.name);
    change_entry(logged.folder, {.gone = logged.name, .come = logged.new_name, .node = moved});
  } else if (logged.kind == Kind::unlink) {
    change_entry(logged.folder, {.gone = logged.name, .come = "", .node = 0});
  } else if (logged.kind == Kind::sync) {
    sync(logged.inode);
  }
}

bool Disk::has_pending() const {
  return std::ranges::any_of(
      nodes_, [](const Node& node) { return !node.since.empty() || !node.changes.empty(); });
}

void Disk::leave(const fs::path& place, Choices& choices, std::size_t block) const {
  choices.begin();
  leave_folder(nodes_.front(), place, choices, block);
}

void Disk::leave_folder(const Node& folder, const fs::path& place, Choices& choices,
                        std::size_t block) const {
  std::map<std::string, std::size_t> entries = folder.entries;
  for (const EntryChange& change : folder.changes) {
    if (choices.pick(2) != 0) continue;
    if (!change.gone.empty()) entries.erase(change.gone);
    if (!change.come.empty()) entries[change.come] = change.node;
  }
  for (const auto& [name, number] : entries) {
    const Node& entry = nodes_[number];
    if (entry.is_folder) {
      fs::create_directory(place / name);
      leave_folder(entry, place / name, choices, block);
    } else {
      std::ofstream(place / name) << left_of(entry, choices, block);
    }
  }
}

std::string Disk::left_of(const Node& file, Choices& choices, std::size_t block) {
  if (file.since.empty()) return file.safe;
  std::vector<std::string> versions(file.since.rbegin(), file.since.rend());
  versions.push_back(file.safe);
  keep_first(versions, kMostVersions);
  std::vector<std::size_t> sizes;
  for (const std::string& version : versions) sizes.push_back(version.size());
  const std::size_t longest = *std::ranges::max_element(sizes);
  for (std::size_t size = file.safe.size() / block * block; size < longest; size += block) {
    if (size > file.safe.size()) sizes.insert(sizes.end() - 1, size);
  }
  keep_first(sizes, kMostSizes);
  const std::size_t size = sizes[choices.pick(sizes.size())];
  std::string left;
  while (left.size() < size) {
    std::vector<std::string> options;
    for (const std::string& version : versions) {
      options.push_back(part(version, left.size(), block));
    }
    // Not the first block of a file: one of ours that begins with garbage is not told from one
    // that is somebody else's, and is refused (results/record/line_file.h).
    const bool is_new = left.size() >= file.safe.size();
    if (is_new && left.size() > 0) options.insert(options.end() - 1, garbage(block));
    keep_first(options, options.size());
    left += options[choices.pick(options.size())];
  }
  left.resize(size);
  return left;
}

std::string Disk::difference_from(const fs::path& root) const {
  std::string found;
  compare(nodes_.front(), root, found);
  return found;
}

void Disk::compare(const Node& folder, const fs::path& place, std::string& found) const {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(place)) names.insert(entry.path().filename());
  for (const auto& [name, number] : folder.newest) {
    const Node& entry = nodes_[number];
    if (names.erase(name) == 0) {
      found += " missing: " + (place / name).string();
    } else if (entry.is_folder) {
      compare(entry, place / name, found);
    } else if (content_of(place / name) !=
               (entry.since.empty() ? entry.safe : entry.since.back())) {
      found += " other content: " + (place / name).string();
    }
  }
  for (const std::string& name : names) found += " not logged: " + (place / name).string();
}

}  // namespace gradwire::record
