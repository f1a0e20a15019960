#include "collectives/plan_files/plan_reader.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/core.h>

#include "collectives/plan_files/msccl.h"
#include "collectives/plan_files/steppings.h"
#include "core/error.h"
#include "core/text/file.h"
#include "core/text/format_version.h"
#include "core/text/schema_check.h"
#include "core/text/schemas.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"

namespace gradwire::plan_files {
namespace {

using text::YamlDocument;
using text::YamlEntry;
using text::YamlNode;

/// Limits for the file's YAML: the shortest transfer takes 24 bytes and seven values.
constexpr text::YamlLimits kLimits{
    .bytes = kMostPlanFileBytes, .line_bytes = kMostPlanFileBytes, .nodes = kMostPlanFileBytes / 3};

/// Reads a plan file from a document that follows the schema.
class PlanReader {
 public:
  explicit PlanReader(const YamlDocument& document) : document_(document) {}

  PlanFile read() {
    plan_.file = document_.file;
    plan_.collective = key("collective").text;
    plan_.members = number(key("members"));
    plan_.chunks = number(key("chunks"));
    if (const YamlEntry* const name = find("name")) plan_.name = name->value.text;
    if (const YamlEntry* const stepping = find("stepping")) {
      plan_.stepping = *kSteppings.find(stepping->value.text);
    }
    read_root();
    read_owners();
    read_servers();
    check_chunks();
    for (const YamlNode& lane : key("lanes").items) plan_.lanes.push_back(lane_of(lane));
    return std::move(plan_);
  }

 private:
  [[noreturn]] void refuse(const YamlNode& node, const std::string& why) const {
    throw InputError(document_.place(node.position), why);
  }

  [[nodiscard]] const YamlEntry* find(std::string_view name) const {
    return document_.root.find(name);
  }
  [[nodiscard]] const YamlNode& key(std::string_view name) const { return find(name)->value; }
  [[nodiscard]] static std::size_t number(const YamlNode& node) {
    return text::number<std::size_t>(node.text);
  }

  [[nodiscard]] Rank rank(const YamlNode& node) const {
    const std::size_t rank = number(node);
    if (rank < plan_.members) return Rank(rank);
    refuse(node, fmt::format("rank {} of {} ranks, which are 0 to {}", rank, plan_.members,
                             plan_.members - 1));
  }
  [[nodiscard]] std::vector<Rank> ranks(const YamlNode& list) const {
    std::vector<Rank> all;
    for (const YamlNode& item : list.items) all.push_back(rank(item));
    return all;
  }

  [[nodiscard]] bool is_for(std::initializer_list<std::string_view> collectives) const {
    return std::ranges::find(collectives, plan_.collective) != collectives.end();
  }
  /// The value of a key that goes with some collectives only, if it is there.
  [[nodiscard]] const YamlNode* of(std::initializer_list<std::string_view> collectives,
                                   const char* name) const {
    const YamlEntry* const entry = find(name);
    if (entry == nullptr) return nullptr;
    if (is_for(collectives)) return &entry->value;
    throw InputError(document_.place(entry->position),
                     fmt::format("a file for {} has no {}", plan_.collective, name));
  }

  void read_root() {
    const bool sends = is_for({"send"});
    if (sends) plan_.root = Rank(plan_.members - 1);
    const YamlNode* const root = of({"broadcast", "reduce", "send"}, "root");
    if (root == nullptr) return;
    plan_.root = rank(*root);
    if (sends && plan_.root == Rank(0)) refuse(*root, "rank 0 does not send to itself");
  }

  void read_owners() {
    if (const YamlNode* const owners = of({"reduce-scatter", "all-gather"}, "owners")) {
      plan_.owners = ranks(*owners);
      if (plan_.owners.size() == plan_.chunks) return;
      refuse(*owners, fmt::format("{} owners of {} chunks", plan_.owners.size(), plan_.chunks));
    }
    if (!is_for({"reduce-scatter", "all-gather"})) return;
    require_multiple(plan_.members, "as many for each rank, or 'owners'");
    for (std::size_t chunk = 0; chunk < plan_.chunks; ++chunk) {
      plan_.owners.emplace_back(chunk / (plan_.chunks / plan_.members));
    }
  }

  void read_servers() {
    const YamlNode* const servers = of({"all-reduce"}, "servers");
    if (servers == nullptr) return;
    plan_.servers = ranks(*servers);
    std::ranges::sort(plan_.servers);
    if (std::ranges::adjacent_find(plan_.servers) != plan_.servers.end()) {
      refuse(*servers, "a rank stands twice");
    }
    if (plan_.servers.size() == plan_.members) refuse(*servers, "a rank must be left to work");
  }

  void check_chunks() const {
    if (is_for({"all-to-all"})) {
      require_multiple(plan_.members * plan_.members, "a block from each rank to each");
    }
  }
  void require_multiple(std::size_t of_number, const char* why) const {
    if (plan_.chunks % of_number == 0) return;
    refuse(key("chunks"),
           fmt::format("chunks: {} is not a multiple of {}: {}", plan_.chunks, of_number, why));
  }

  [[nodiscard]] FileLane lane_of(const YamlNode& steps) const {
    FileLane lane;
    for (const YamlNode& step : steps.items) {
      FileStep& transfers = lane.emplace_back();
      for (const YamlNode& item : step.items) transfers.push_back(transfer_of(item));
    }
    return lane;
  }

  [[nodiscard]] Transfer transfer_of(const YamlNode& node) const {
    Transfer transfer{.from = rank(node.find("from")->value),
                      .to = rank(node.find("to")->value),
                      .chunk = number(node.find("chunk")->value),
                      .place = node.position};
    if (transfer.from == transfer.to) refuse(node, "a rank sends nothing to itself");
    if (const YamlEntry* const count = node.find("count")) transfer.count = number(count->value);
    if (transfer.chunk + transfer.count > plan_.chunks) {
      refuse(node.find("chunk")->value,
             fmt::format("chunk {} of {} chunks, which are 0 to {}",
                         transfer.chunk + transfer.count - 1, plan_.chunks, plan_.chunks - 1));
    }
    if (const YamlEntry* const how = node.find("how"); how != nullptr && how->value.text == "add") {
      transfer.how = Combine::add;
    }
    if (const YamlEntry* const at = node.find("at")) transfer.at = Port(number(at->value));
    return transfer;
  }

  const YamlDocument& document_;
  PlanFile plan_;
};

PlanFile read_document(const YamlDocument& document) {
  text::check_format_version(document, "gradwire-plan", 1);
  text::check_against_schema(document, text::schema("plan"));
  return PlanReader(document).read();
}

}  // namespace

PlanFile parse_plan_file(std::string_view text, const std::string& file) {
  return read_document(text::parse_yaml(text, file, kLimits));
}

PlanFile load_plan_file(const std::filesystem::path& path) {
  if (path.extension() == ".xml") {
    return parse_msccl(text::read_input_file(path, kMostPlanFileBytes), path.string());
  }
  return read_document(text::load_yaml(path, kLimits));
}

std::shared_ptr<const PlanFile> shared_plan_file(const std::string& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const PlanFile>> read;
  const std::scoped_lock lock(mutex);
  const auto known = read.find(path);
  if (known != read.end()) return known->second;
  return read[path] = std::make_shared<const PlanFile>(load_plan_file(path));
}

}  // namespace gradwire::plan_files
