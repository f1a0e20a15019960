#include "collectives/plan_files/msccl_program.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <pugixml.hpp>

#include "collectives/plan_files/plan_file.h"
#include "core/error.h"
#include "core/to_number.h"

namespace gradwire::plan_files {
namespace {

constexpr std::size_t kMostRanks = 256;
constexpr std::size_t kMostChannels = 64;
constexpr std::string_view kNone = "0";        ///< chunks
constexpr std::size_t kMostSlots = 250'000;    ///< most slots of all GPUs
constexpr std::size_t kMostMoves = 1'000'000;  ///< most chunks that steps work on, in all

constexpr std::pair<std::string_view, MscclBuffer> kBuffers[] = {
    {"i", MscclBuffer::input}, {"o", MscclBuffer::output}, {"s", MscclBuffer::scratch}};

constexpr std::pair<std::string_view, std::string_view> kCollectives[] = {
    {"allreduce", "all-reduce"},
    {"allgather", "all-gather"},
    {"reduce_scatter", "reduce-scatter"},
    {"alltoall", "all-to-all"}};

constexpr std::pair<std::string_view, MscclWork> kWorks[] = {
    {"s", {.sends = true}},
    {"r", {.receives = true, .copies = true}},
    {"rcs", {.receives = true, .copies = true, .sends = true}},
    {"rrs", {.receives = true, .reduces = true, .sends = true}},
    {"rrc", {.receives = true, .reduces = true, .copies = true}},
    {"rrcs", {.receives = true, .reduces = true, .copies = true, .sends = true}},
    {"cpy", {.copies = true}},
    {"re", {.reduces = true, .copies = true}},
    {"nop", {}}};

class MscclReader {
 public:
  MscclReader(std::string_view text, const std::string& file) : text_(text) {
    program_.file = file;
    if (const auto fault = text::check_text(text, text.size())) {
      program_.refuse(fault->position, fault->message);
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') line_ends_.push_back(i);
    }
    const pugi::xml_parse_result result = xml_.load_buffer(text.data(), text.size());
    if (!result) program_.refuse(position(result.offset), result.description());
  }

  MscclProgram read() {
    const pugi::xml_node algo = xml_.child("algo");
    if (!algo) program_.refuse({}, "there is no <algo>: an algorithm of MSCCL begins with it");
    program_.name = text::plain_line(attribute(algo, "name").value());
    if (program_.name.size() > kLongestName) refuse(algo, "name: it is too long");
    read_collective(algo);
    std::vector<bool> seen(program_.gpus.size());
    for (const pugi::xml_node gpu : children(algo, "gpu")) {
      const std::size_t id = number(gpu, "id", {0, program_.gpus.size() - 1});
      if (seen[id]) refuse(gpu, fmt::format("gpu {} stands twice", id));
      seen[id] = true;
      read_gpu(gpu, program_.gpus[id]);
    }
    const auto missing = std::ranges::find(seen, false);
    if (missing != seen.end()) {
      refuse(algo, fmt::format("gpu {} is missing", missing - seen.begin()));
    }
    return std::move(program_);
  }

 private:
  struct Range {
    std::size_t least = 0;
    std::size_t most = 0;
  };

  [[nodiscard]] text::TextPosition position(std::ptrdiff_t offset) const {
    const std::size_t at =
        std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(offset, 0)), text_.size());
    const auto line = std::ranges::lower_bound(line_ends_, at) - line_ends_.begin();
    const std::size_t begin = line == 0 ? 0 : line_ends_[static_cast<std::size_t>(line) - 1] + 1;
    return {.line = static_cast<std::size_t>(line) + 1, .column = at - begin + 1};
  }
  [[noreturn]] void refuse(const pugi::xml_node& node, const std::string& why) const {
    program_.refuse(position(node.offset_debug()), why);
  }

