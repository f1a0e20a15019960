#include "core/source_path.h"

namespace gradwire {
namespace {

bool leaves_its_folder(std::string_view path) {
  return path.starts_with('/') || path.starts_with("../");
}

/// "/home/me/gradwire/core/plan.cc" -> "core/plan.cc".
std::string_view folder_and_name(std::string_view path) {
  const std::size_t name = path.rfind('/');
  if (name == std::string_view::npos || name == 0) return path;
  const std::size_t folder = path.rfind('/', name - 1);
  return folder == std::string_view::npos ? path : path.substr(folder + 1);
}

}  // namespace

std::string_view path_in_project(std::string_view file, std::string_view known,
                                 std::string_view known_path) {
  if (!known.ends_with(known_path)) return folder_and_name(file);
  const std::string_view root = known.substr(0, known.size() - known_path.size());
  if (!file.starts_with(root)) return folder_and_name(file);
  const std::string_view rest = file.substr(root.size());
  return leaves_its_folder(rest) ? folder_and_name(file) : rest;
}

}  // namespace gradwire
