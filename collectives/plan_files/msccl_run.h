#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectives/plan_files/msccl_program.h"
#include "core/plan.h"

/// The run of an MSCCL program with values instead of numbers.
namespace gradwire::plan_files {

/// A chunk on its way from one rank's place to another's. Chunks are those of a plan file.
struct MscclMessage {
  Rank from;
  Rank to;
  std::size_t channel = 0;
  std::size_t chunk = 0;
  std::size_t packet = 0;  ///< number shared by the messages of one step of the program
  Combine how = Combine::replace;
  bool is_used = false;        ///< an unused message need not be sent
  text::TextPosition place{};  ///< place of the step that sends it
};

/// One use of the place of one chunk on one rank, in order.
struct MscclUse {
  enum class Kind : std::uint8_t { send, add, replace } kind = Kind::send;
  std::size_t message = 0;  ///< index into MscclTrace::messages
};

struct MscclTrace {
  std::vector<MscclMessage> messages;
  /// Uses of chunks' places on ranks that messages touch.
  std::vector<std::vector<MscclUse>> places;
};

/// Runs all blocks, each as far as it gets, until all are at their end, and follows which value
/// each slot holds. Messages between two ranks on a channel stay in order, and never wait to be
/// sent. Throws InputError like parse_msccl(), except for messages that wait for each other.
[[nodiscard]] MscclTrace run_msccl(const MscclProgram& program);

}  // namespace gradwire::plan_files
