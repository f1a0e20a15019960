#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

/// Algorithms in MSCCL's form, as its compilers write them.
namespace gradwire::plan_files::testing {

/// Chunks in a GPU's memory: {'i', 3} is the fourth of its input.
struct At {
  char buffer = 'i';
  std::size_t index = 0;
};
/// The step of a block that must be over.
struct After {
  int block = -1;
  int step = -1;
};

struct XmlBlock {
  int send = -1;
  int recv = -1;
  std::size_t channel = 0;
  std::vector<std::string> steps = {};

  /// Adds a step; its number is how many there are.
  XmlBlock& add(const char* type, At source, At destination, After after = {},
                std::size_t count = 1) {
    steps.push_back(fmt::format(
        R"(      <step s="{}" type="{}" srcbuf="{}" srcoff="{}" dstbuf="{}" dstoff="{}" cnt="{}" )"
        R"(depid="{}" deps="{}" hasdep="0"/>)",
        steps.size(), type, source.buffer, source.index, destination.buffer, destination.index,
        count, after.block, after.step));
    return *this;
  }
  /// The same on one place.
  XmlBlock& on(const char* type, At place) { return add(type, place, place); }
};

using XmlGpu = std::vector<XmlBlock>;

struct XmlAlgorithm {
  const char* collective = "allreduce";
  bool in_place = true;
  std::size_t chunks = 0;
  std::size_t scratch = 0;
  std::vector<XmlGpu> gpus = {};
};

/// The text, with GPU 0 in line 2, its first block in line 3, and that block's first step in line 4.
inline std::string text_of(const XmlAlgorithm& algorithm) {
  const std::size_t n = algorithm.gpus.size();
  const std::string_view what = algorithm.collective;
  // In place, the smaller memory is not counted.
  std::size_t inputs = what == "allgather" ? algorithm.chunks / n : algorithm.chunks;
  std::size_t outputs = what == "reduce_scatter" ? algorithm.chunks / n : algorithm.chunks;
  if (algorithm.in_place) (what == "allgather" ? inputs : outputs) = 0;
  std::string text = fmt::format(
      R"(<algo name="t" proto="Simple" nchannels="1" nchunksperloop="{}" ngpus="{}" coll="{}" )"
      R"(inplace="{}">)",
      algorithm.chunks, n, what, algorithm.in_place ? 1 : 0);
  for (std::size_t gpu = 0; gpu < n; ++gpu) {
    text += fmt::format("\n  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">", gpu,
                        inputs, outputs, algorithm.scratch);
    for (std::size_t block = 0; block < algorithm.gpus[gpu].size(); ++block) {
      const XmlBlock& each = algorithm.gpus[gpu][block];
      text += fmt::format("\n    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n{}\n    </tb>",
                          block, each.send, each.recv, each.channel, fmt::join(each.steps, "\n"));
    }
    text += "\n  </gpu>";
  }
  return text + "\n</algo>\n";
}

/// Rings of n GPUs, one to a channel: r48ll.xml of MSCCL's scheduler has 8 GPUs and 8 channels, each
/// with 8 chunks.
inline XmlAlgorithm ring(std::size_t n, std::size_t channels) {
  XmlAlgorithm algorithm{.chunks = n * channels, .gpus = std::vector<XmlGpu>(n)};
  for (std::size_t gpu = 0; gpu < n; ++gpu) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      XmlBlock& block = algorithm.gpus[gpu].emplace_back(
          XmlBlock{static_cast<int>((gpu + 1) % n), static_cast<int>((gpu + n - 1) % n), channel});
      const auto place = [&](std::size_t back) {
        return At{'i', channel * n + (gpu + 2 * n - back) % n};
      };
      block.on("s", place(0));
      for (std::size_t i = 1; i + 1 < n; ++i) block.on("rrs", place(i));
      block.on("rrcs", place(n - 1));
      for (std::size_t i = 0; i + 2 < n; ++i) block.on("rcs", place(n + i));
      block.on("r", place(2 * n - 2));
    }
  }
  return algorithm;
}

