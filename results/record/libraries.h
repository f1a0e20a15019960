#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gradwire::record {

/// Libraries of other projects that this program can be built without.
enum class Library : std::uint8_t { gloo, mpi, ucx, verbs, openblas, cuda };
inline constexpr std::array kLibraries = {Library::gloo,  Library::mpi,      Library::ucx,
                                          Library::verbs, Library::openblas, Library::cuda};

/// The library's name: "Gloo", "Open MPI", "UCX", "libibverbs", "OpenBLAS", "CUDA".
[[nodiscard]] std::string to_string(Library library);

/// Libraries that a program was built with.
struct Libraries {
  /// Versions by Library: "1.13.1"; empty for one that the program was built without.
  std::array<std::string_view, kLibraries.size()> versions;

  [[nodiscard]] constexpr std::string_view version(Library library) const {
    return versions[static_cast<std::size_t>(library)];
  }
  [[nodiscard]] constexpr bool has(Library library) const { return !version(library).empty(); }
};

/// Describes the libraries in one line: "with: Gloo 0.5.0, Open MPI 4.1.4, UCX 1.13.1; without:
/// libibverbs". "-" stands for none.
[[nodiscard]] std::string libraries_line(const Libraries& libraries);

/// Checks that the program was built with the library. Throws InputError, without a place, if not:
/// "transport ucx: this gradwire was built without UCX".
void require(const Libraries& libraries, Library library, std::string_view for_what);

}  // namespace gradwire::record
