#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/id.h"
#include "core/text/spec.h"

/// The order in which ranks stand in a ring, as users write it:
///
///     ring(order=0-3-1-2)             a list
///     ring(order=by-rack.txt)         a file: ranks with spaces or line ends between, and what
///                                     follows a # is a remark
///
/// A file is read where users name it. From there on the name has the list in its place, so that
/// points' keys, workers and stored runs know the order and not where it stood.
namespace gradwire::algorithms {

/// Larger files are refused.
inline constexpr std::size_t kMostOrderBytes = std::size_t{8} << 20;

/// The algorithm with the ranks that its file lists in place of the file's name, which counts from
/// `folder`; any other algorithm as it is. Throws InputError: without a place when there is no such
/// file, and with file, line and column for a word that is no rank, for a rank that the wiring with
/// so many does not have, that stands there twice, or that is missing.
[[nodiscard]] text::Spec with_order_read(text::Spec algorithm, const std::filesystem::path& folder,
                                         std::size_t ranks);

/// The ranks of a list; empty when there is none. Throws InputError, without a place, for the same
/// faults, and for the name of a file: none is read here.
[[nodiscard]] std::vector<Rank> ring_order(const std::optional<std::string>& list,
                                           std::size_t ranks);

}  // namespace gradwire::algorithms
