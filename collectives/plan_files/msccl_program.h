#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/text/text_check.h"

/// The contents of an MSCCL file, before anything is run.
namespace gradwire::plan_files {

enum class MscclBuffer : std::uint8_t { input, output, scratch };

/// A slot of a GPU's memory, which holds a chunk.
struct MscclSlot {
  MscclBuffer buffer = MscclBuffer::input;
  std::size_t index = 0;
};

/// The actions of a step, in this order. A step without any only waits.
struct MscclWork {
  bool receives = false;
  bool reduces = false;  ///< adds the source to the received value, or to the destination
  bool copies = false;   ///< copies the source, or the received value, to the destination
  bool sends = false;
};

/// A step of the same GPU that must be over first.
struct MscclWait {
  std::size_t block = 0;
  std::size_t step = 0;
};

struct MscclStep {
  MscclWork work;
  MscclSlot source;
  MscclSlot destination;
  std::size_t count = 0;  ///< number of slots side by side
  std::optional<MscclWait> after;
  text::TextPosition place;
};

/// A thread block: its steps run in order.
struct MscclBlock {
  std::optional<Rank> sends_to;
  std::optional<Rank> receives_from;
  std::size_t channel = 0;
  std::vector<MscclStep> steps;
};

struct MscclGpu {
  std::size_t scratch = 0;  ///< number of slots; input and output have equally many on all GPUs
  std::vector<MscclBlock> blocks;
};

struct MscclProgram {
  std::string file;
  std::string name;
  std::string collective;  ///< name in plan files
  bool in_place = false;   ///< output memory is input memory, or part of it, or the other way round
  std::size_t chunks = 0;  ///< nchunksperloop of the larger of the two
  std::size_t inputs = 0;  ///< number of slots
  std::size_t outputs = 0;  ///< number of slots
  std::vector<MscclGpu> gpus;

  /// Throws InputError with a place in the file.
  [[noreturn]] void refuse(text::TextPosition place, const std::string& why) const;
};

/// Reads the XML. Slots lie within the GPU's memory, ranks and blocks exist. Throws InputError like
/// parse_msccl().
[[nodiscard]] MscclProgram read_msccl(std::string_view text, const std::string& file);

}  // namespace gradwire::plan_files
