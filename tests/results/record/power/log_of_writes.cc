#include "log_of_writes.h"

#include <fstream>
#include <sstream>

#include "core/error.h"
#include "core/name_table.h"

namespace gradwire::record {
namespace {

using Kind = Logged::Kind;

constexpr NameTable<Kind, 8> kKinds({{"file", Kind::file},
                                     {"folder", Kind::folder},
                                     {"write", Kind::write},
                                     {"size", Kind::size},
                                     {"rename", Kind::rename},
                                     {"unlink", Kind::unlink},
                                     {"sync", Kind::sync},
                                     {"said", Kind::said}});

void require(bool holds, const char* what, const std::string& line) {
  if (!holds) throw InternalError(std::string(what) + ": " + line);
}

std::string from_hex(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

Logged parse(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  const auto known = kKinds.find(kind);
  require(known.has_value(), "unknown kind of line in the log", line);
  Logged logged{.kind = *known};
  std::string digits;
  std::uint64_t target = 0;
  switch (logged.kind) {
    case Kind::file:
    case Kind::folder:
      words >> logged.folder >> logged.name >> logged.inode;
      break;
    case Kind::write:
      words >> logged.inode >> logged.number >> digits;
      logged.content = from_hex(digits);
      break;
    case Kind::size:
      words >> logged.inode >> logged.number;
      break;
    case Kind::rename:
      words >> logged.folder >> logged.name >> target >> logged.new_name;
      require(target == logged.folder, "a rename that leaves its folder", line);
      break;
    case Kind::unlink:
      words >> logged.folder >> logged.name;
      break;
    case Kind::sync:
      words >> logged.inode;
      break;
    case Kind::said:
      for (std::string word; words >> word;) logged.words.push_back(word);
      return logged;
  }
  require(!words.fail(), "half a line in the log", line);
  return logged;
}

}  // namespace

std::vector<Logged> read_log(const std::filesystem::path& file) {
  std::ifstream lines(file);
  std::vector<Logged> log;
  for (std::string line; std::getline(lines, line);) log.push_back(parse(line));
  return log;
}

}  // namespace gradwire::record