  [[nodiscard]] pugi::xml_attribute attribute(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) refuse(node, fmt::format("<{}> has no '{}'", node.name(), name));
    return found;
  }
  /// The child elements, all of which must have this name.
  [[nodiscard]] std::vector<pugi::xml_node> children(const pugi::xml_node& node,
                                                     std::string_view name) const {
    std::vector<pugi::xml_node> found;
    for (const pugi::xml_node child : node.children()) {
      if (child.type() != pugi::node_element) continue;
      if (child.name() != name) {
        refuse(child, fmt::format("expected <{}>, found <{}>", name, child.name()));
      }
      found.push_back(child);
    }
    return found;
  }
  [[nodiscard]] std::size_t number(const pugi::xml_node& node, const char* name,
                                   Range range) const {
    const std::string_view text = attribute(node, name).value();
    const auto value = to_number<std::size_t>(text);
    if (value && *value >= range.least && *value <= range.most) return *value;
    refuse(node, fmt::format("{}: expected a whole number from {} to {}, found {}", name,
                             range.least, range.most, text::shown(text)));
  }
  /// Requires that the attribute is this number.
  void require(const pugi::xml_node& node, const char* name, std::size_t value) const {
    static_cast<void>(number(node, name, {value, value}));
  }
  /// The number of an attribute, up to `most`, or nothing for -1.
  [[nodiscard]] std::optional<std::size_t> number_or_none(const pugi::xml_node& node,
                                                          const char* name,
                                                          std::size_t most) const {
    if (std::string_view(attribute(node, name).value()) == "-1") return std::nullopt;
    return number(node, name, {0, most});
  }
  /// The value of the row that an attribute names.
  template <class Value, std::size_t N>
  [[nodiscard]] const Value& row(const pugi::xml_node& node, const char* name,
                                 const std::pair<std::string_view, Value> (&rows)[N]) const {
    const std::string_view text = attribute(node, name).value();
    std::vector<std::string_view> known;
    for (const auto& [key, value] : rows) {
      if (key == text) return value;
      known.push_back(key);
    }
    refuse(node, fmt::format("{}: {} is not read; there are: {}", name, text::shown(text),
                             fmt::join(known, ", ")));
  }

  void read_collective(const pugi::xml_node& algo) {
    program_.collective = row(algo, "coll", kCollectives);
    program_.in_place = number(algo, "inplace", {0, 1}) == 1;
    if (program_.in_place && program_.collective == "all-to-all") {
      refuse(algo, "an alltoall in place is not read");
    }
    const std::size_t n = number(algo, "ngpus", {2, kMostRanks});
    const std::size_t chunks = number(algo, "nchunksperloop", {1, kMostSlots});
    program_.gpus.resize(n);
    program_.chunks = program_.inputs = program_.outputs = chunks;
    if (program_.collective == "all-reduce") return;
    if (chunks % n != 0) {
      refuse(algo, fmt::format("nchunksperloop: {} chunks for {} GPUs", chunks, n));
    }
    if (program_.collective == "all-gather") program_.inputs = chunks / n;
    if (program_.collective == "reduce-scatter") program_.outputs = chunks / n;
  }

  void read_gpu(const pugi::xml_node& node, MscclGpu& gpu) {
    // In place, the smaller of the two memories may not be counted.
    if (attribute(node, "i_chunks").value() != kNone) require(node, "i_chunks", program_.inputs);
    if (attribute(node, "o_chunks").value() != kNone) require(node, "o_chunks", program_.outputs);
    gpu.scratch = number(node, "s_chunks", {0, kMostSlots});
    slots_ += program_.inputs + program_.outputs + gpu.scratch;
    if (slots_ > kMostSlots) refuse(node, fmt::format("more than {} chunks of memory", kMostSlots));
    for (const pugi::xml_node block : children(node, "tb")) {
      require(block, "id", gpu.blocks.size());
      gpu.blocks.push_back(read_block(block, gpu));
      require_own_connections(block, gpu);
    }
    for (const MscclBlock& block : gpu.blocks) {
      for (const MscclStep& step : block.steps) check_wait(gpu, step);
    }
  }

  void check_wait(const MscclGpu& gpu, const MscclStep& step) const {
    if (!step.after) return;
    const auto [block, number] = *step.after;
    if (block < gpu.blocks.size() && number < gpu.blocks[block].steps.size()) return;
    program_.refuse(step.place, fmt::format("waits for step {} of block {}, which is not there",
                                            number, block));
  }

  /// Requires that no other block of the GPU talks to the same peer on the same channel, in the
  /// same direction.
  void require_own_connections(const pugi::xml_node& node, const MscclGpu& gpu) const {
    const MscclBlock& block = gpu.blocks.back();
    for (const MscclBlock& other : std::span(gpu.blocks).first(gpu.blocks.size() - 1)) {
      if (other.channel != block.channel) continue;
      const bool both_send = block.sends_to && other.sends_to == block.sends_to;
      const bool both_receive = block.receives_from && other.receives_from == block.receives_from;
      if (!both_send && !both_receive) continue;
      refuse(node, fmt::format("{} {} on channel {}, as an earlier block does",
                               both_send ? "sends to" : "receives from",
                               (both_send ? block.sends_to : block.receives_from)->index(),
                               block.channel));
    }
  }

  [[nodiscard]] std::optional<Rank> peer(const pugi::xml_node& node, const char* name) const {
    const auto found = number_or_none(node, name, program_.gpus.size() - 1);
    if (found && *found == number(node.parent(), "id", {0, kMostRanks})) {
      refuse(node, fmt::format("{}: a GPU sends nothing to itself", name));
    }
    return found ? std::optional(Rank(*found)) : std::nullopt;
  }

  [[nodiscard]] MscclBlock read_block(const pugi::xml_node& node, const MscclGpu& gpu) {
    MscclBlock block{.sends_to = peer(node, "send"),
                     .receives_from = peer(node, "recv"),
                     .channel = number_or_none(node, "chan", kMostChannels - 1).value_or(0)};
    for (const pugi::xml_node step : children(node, "step")) {
      require(step, "s", block.steps.size());
      block.steps.push_back(read_step(step, gpu, block));
    }
    return block;
  }

  [[nodiscard]] MscclStep read_step(const pugi::xml_node& node, const MscclGpu& gpu,
                                    const MscclBlock& block) {
    MscclStep step{.work = row(node, "type", kWorks), .place = position(node.offset_debug())};
    if (const auto after = number_or_none(node, "depid", kMostSlots)) {
      step.after = {.block = *after, .step = number(node, "deps", {0, kMostSlots})};
    }
    const MscclWork& work = step.work;
    if (work.receives && !block.receives_from) refuse(node, "receives, in a block without 'recv'");
    if (work.sends && !block.sends_to) refuse(node, "sends, in a block without 'send'");
    if (!work.receives && !work.copies && !work.sends) return step;
    step.count = number(node, "cnt", {1, kMostSlots});
    moves_ += step.count;
    if (moves_ > kMostMoves) refuse(node, fmt::format("more than {} chunks move", kMostMoves));
    const bool has_source = !work.receives || work.reduces;
    if (has_source) step.source = slot(node, gpu, {"srcbuf", "srcoff"}, step.count);
    if (work.copies) step.destination = slot(node, gpu, {"dstbuf", "dstoff"}, step.count);
    return step;
  }

  struct SlotNames {
    const char* buffer;
    const char* offset;
  };
  [[nodiscard]] MscclSlot slot(const pugi::xml_node& node, const MscclGpu& gpu, SlotNames names,
                               std::size_t count) const {
    const MscclBuffer buffer = row(node, names.buffer, kBuffers);
    const std::size_t sizes[] = {program_.inputs, program_.outputs, gpu.scratch};
    const std::size_t size = sizes[static_cast<std::size_t>(buffer)];
    const std::size_t index = number(node, names.offset, {0, kMostSlots});
    if (index + count <= size) return {.buffer = buffer, .index = index};
    refuse(node, fmt::format("{}: chunk {} of {}", names.offset, index + count - 1, size));
  }

  std::string_view text_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document xml_;
  MscclProgram program_;
  std::size_t slots_ = 0;
  std::size_t moves_ = 0;
};

}  // namespace

void MscclProgram::refuse(text::TextPosition place, const std::string& why) const {
  throw InputError(SourcePlace{file, place.line, place.column}, why);
}

MscclProgram read_msccl(std::string_view text, const std::string& file) {
  return MscclReader(text, file).read();
}

}  // namespace gradwire::plan_files
