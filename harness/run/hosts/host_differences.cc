#include "harness/run/hosts/host_differences.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/rank_text.h"
#include "core/text/table.h"

namespace gradwire::run {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  if (value.is_null()) return "unknown";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return value.get<std::string>().empty() ? "-" : value.get<std::string>();
  return value.dump();
}

/// Collects what differs.
class DifferenceCollector {
 public:
  explicit DifferenceCollector(std::span<const json> ranks) : ranks_(ranks) {}

  template <class Get>
  void same(const std::string& what, const Get& get, bool matters = true) {
    add({.what = what, .values = values(get), .matters = matters});
  }
  template <class Get>
  void as_wanted(const std::string& what, const std::string& wanted, const Get& get) {
    add({.what = what, .wanted = wanted, .values = values(get)});
  }

  [[nodiscard]] std::vector<HostDifference> differences() && {
    std::ranges::stable_partition(found_, &HostDifference::matters);
    return std::move(found_);
  }

 private:
  template <class Get>
  [[nodiscard]] std::vector<std::string> values(const Get& get) const {
    std::vector<std::string> values;
    for (const json& rank : ranks_) values.push_back(text_of(get(rank)));
    return values;
  }

  void add(HostDifference found) {
    const std::string& expected = found.wanted ? *found.wanted : found.values.front();
    const bool agreed = std::ranges::all_of(
        found.values, [&expected](const std::string& value) { return value == expected; });
    if (!agreed) found_.push_back(std::move(found));
  }

  std::span<const json> ranks_;
  std::vector<HostDifference> found_;
};

/// "usable" and what the GPU is, or why there is none.
void compare_gpus(DifferenceCollector& collector) {
  collector.as_wanted("GPU", "usable", [](const json& rank) {
    const std::string state = rank.at("gpu");
    return json(state.starts_with("usable") ? "usable" : state);
  });
  collector.same("which GPU", [](const json& rank) { return rank.at("gpu"); });
  collector.same("way of gradients", [](const json& rank) { return rank.at("gradients"); });
  collector.as_wanted("gradients", "reach the transport", [](const json& rank) {
    const std::string way = rank.at("gradients");
    return json(way.starts_with("none") ? way : "reach the transport");
  });
}

void compare_ports(std::span<const json> ranks, const Wanted& wanted,
                   DifferenceCollector& collector) {
  for (std::size_t port = 0; port < ranks.front().at("ports").size(); ++port) {
    const std::string name = fmt::format("port {}: ", port);
    const auto of = [port](const char* key) {
      return [port, key](const json& rank) { return rank.at("ports").at(port).at(key); };
    };
    collector.as_wanted(name + "interface", "up", of("state"));
    collector.as_wanted(name + "has its address", "yes", of("has_address"));
    collector.as_wanted(name + "MTU", fmt::to_string(wanted.mtu), of("mtu"));
    collector.same(name + "Mbit/s", of("mbit_per_s"));
    if (!wanted.rdma) continue;
    collector.same(name + "RDMA device", of("rdma"));
    collector.as_wanted(name + "RDMA", "usable", [of](const json& rank) {
      const std::string state = of("rdma")(rank);
      return json(state.starts_with("usable") ? "usable" : state);
    });
  }
}

/// Values in the order of how many ranks have them, the most first.
std::vector<std::pair<std::string, std::vector<std::size_t>>> by_value(
    const std::vector<std::string>& values) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    auto group = std::ranges::find(groups, values[rank],
                                   [](const auto& one) -> const std::string& { return one.first; });
    if (group == groups.end()) group = groups.insert(group, {values[rank], {}});
    group->second.push_back(rank);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(),
                           [](const auto& one) { return one.second.size(); });
  return groups;
}

}  // namespace

std::vector<HostDifference> host_differences(std::span<const json> ranks, const Wanted& wanted) {
  ensure(!ranks.empty(), "a rank says where it runs");
  DifferenceCollector collector(ranks);
  const auto of = [](const char* key) { return [key](const json& rank) { return rank.at(key); }; };
  collector.same("program", of("program"));
  if (wanted.build) {
    collector.as_wanted("build", *wanted.build, of("build"));
  } else {
    collector.same("build", of("build"));
  }
  collector.same("architecture", of("architecture"));
  collector.same("variables", of("variables"));
  std::set<std::string> libraries;
  for (const json& rank : ranks) {
    for (const auto& library : rank.at("libraries").items()) libraries.insert(library.key());
  }
  for (const std::string& library : libraries) {
    collector.same(library, [&library](const json& rank) {
      return rank.at("libraries").value(library, json("not loaded"));
    });
  }
  collector.same("memory to lock", of("locked_memory"), wanted.rdma);
  if (wanted.gpu) compare_gpus(collector);
  collector.same("kernel", of("kernel"), false);
  compare_ports(ranks, wanted, collector);
  return std::move(collector).differences();
}

std::string format_differences(std::span<const HostDifference> differences) {
  static constexpr std::array<text::Heading, 5> kHeadings{{{.name = "what", .left = true},
                                                           {.name = "wanted", .left = true},
                                                           {.name = "value", .left = true},
                                                           {.name = "ranks", .left = true},
                                                           {.name = "", .left = true}}};
  std::vector<std::vector<std::string>> lines;
  for (const HostDifference& difference : differences) {
    bool first = true;
    for (const auto& [value, ranks] : by_value(difference.values)) {
      const bool odd = difference.wanted ? value != *difference.wanted : !first;
      lines.push_back({first ? difference.what : "",
                       first ? difference.wanted.value_or("the same") : "", value, rank_text(ranks),
                       odd ? "<- odd" : ""});
      first = false;
    }
  }
  return text::format_columns(kHeadings, std::move(lines), text::kNoMargins);
}

}  // namespace gradwire::run
