#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/arguments.h"
#include "topologies/sizes.h"
#include "topologies/topology.h"

/// The wirings by the names that users write. A new wiring is a class of its own and a row here.
namespace gradwire::topologies {

/// The values in a name's parentheses.
struct WiringParameters {
  std::vector<std::size_t> numbers;  ///< numbers above 0, as many as the kind takes
  text::Arguments options;
  std::string_view path = {};  ///< path of a kind that is a file
};

/// One kind of wiring: the form of its names, its description, and its builder.
struct WiringKind {
  std::string_view name;  ///< "fat-tree"
  /// The leading parameters: "n,k", with optional ones in brackets: "a,b[,c]".
  std::string_view parameters;
  std::span<const text::OptionForm> options = {};  ///< options after the parameters, in any order
  /// Whether its ports have addresses (address_plan.h), so that it can be emulated and `gradwire
  /// topo inventory` lays it over hosts. Every kind can be simulated, and measured on hosts whose
  /// inventory lists their ports.
  bool is_emulated = false;
  bool is_file = false;           ///< the parameter is the path of a file
  std::string_view about;         ///< one sentence
  std::string_view paper;         ///< its source; empty if it has none
  std::string_view example = {};  ///< a small one by its canonical name
  /// Builds the wiring. Throws InputError for values that make no wiring.
  std::unique_ptr<const Topology> (*build)(const WiringParameters& parameters) = nullptr;
};

/// All kinds, in the order in which help shows them.
[[nodiscard]] std::span<const WiringKind> wiring_kinds();

/// Whether make_topology() would open a file to build the wiring of this name.
[[nodiscard]] bool names_a_file(std::string_view name);

/// The form of the kind's names, without options: "bcube(n,k)".
[[nodiscard]] std::string form_of(const WiringKind& kind);

/// Builds a wiring from its name: "bcube(n,k)", "fat-tree(p)", "single-switch(n)" and so on; spaces
/// allowed. Options follow the numbers in any order: "fat-tree(8, ecmp, seed=3)". name() lists them
/// in one fixed order and leaves out default values; it builds the same wiring. Throws InputError,
/// without a place, for an unknown kind or option, a parameter out of range, or more than kMaxHosts
/// hosts; sizes are computed in checked arithmetic before anything is allocated. A graph's file
/// (graph.h) is read here, and its errors have a place.
[[nodiscard]] std::unique_ptr<const Topology> make_topology(std::string_view name);

}  // namespace gradwire::topologies
