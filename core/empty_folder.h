#pragma once

namespace gradwire {

/// Removes everything in an open folder, and follows no link. Returns whether the folder is empty:
/// somebody may put files into it meanwhile, and not everything may be removed.
bool empty_folder(int folder) noexcept;

}  // namespace gradwire