/// Everybody sends chunk j to GPU j, which collects in scratch memory, adds, and sends the sum to
/// everybody: the form of the all-pairs files, with their "nop" that waits for all sums.
inline XmlAlgorithm all_pairs(std::size_t n) {
  XmlAlgorithm algorithm{.chunks = n, .scratch = n, .gpus = std::vector<XmlGpu>(n)};
  for (std::size_t gpu = 0; gpu < n; ++gpu) {
    XmlGpu& blocks = algorithm.gpus[gpu];
    XmlBlock adder;
    for (std::size_t peer = 0; peer < n; ++peer) {
      if (peer == gpu) continue;
      // The adder comes last: block n - 1.
      const After received{static_cast<int>(blocks.size()), 1};
      const int other = static_cast<int>(peer);
      XmlBlock& block = blocks.emplace_back(XmlBlock{.send = other, .recv = other});
      block.on("s", {'i', peer}).add("r", {'i', gpu}, {'s', peer});
      block.add("s", {'i', gpu}, {'i', gpu}, {static_cast<int>(n) - 1, static_cast<int>(n) - 1});
      block.on("r", {'i', peer});
      adder.add("re", {'s', peer}, {'i', gpu}, received);
    }
    adder.add("nop", {}, {});
    blocks.push_back(adder);
  }
  return algorithm;
}

/// Everybody sends what it has to everybody; out of place, its own chunks are copied.
inline XmlAlgorithm direct_all_gather(std::size_t n, std::size_t each, bool in_place) {
  XmlAlgorithm algorithm{.collective = "allgather",
                         .in_place = in_place,
                         .chunks = n * each,
                         .gpus = std::vector<XmlGpu>(n)};
  for (std::size_t gpu = 0; gpu < n; ++gpu) {
    const At own = in_place ? At{'o', gpu * each} : At{'i', 0};
    for (std::size_t peer = 0; peer < n; ++peer) {
      if (peer == gpu) continue;
      const int other = static_cast<int>(peer);
      algorithm.gpus[gpu]
          .emplace_back(XmlBlock{.send = other, .recv = other})
          .add("s", own, own, {}, each)
          .add("r", {'o', peer * each}, {'o', peer * each}, {}, each);
    }
    if (in_place) continue;
    algorithm.gpus[gpu].emplace_back().add("cpy", own, {'o', gpu * each}, {}, each);
  }
  return algorithm;
}

/// A reduce-scatter in a ring: what arrives is added and passed on, and added last by who keeps it.
inline XmlAlgorithm ring_reduce_scatter(std::size_t n, bool in_place) {
  XmlAlgorithm algorithm{.collective = "reduce_scatter",
                         .in_place = in_place,
                         .chunks = n,
                         .gpus = std::vector<XmlGpu>(n)};
  for (std::size_t gpu = 0; gpu < n; ++gpu) {
    XmlBlock& block = algorithm.gpus[gpu].emplace_back(
        XmlBlock{static_cast<int>((gpu + 1) % n), static_cast<int>((gpu + n - 1) % n)});
    const auto place = [&](std::size_t back) { return At{'i', (gpu + 2 * n - 1 - back) % n}; };
    block.on("s", place(0));
    for (std::size_t i = 1; i + 1 < n; ++i) block.on("rrs", place(i));
    block.add("rrc", {'i', gpu}, {'o', 0});
  }
  return algorithm;
}

/// Pairs of GPUs in two boxes: what is for the other box first goes to the GPU of one's own box that
/// stands where the receiver stands, into scratch memory, and from there across. GPU a + 2 b is in
/// box b.
inline XmlAlgorithm two_level_all_to_all() {
  XmlAlgorithm algorithm{.collective = "alltoall",
                         .in_place = false,
                         .chunks = 4,
                         .scratch = 2,
                         .gpus = std::vector<XmlGpu>(4)};
  for (std::size_t gpu = 0; gpu < 4; ++gpu) {
    const std::size_t mate = gpu ^ 1;    // in the same box
    const std::size_t across = gpu ^ 2;  // in the same place of the other box
    const int to_mate = static_cast<int>(mate);
    const int to_across = static_cast<int>(across);
    XmlGpu& blocks = algorithm.gpus[gpu];
    blocks.emplace_back(XmlBlock{.send = to_mate, .recv = to_mate})
        .add("s", {'i', mate}, {'o', gpu})       // for the mate
        .add("s", {'i', mate ^ 2}, {'s', 0})     // through the mate
        .add("r", {'i', gpu}, {'o', mate})       // from the mate
        .add("r", {'i', across ^ 1}, {'s', 0});  // what the mate sends through here
    blocks.emplace_back(XmlBlock{.send = to_across, .recv = to_across})
        .add("s", {'i', across}, {'o', gpu})
        .add("s", {'s', 0}, {'o', mate}, {0, 3})  // the mate's
        .add("r", {'i', gpu}, {'o', across})
        .add("r", {'i', gpu}, {'o', across ^ 1});  // from the other's mate
    blocks.emplace_back().add("cpy", {'i', gpu}, {'o', gpu});
  }
  return algorithm;
}

}  // namespace gradwire::plan_files::testing
