#include "schedule/jobs/job_file.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "core/error.h"
#include "core/text/format_version.h"
#include "core/text/schema_check.h"
#include "core/text/schemas.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"
#include "schedule/jobs/check.h"

namespace gradwire::jobs {
namespace {

using text::YamlDocument;
using text::YamlEntry;
using text::YamlNode;

constexpr text::YamlLimits kLimits{
    .bytes = kMostJobFileBytes, .depth = 8, .nodes = kMostJobFileValues};

/// The names that were defined, each once, with their numbers.
using Names = std::map<std::string, std::uint32_t, std::less<>>;

/// Reads a job from a document that follows the schema.
class Reader {
 public:
  explicit Reader(const YamlDocument& document) : document_(document) {}

  Job read() {
    if (const YamlEntry* name = document_.root.find("name")) job_.name = name->value.text;
    for (const YamlNode& group : list(document_.root, "groups")) read_group(group);
    for (const YamlNode& program : list(document_.root, "programs")) read_program(program);
    std::map<std::size_t, Part> parts;
    for (const YamlNode& entry : list(document_.root, "ranks")) read_ranks(entry, parts);
    take(std::move(parts));
    refuse_findings();
    return std::move(job_);
  }

 private:
  [[noreturn]] void refuse(const YamlNode& node, const std::string& why) const {
    throw InputError(document_.place(node.position), why);
  }

  /// The items of a list; none when the key is absent.
  [[nodiscard]] static const std::vector<YamlNode>& list(const YamlNode& map,
                                                         std::string_view key) {
    static const std::vector<YamlNode> none;
    const YamlEntry* const entry = map.find(key);
    return entry == nullptr ? none : entry->value.items;
  }
  [[nodiscard]] static const YamlNode& key(const YamlNode& map, std::string_view key) {
    return map.find(key)->value;
  }
  template <class Number>
  [[nodiscard]] static Number number_or(const YamlNode& map, std::string_view key,
                                        Number otherwise) {
    const YamlEntry* const entry = map.find(key);
    return entry == nullptr ? otherwise : text::number<Number>(entry->value.text);
  }

  /// Defines a name, which must be new.
  void define(Names& names, const YamlNode& name, const char* what) const {
    const auto number = static_cast<std::uint32_t>(names.size());
    if (names.emplace(name.text, number).second) return;
    refuse(name, fmt::format("a second {} is named '{}'", what, name.text));
  }
  [[nodiscard]] std::uint32_t find(const Names& names, const YamlNode& name,
                                   const char* what) const {
    const auto found = names.find(name.text);
    if (found == names.end()) refuse(name, fmt::format("no {} is named '{}'", what, name.text));
    return found->second;
  }

  /// Calls `take` with each rank of a list of ranks and runs of ranks.
  template <class Take>
  void for_each_rank(const YamlNode& ranks, const Take& take) const {
    for (const YamlNode& item : ranks.items) {
      const std::size_t dash = item.text.find('-', 1);
      const auto first = text::number<std::size_t>(item.text.substr(0, dash));
      const auto last =
          dash == std::string::npos ? first : text::number<std::size_t>(item.text.substr(dash + 1));
      if (last < first) refuse(item, fmt::format("{} is before {}", last, first));
      for (std::size_t rank = first; rank <= last; ++rank) take(item, rank);
    }
  }

  void read_group(const YamlNode& group) {
    define(groups_, key(group, "name"), "group");
    NamedGroup& made = job_.groups.emplace_back();
    made.name = key(group, "name").text;
    for_each_rank(key(group, "ranks"), [&](const YamlNode& item, std::size_t rank) {
      if (++members_ > kMostNodes) {
        refuse(item, fmt::format("groups have more than {} members in all", kMostNodes));
      }
      made.ranks.emplace_back(rank);
    });
    group_places_.push_back(&group);
  }

  void read_program(const YamlNode& program) {
    define(programs_, key(program, "name"), "program");
    job_.programs.push_back({.name = key(program, "name").text});
    places_.emplace_back();
    slots_.emplace_back();
    Names names;
    for (const YamlNode& node : key(program, "nodes").items) {
      job_.programs.back().nodes.push_back(node_of(node, names));
      places_.back().push_back(&node);
      if (const YamlEntry* const name = node.find("name")) {
        const auto number = static_cast<std::uint32_t>(places_.back().size() - 1);
        if (!names.emplace(name->value.text, number).second) {
          refuse(name->value, fmt::format("a second node is named '{}'", name->value.text));
        }
      }
    }
  }

  Node node_of(const YamlNode& node, const Names& earlier) {
    Node made{.what = what_of(node), .stream = number_or<std::uint32_t>(node, "stream", 0)};
    for (const YamlNode& name : list(node, "after")) {
      const auto found = earlier.find(name.text);
      if (found == earlier.end()) {
        refuse(name, fmt::format("no earlier node of the program is named '{}'", name.text));
      }
      made.after.push_back(found->second);
    }
    if (const YamlEntry* const lag = node.find("lag")) made.lag = duration(lag->value);
    if (const YamlEntry* const name = node.find("name")) made.name = name->value.text;
    return made;
  }

  [[nodiscard]] Seconds duration(const YamlNode& node) const {
    return text::at(document_.place(node.position), [&] { return parse_duration(node.text); });
  }

