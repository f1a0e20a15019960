#pragma once

#include <string_view>

namespace gradwire {

/// Where a source file stands in the project, such as "core/plan.cc", whatever folder it was built
/// in. `file` is the path that the compiler was given. `known` is the same for a file of which we
/// know that it stands at `known_path`: what precedes `known_path` there is the project's root.
///
/// A file that is not below that root (another one was given by an absolute path, say) keeps its
/// last folder and its name, so that the result never names a folder of the machine that built it.
[[nodiscard]] std::string_view path_in_project(std::string_view file, std::string_view known,
                                               std::string_view known_path);

}  // namespace gradwire
