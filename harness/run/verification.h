#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "testbed/hosts/inventory.h"

/// Findings of ansible/verify.yml on the hosts of an inventory: verification.json, in the form of
/// results/schema/verification.schema.json.
namespace gradwire::run {

struct Verification {
  std::string file;      ///< name that messages give it
  nlohmann::json found;  ///< follows the schema
};

/// Nothing when there is no such file. Throws InputError that names it when it cannot be read or is
/// not in its form.
[[nodiscard]] std::optional<Verification> load_verification(const std::filesystem::path& path);
/// Verification in a text that messages call `file`. Throws InputError as load_verification.
[[nodiscard]] Verification parse_verification(std::string_view text, const std::string& file);

/// Reasons why a run of `wiring` on these hosts cannot go by it: it is of another wiring, of other
/// hosts, or something did not pass. Empty when it can.
[[nodiscard]] std::vector<std::string> objections(const Verification& verification,
                                                  const hosts::Inventory& inventory,
                                                  const std::string& wiring);

/// Objections because hosts were restarted since: settings may be gone. `ranks` are what
/// examine_surroundings made, with the hosts' names.
[[nodiscard]] std::vector<std::string> restarts(const Verification& verification,
                                                std::span<const nlohmann::json> ranks);

/// Text of Preflight on objections, or restarts: these, a table of the checks that failed, a line
/// each, and what to do.
[[nodiscard]] std::string format_objections(const Verification& verification,
                                            std::span<const std::string> objections);

/// Summary that hosts.json keeps: checks counted by kind, messages of those that failed, and the
/// objections in spite of which was measured.
[[nodiscard]] nlohmann::json summary_of(const Verification& verification,
                                        std::span<const std::string> ignored);

}  // namespace gradwire::run
