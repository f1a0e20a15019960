#include "harness/run/verification.h"

#include <algorithm>
#include <array>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/text/file.h"
#include "core/text/schemas.h"
#include "core/text/table.h"
#include "core/text/text_check.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // 64 hosts check each other in 1 MB
/// Checks that a message lists.
constexpr std::size_t kMostListed = 40;

std::vector<json> failed_checks(const Verification& verification) {
  std::vector<json> failed;
  for (const json& check : verification.found.at("checks")) {
    if (!check.at("passed").get<bool>()) failed.push_back(check);
  }
  return failed;
}

std::string word(const json& value) {
  return text::plain_line(value.get<std::string>());
}

/// Findings on a host; nullptr when it was not verified.
const json* find_host(const Verification& verification, const std::string& name) {
  for (const json& host : verification.found.at("hosts")) {
    if (host.at("name") == name) return &host;
  }
  return nullptr;
}

}  // namespace

Verification parse_verification(std::string_view text, const std::string& file) {
  const SourcePlace place{.file = file};
  json found = json::parse(text, nullptr, false);
  if (found.is_discarded()) throw InputError(place, "is not JSON");
  if (const auto why = text::why_invalid(found, "verification")) {
    throw InputError(place, fmt::format("is no verification: {}", *why));
  }
  return {.file = file, .found = std::move(found)};
}

std::optional<Verification> load_verification(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::symlink_status(path, ignored).type() ==
      std::filesystem::file_type::not_found) {
    return std::nullopt;
  }
  return parse_verification(text::read_input_file(path, kMostBytes), path.string());
}

std::vector<std::string> objections(const Verification& verification,
                                    const hosts::Inventory& inventory, const std::string& wiring) {
  std::vector<std::string> objections;
  const std::string verified = word(verification.found.at("wiring"));
  if (verified != wiring) {
    objections.push_back(fmt::format("it is of {}, not of {}", verified, wiring));
  }
  const json& hosts = verification.found.at("hosts");
  if (hosts.size() != inventory.hosts.size()) {
    objections.push_back(fmt::format("it is of {} hosts; the inventory has {}", hosts.size(),
                                     inventory.hosts.size()));
  }
  for (std::size_t rank = 0; rank < inventory.hosts.size(); ++rank) {
    const std::string& name = inventory.hosts[rank].name;
    const json* const host = find_host(verification, name);
    if (host == nullptr) {
      objections.push_back(fmt::format("{} was not verified", name));
    } else if (host->at("rank") != rank) {
      objections.push_back(fmt::format("{} was verified as rank {}, and is rank {} here", name,
                                       host->at("rank").dump(), rank));
    }
  }
  const std::size_t failed = failed_checks(verification).size();
  if (failed > 0) {
    objections.push_back(
        fmt::format("{} of {} checks failed", failed, verification.found.at("checks").size()));
  } else if (!verification.found.at("passed").get<bool>()) {
    objections.emplace_back("it did not come to its end");
  }
  return objections;
}

std::vector<std::string> restarts(const Verification& verification, std::span<const json> ranks) {
  std::vector<std::string> restarts;
  for (const json& rank : ranks) {
    const auto name = rank.at("name").get<std::string>();
    const json* const host = find_host(verification, name);
    if (host == nullptr) continue;  // an objection of its own
    const json boot = host->value("boot_id", json());
    if (boot.is_null()) {
      restarts.push_back(fmt::format("{} may have been restarted since: no boot_id", name));
    } else if (boot != rank.at("boot_id")) {
      restarts.push_back(fmt::format("{} was restarted since", name));
    }
  }
  return restarts;
}

std::string format_objections(const Verification& verification,
                              std::span<const std::string> objections) {
  std::string text =
      fmt::format("{}, of {}, does not let these hosts pass", text::plain_line(verification.file),
                  word(verification.found.at("finished")));
  for (const std::string& objection : objections) text += "\n  " + objection;
  const std::vector<json> failed = failed_checks(verification);
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(failed.size(), kMostListed); ++i) {
    rows.push_back({word(failed[i].at("check")), word(failed[i].at("message"))});
  }
  static constexpr std::array<text::Heading, 2> kColumns{{{.left = true}, {.left = true}}};
  text += "\n" + text::format_columns(kColumns, std::move(rows), {.row = "    "});
  if (failed.size() > kMostListed) {
    text += fmt::format("    and {} more\n", failed.size() - kMostListed);
  }
  return text +
         "mend this and run verify.yml again, or measure all the same with "
         "hosts: {verification: ignore} in the experiment";
}

json summary_of(const Verification& verification, std::span<const std::string> ignored) {
  const json& found = verification.found;
  json checks = json::array();
  std::map<std::string, std::size_t> rows;  // of a kind; kinds in the order of the file
  for (const json& check : found.at("checks")) {
    const auto kind = check.at("check").get<std::string>();
    const auto [row, is_new] = rows.emplace(kind, checks.size());
    if (is_new) checks.push_back({{"check", kind}, {"passed", 0}, {"failed", 0}});
    json& count = checks[row->second][check.at("passed").get<bool>() ? "passed" : "failed"];
    count = count.get<std::size_t>() + 1;
  }
  json failures = json::array();
  for (const json& check : failed_checks(verification)) failures.push_back(check.at("message"));
  return {{"file", verification.file},        {"finished", found.at("finished")},
          {"wiring", found.at("wiring")},     {"passed", found.at("passed")},
          {"settings", found.at("settings")}, {"checks", std::move(checks)},
          {"failures", std::move(failures)},  {"ignored", json(ignored)}};
}

}  // namespace gradwire::run
