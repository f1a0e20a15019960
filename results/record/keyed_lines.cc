#include "results/record/keyed_lines.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file_descriptor.h"
#include "core/text/file.h"
#include "results/record/ndjson.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 20;

}  // namespace

KeyedLines::KeyedLines(fs::path file, const KeyOf& key_of) : file_(std::move(file)) {
  std::vector<StoreProblem> problems;
  std::size_t next = 0;
  read_ndjson(file_, {}, problems, [&](std::string_view line) {
    const std::size_t first = std::exchange(next, next + line.size() + 1);
    std::vector<Extent>& extents = extents_[key_of(line)];
    if (!extents.empty() && extents.back().first + extents.back().bytes == first) {
      extents.back().bytes += line.size() + 1;
    } else {
      extents.push_back({.first = first, .bytes = line.size() + 1});
    }
  });
  if (!problems.empty()) throw InputError(problems.front().message());
}

std::vector<std::string> KeyedLines::keys() const {
  std::vector<std::string> keys;
  for (const auto& [key, extents] : extents_) keys.push_back(key);
  return keys;
}

void KeyedLines::copy(const std::string& key, int to, const fs::path& called) const {
  const auto found = extents_.find(key);
  if (found == extents_.end()) return;
  const FileDescriptor file(
      checked(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), "open " + file_.string()));
  std::string block(kBlock, '\0');
  for (Extent left : found->second) {
    while (left.bytes > 0) {
      const ssize_t got = ::pread(file.get(), block.data(), std::min(left.bytes, block.size()),
                                  static_cast<off_t>(left.first));
      if (got == -1 && errno == EINTR) continue;
      if (got == -1) throw SystemError("read " + file_.string(), errno);
      if (got == 0) {
        throw InputError(SourcePlace{.file = file_.string()}, "became shorter while it was read");
      }
      const auto bytes = static_cast<std::size_t>(got);
      text::write_all(to, {block.data(), bytes}, called);
      left.first += bytes;
      left.bytes -= bytes;
    }
  }
}

}  // namespace gradwire::record
