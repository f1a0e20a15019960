#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/arguments.h"
#include "results/record/backing.h"

/// Everything that users name, from the registries that the program itself goes by: what `gradwire
/// list`, help, the tables of pages, and shells that complete a command line show.
namespace gradwire::commands {

/// A column that one list has and others lack. Views of static text.
struct Fact {
  std::string_view heading;
  std::string_view unit = "";
  std::string cell;
};

/// One name.
struct Listed {
  std::string name;              ///< its spelling: "ring", "gloo(ring)", "bcube(n,k)"
  std::string typed;             ///< the part of it that is typed, and so completed: "bcube("
  std::vector<Fact> facts = {};  ///< with the same headings in the whole list
  std::span<const text::OptionForm> options = {};  ///< options that it takes in parentheses
  std::vector<record::Backing> runs = {};          ///< backings on which it can be used
  std::string about;                               ///< a phrase that says what it is
  std::string paper = {};                          ///< the source it comes from; may be empty
};

/// All names of one kind.
struct Registry {
  std::string_view name;   ///< "wirings", as `gradwire list` takes it
  std::string_view value;  ///< "WIRING": how help calls an argument that is one of them
  std::string_view about;  ///< a phrase that says what they are
  std::vector<Listed> (*rows)() = nullptr;
};

/// Wirings, algorithms, schedules, workloads, traces, devices, transports.
[[nodiscard]] std::span<const Registry> registries();

/// The registry whose value help calls so, or nullptr.
[[nodiscard]] const Registry* registry_of(std::string_view value);

/// The names with commas between, for help: "tcp, ucx, ucx-rc, verbs". Requires that a registry has
/// that value.
[[nodiscard]] std::string names_of(std::string_view value);

}  // namespace gradwire::commands
