#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "collectives/plan_files/msccl_program.h"
#include "collectives/plan_files/msccl_run.h"

namespace gradwire::plan_files {

/// A value in a slot: a sum for a chunk. It is in the chunk's place, or consists of arrivals that
/// have no place yet.
struct MscclValue {
  std::size_t chunk = 0;
  std::vector<std::size_t> arrivals = {};  ///< messages
  bool is_gone = false;                    ///< overwritten, or part of another by now
};
/// The value of a slot, shared with copies of the slot.
using MscclHeld = std::shared_ptr<MscclValue>;

/// The memory of a rank, and the places that its chunks have in a Plan. All functions throw
/// InputError at the step's place for the faults that parse_msccl refuses.
class MscclMemory {
 public:
  /// Memory with the elements that the rank begins with. The program and the trace must outlive it.
  MscclMemory(const MscclProgram& program, Rank rank, MscclTrace& trace);

  /// A slot, which may be written to.
  [[nodiscard]] MscclHeld& slot(const MscclSlot& slot);
  /// The value of a slot, which must hold one that is still there.
  [[nodiscard]] MscclHeld take(const MscclSlot& from, const MscclStep& step);
  /// The sum of two values, which are gone then.
  [[nodiscard]] MscclHeld sum(MscclHeld one, MscclHeld other, const MscclStep& step);
  /// Notes a message that carries the value away, and returns its number.
  std::size_t send(const MscclHeld& value, const MscclMessage& message, const MscclStep& step);
  /// Puts the elements that the rank must end with in their places, and adds the uses of all places
  /// to the trace.
  void finish();

 private:
  /// The place of a chunk.
  struct Place {
    MscclHeld value;
    std::vector<MscclUse> uses;
  };

  /// Puts a value in its chunk's place.
  void settle(const MscclHeld& value, const MscclStep& step);
  void use(Place& place, std::size_t arrival, MscclUse::Kind kind);
  [[noreturn]] void refuse_two(const MscclValue& value, const MscclStep& step) const;
  [[nodiscard]] std::size_t chunk_of_input(std::size_t slot) const;
  [[nodiscard]] std::size_t chunk_of_output(std::size_t slot) const;

  const MscclProgram& program_;
  Rank rank_;
  MscclTrace& trace_;
  std::vector<MscclHeld> slots_;
  std::map<std::size_t, Place> places_;  ///< by chunk
};

}  // namespace gradwire::plan_files
