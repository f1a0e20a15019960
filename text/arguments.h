#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "text/spec.h"

namespace gradwire::text {

/// Reads a Spec's arguments, and complains about those that nobody asked for. The Spec must outlive
/// it. Everything throws InputError without a place.
class Arguments {
 public:
  explicit Arguments(const Spec& spec) : spec_(spec) {}

  [[nodiscard]] bool flag(const std::string& name);
  /// A whole number above 0.
  [[nodiscard]] std::size_t number(const std::string& name, std::size_t otherwise);
  /// A size such as 25MiB, above 0.
  [[nodiscard]] std::uint64_t bytes(const std::string& name, std::uint64_t otherwise);

  /// Throws for an argument that was not asked for, a flag with a value, and an option without.
  void finish() const;

 private:
  /// The option's text, or nullptr.
  [[nodiscard]] const std::string* find(const std::string& name);
  void check_known(const std::string& name, const std::set<std::string>& known) const;

  const Spec& spec_;
  std::set<std::string> flags_;    ///< asked for
  std::set<std::string> options_;  ///< likewise
};

}  // namespace gradwire::text
