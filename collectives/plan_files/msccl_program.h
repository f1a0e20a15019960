#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/text/text_check.h"

/// What an MSCCL file says, before anything is run.
namespace gradwire::plan_files {

enum class MscclBuffer : std::uint8_t { input, output, scratch };

/// A slot of a GPU's memory holds a chunk.
struct MscclSlot {
  MscclBuffer buffer = MscclBuffer::input;
  std::size_t index = 0;
};

/// What a step does, in this order. A step that does nothing only waits.
struct MscclWork {
  bool receives = false;
  bool reduces = false;  ///< adds the source to what was received; or, to the destination
  bool copies = false;   ///< the source, or what was received, goes to the destination
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
  std::size_t count = 0;  ///< slots side by side
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
  std::size_t scratch = 0;  ///< slots; all GPUs have as many for input, and for output
  std::vector<MscclBlock> blocks;
};

struct MscclProgram {
  std::string file;
  std::string name;
  std::string collective;  ///< as plan files call it
  bool in_place = false;   ///< output memory is input memory, or part of it, or the other way round
  std::size_t chunks = 0;  ///< nchunksperloop: of the larger of the two
  std::size_t inputs = 0;  ///< slots
  std::size_t outputs = 0;  ///< slots
  std::vector<MscclGpu> gpus;

  /// Throws InputError with a place in the file.
  [[noreturn]] void refuse(text::TextPosition place, const std::string& why) const;
};

/// Reads the XML. Slots lie within the GPU's memory, ranks and blocks exist. Throws InputError as
/// parse_msccl.
[[nodiscard]] MscclProgram read_msccl(std::string_view text, const std::string& file);

}  // namespace gradwire::plan_files
