#include "harness/experiment/sweep.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "harness/experiment/experiment.h"

namespace gradwire::experiment {
namespace {

constexpr std::array kSweepable = std::to_array<std::string_view>(
    {"algorithm", "wiring", "workload", "elements", "size", "dtype", "batch", "schedule"});

Setting setting_of(const text::YamlDocument& document, const text::YamlNode& node) {
  return {.text = node.text, .place = document.place(node.position)};
}

Settings fixed_settings(const text::YamlDocument& document) {
  Settings fixed;
  for (const text::YamlEntry& entry : document.root.entries) {
    if (std::ranges::find(kSweepable, entry.key) == kSweepable.end()) continue;
    fixed.emplace(entry.key, setting_of(document, entry.value));
  }
  return fixed;
}

/// In "[ring, bcube(3,2)]" YAML reads three items. Left alone, that would surface as an unknown
/// wiring or an unequal length; say what happened instead.
void refuse_broken_items(const text::YamlDocument& document, const text::YamlEntry& list) {
  for (const text::YamlNode& item : list.value.items) {
    if (item.quoted || std::ranges::count(item.text, '(') == std::ranges::count(item.text, ')')) {
      continue;
    }
    throw InputError(
        document.place(item.position),
        fmt::format("'{}': a comma in a [list] begins the next item; put names that have one in "
                    "quotes, as in \"bcube(3,2)\"",
                    item.text));
  }
}

/// The lists of sweep.zip or sweep.product, or nothing.
std::vector<text::YamlEntry> lists_of(const text::YamlDocument& document, std::string_view kind) {
  const text::YamlEntry* const sweep = document.root.find("sweep");
  const text::YamlEntry* const lists = sweep == nullptr ? nullptr : sweep->value.find(kind);
  if (lists == nullptr) return {};
  for (const text::YamlEntry& list : lists->value.entries) refuse_broken_items(document, list);
  return lists->value.entries;
}

void refuse_repeated_keys(const text::YamlDocument& document, const Settings& fixed,
                          const std::vector<text::YamlEntry>& zip,
                          const std::vector<text::YamlEntry>& product) {
  for (const std::vector<text::YamlEntry>* lists : {&zip, &product}) {
    for (const text::YamlEntry& list : *lists) {
      if (!fixed.contains(list.key)) continue;
      throw InputError(document.place(list.position),
                       fmt::format("'{}' is swept here and fixed on line {}", list.key,
                                   fixed.at(list.key).place.line));
    }
  }
  for (const text::YamlEntry& list : product) {
    const auto twin = std::ranges::find(zip, list.key, &text::YamlEntry::key);
    if (twin == zip.end()) continue;
    throw InputError(document.place(list.position), fmt::format("'{}' is swept here and on line {}",
                                                                list.key, twin->position.line));
  }
}

void refuse_unequal_lengths(const text::YamlDocument& document,
                            const std::vector<text::YamlEntry>& zip) {
  for (const text::YamlEntry& list : zip) {
    if (list.value.items.size() == zip.front().value.items.size()) continue;
    throw InputError(
        document.place(list.position),
        fmt::format("the lists of zip are taken position by position, but '{}' has {} and '{}' {}",
                    zip.front().key, zip.front().value.items.size(), list.key,
                    list.value.items.size()));
  }
}

/// `points`, each with every item of `list`.
std::vector<Settings> times(const text::YamlDocument& document, const std::vector<Settings>& points,
                            const text::YamlEntry& list) {
  std::vector<Settings> result;
  if (points.size() * list.value.items.size() > kMaxPoints) {
    throw InputError(document.place(document.root.find("sweep")->position),
                     fmt::format("more than {} points", kMaxPoints));
  }
  for (const Settings& point : points) {
    for (const text::YamlNode& item : list.value.items) {
      result.push_back(point);
      result.back().insert_or_assign(list.key, setting_of(document, item));
    }
  }
  return result;
}

/// `points`, each with every position of the zip lists.
std::vector<Settings> times_zip(const text::YamlDocument& document,
                                const std::vector<Settings>& points,
                                const std::vector<text::YamlEntry>& zip) {
  if (zip.empty()) return points;
  // The first list decides how many points there are, the others only fill in.
  std::vector<Settings> result = times(document, points, zip.front());
  const std::size_t length = zip.front().value.items.size();
  for (std::size_t i = 0; i < result.size(); ++i) {
    for (const text::YamlEntry& list : zip) {
      result[i].insert_or_assign(list.key, setting_of(document, list.value.items[i % length]));
    }
  }
  return result;
}

}  // namespace

std::vector<Settings> expand_points(const text::YamlDocument& document) {
  const Settings fixed = fixed_settings(document);
  const std::vector<text::YamlEntry> zip = lists_of(document, "zip");
  const std::vector<text::YamlEntry> product = lists_of(document, "product");
  refuse_repeated_keys(document, fixed, zip, product);
  refuse_unequal_lengths(document, zip);
  std::vector<Settings> points = {fixed};
  for (const text::YamlEntry& list : product) points = times(document, points, list);
  return times_zip(document, points, zip);
}

}  // namespace gradwire::experiment
