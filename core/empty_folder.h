#pragma once

namespace gradwire {

/// Removes everything in an open folder without following links. Returns whether the folder is
/// empty: others may put files into it meanwhile, and some files may not be removable.
bool empty_folder(int folder) noexcept;

}  // namespace gradwire