  std::variant<Compute, Call> what_of(const YamlNode& node) {
    const YamlEntry* const compute = node.find("compute");
    const YamlEntry* const collective = node.find("collective");
    if ((compute == nullptr) == (collective == nullptr)) {
      refuse(node, "a node has either 'compute' or 'collective'");
    }
    if (compute == nullptr) return call_of(node);
    for (const char* other : {"group", "elements", "dtype", "root"}) {
      const YamlEntry* const entry = node.find(other);
      if (entry == nullptr) continue;
      throw InputError(document_.place(entry->position),
                       fmt::format("'{}' goes with 'collective'", other));
    }
    return Compute{duration(compute->value)};
  }

  Call call_of(const YamlNode& node) {
    for (const char* needed : {"group", "elements"}) {
      if (node.find(needed) == nullptr) {
        refuse(node, fmt::format("a collective needs the key '{}'", needed));
      }
    }
    const YamlEntry* const dtype = node.find("dtype");
    Names& slots = slots_.back();
    const auto next = static_cast<std::uint32_t>(slots.size());
    return {.what = find_collective(key(node, "collective").text).value(),
            .slot = slots.emplace(key(node, "group").text, next).first->second,
            .elements = number_or<std::size_t>(node, "elements", 0),
            .dtype = dtype == nullptr ? Dtype::float32 : parse_dtype(dtype->value.text),
            .root = number_or<std::uint32_t>(node, "root", 0)};
  }

  void read_ranks(const YamlNode& entry, std::map<std::size_t, Part>& parts) {
    const Part part = part_of(entry);
    const std::size_t nodes = job_.programs[part.program].nodes.size();
    for_each_rank(key(entry, "ranks"), [&](const YamlNode& item, std::size_t rank) {
      nodes_ += nodes;
      if (nodes_ > kMostNodes) {
        refuse(item, fmt::format("all ranks have more than {} nodes", kMostNodes));
      }
      if (!parts.emplace(rank, part).second) {
        refuse(item, fmt::format("rank {} has a program already", rank));
      }
    });
  }

  Part part_of(const YamlNode& entry) {
    Part part{.program = find(programs_, key(entry, "program"), "program"), .groups = {}};
    const Names& slots = slots_[part.program];
    std::map<std::string, std::uint32_t> given;
    for (const YamlNode& pair : list(entry, "groups")) {
      const YamlNode& name = key(pair, "as");
      if (!slots.contains(name.text)) {
        refuse(name, fmt::format("program {} has no group '{}'", job_.programs[part.program].name,
                                 name.text));
      }
      if (!given.emplace(name.text, find(groups_, key(pair, "group"), "group")).second) {
        refuse(name, fmt::format("'{}' is given twice", name.text));
      }
    }
    part.groups.resize(slots.size());
    for (const auto& [name, slot] : slots) {
      const auto found = given.find(name);
      const auto same = groups_.find(name);
      if (found == given.end() && same == groups_.end()) {
        refuse_unknown_group(part.program, slot, name, entry);
      }
      part.groups[slot] = found == given.end() ? same->second : found->second;
    }
    return part;
  }

  /// Refuses a node that names a group which these ranks do not have.
  [[noreturn]] void refuse_unknown_group(std::size_t program, std::uint32_t slot,
                                         const std::string& name, const YamlNode& entry) const {
    for (std::size_t node = 0; node < places_[program].size(); ++node) {
      const auto* call = std::get_if<Call>(&job_.programs[program].nodes[node].what);
      if (call == nullptr || call->slot != slot) continue;
      refuse(key(*places_[program][node], "group"),
             fmt::format("no group is named '{}', and the ranks of line {} have none behind it",
                         name, entry.position.line));
    }
    throw_bug("a slot belongs to a node");
  }

  void take(std::map<std::size_t, Part> parts) {
    const YamlNode& ranks = key(document_.root, "ranks");
    for (auto& [rank, part] : parts) {
      if (rank != job_.ranks.size()) {
        refuse(ranks,
               fmt::format("rank {} has no program, and rank {} has one", job_.ranks.size(), rank));
      }
      job_.ranks.push_back(std::move(part));
    }
    for (std::size_t group = 0; group < job_.groups.size(); ++group) {
      const auto last = std::ranges::max(job_.groups[group].ranks);
      if (last.index() < job_.ranks.size()) continue;
      refuse(*group_places_[group], fmt::format("group {} has rank {}, which has no program",
                                                job_.groups[group].name, last.index()));
    }
  }

  void refuse_findings() const {
    const std::vector<Finding> findings = check(job_);
    if (findings.empty()) return;
    const Finding& first = findings.front();
    refuse(first.place ? *places_[first.place->program][first.place->node]
                       : key(document_.root, "ranks"),
           first.text);
  }

  const YamlDocument& document_;
  Job job_;
  Names groups_;
  Names programs_;
  std::vector<Names> slots_;  ///< by program
  std::vector<const YamlNode*> group_places_;
  std::vector<std::vector<const YamlNode*>> places_;  ///< by program, node
  std::size_t members_ = 0;
  std::size_t nodes_ = 0;
};

Job read(const YamlDocument& document) {
  text::check_format_version(document, "gradwire-job", 1);
  text::check_against_schema(document, text::schema("job"));
  return Reader(document).read();
}

}  // namespace

Job parse_job(std::string_view text, const std::string& file) {
  return read(text::parse_yaml(text, file, kLimits));
}

Job load_job(const std::filesystem::path& path) {
  return read(text::load_yaml(path, kLimits));
}

}  // namespace gradwire::jobs
