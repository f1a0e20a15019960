#include "collectives/plan_files/msccl_memory.h"

#include <string>
#include <utility>

#include <fmt/core.h>

namespace gradwire::plan_files {

using Kind = MscclUse::Kind;

MscclMemory::MscclMemory(const MscclProgram& program, Rank rank, MscclTrace& trace)
    : program_(program),
      rank_(rank),
      trace_(trace),
      slots_(program.inputs + program.outputs + program.gpus[rank.index()].scratch) {
  for (std::size_t i = 0; i < program.inputs; ++i) {
    MscclHeld value = std::make_shared<MscclValue>(MscclValue{.chunk = chunk_of_input(i)});
    places_[value->chunk].value = value;
    slot({MscclBuffer::input, i}) = std::move(value);
  }
}

MscclHeld& MscclMemory::slot(const MscclSlot& slot) {
  const std::size_t outputs = program_.inputs;
  const std::size_t scratch = outputs + program_.outputs;
  if (slot.buffer == MscclBuffer::scratch) return slots_[scratch + slot.index];
  const bool is_output = slot.buffer == MscclBuffer::output;
  // In place, the smaller memory is the rank's part of the larger.
  if (program_.in_place && is_output && program_.collective == "all-reduce") {
    return slots_[slot.index];
  }
  if (program_.in_place && is_output && program_.collective == "reduce-scatter") {
    return slots_[rank_.index() * program_.outputs + slot.index];
  }
  if (program_.in_place && !is_output && program_.collective == "all-gather") {
    return slots_[outputs + rank_.index() * program_.inputs + slot.index];
  }
  return slots_[is_output ? outputs + slot.index : slot.index];
}

MscclHeld MscclMemory::take(const MscclSlot& from, const MscclStep& step) {
  const MscclHeld& value = slot(from);
  if (!value) program_.refuse(step.place, "reads memory that nothing was written to");
  if (value->is_gone) refuse_two(*value, step);
  return value;
}

MscclHeld MscclMemory::sum(MscclHeld one, MscclHeld other, const MscclStep& step) {
  if (one->chunk != other->chunk) {
    program_.refuse(step.place, fmt::format("adds chunk {} to chunk {}", other->chunk, one->chunk));
  }
  if (one == other) program_.refuse(step.place, "adds a value to itself");
  Place& place = places_[one->chunk];
  if (place.value == other) std::swap(one, other);
  auto result = std::make_shared<MscclValue>(MscclValue{.chunk = one->chunk});
  if (place.value == one) {
    for (const std::size_t arrival : other->arrivals) use(place, arrival, Kind::add);
    place.value = result;
  } else {
    if (one->arrivals.size() < other->arrivals.size()) std::swap(one, other);
    result->arrivals = std::move(one->arrivals);
    result->arrivals.insert(result->arrivals.end(), other->arrivals.begin(), other->arrivals.end());
  }
  one->is_gone = other->is_gone = true;
  return result;
}

std::size_t MscclMemory::send(const MscclHeld& value, const MscclMessage& message,
                              const MscclStep& step) {
  settle(value, step);
  places_[value->chunk].uses.push_back({Kind::send, trace_.messages.size()});
  trace_.messages.push_back(message);
  return trace_.messages.size() - 1;
}

void MscclMemory::finish() {
  for (std::size_t i = 0; i < program_.outputs; ++i) {
    const MscclHeld value = slot({MscclBuffer::output, i});
    const std::size_t chunk = chunk_of_output(i);
    if (!value || value->chunk != chunk) {
      const std::string found = value ? fmt::format("chunk {}", value->chunk) : "nothing";
      program_.refuse({}, fmt::format("GPU {}: output chunk {} ends with {} instead of chunk {}",
                                      rank_.index(), i, found, chunk));
    }
    settle(value, {});
  }
  for (auto& [chunk, place] : places_) trace_.places.push_back(std::move(place.uses));
}

void MscclMemory::settle(const MscclHeld& value, const MscclStep& step) {
  if (value->is_gone) refuse_two(*value, step);
  Place& place = places_[value->chunk];
  if (place.value == value) return;
  if (place.value) place.value->is_gone = true;
  Kind kind = Kind::replace;
  for (const std::size_t arrival : std::exchange(value->arrivals, {})) {
    use(place, arrival, kind);
    kind = Kind::add;
  }
  place.value = value;
}

void MscclMemory::use(Place& place, std::size_t arrival, Kind kind) {
  MscclMessage& message = trace_.messages[arrival];
  message.is_used = true;
  message.how = kind == Kind::add ? Combine::add : Combine::replace;
  place.uses.push_back({kind, arrival});
}

void MscclMemory::refuse_two(const MscclValue& value, const MscclStep& step) const {
  program_.refuse(step.place,
                  fmt::format("GPU {} would have to keep two values of chunk {} at once: a Plan "
                              "has one place for it on each rank",
                              rank_.index(), value.chunk));
}

std::size_t MscclMemory::chunk_of_input(std::size_t slot) const {
  const bool is_shared =
      program_.collective == "all-reduce" || program_.collective == "reduce-scatter";
  return is_shared ? slot : rank_.index() * program_.inputs + slot;
}

std::size_t MscclMemory::chunk_of_output(std::size_t slot) const {
  if (program_.collective == "reduce-scatter") return rank_.index() * program_.outputs + slot;
  if (program_.collective != "all-to-all") return slot;
  const std::size_t block = program_.chunks / program_.gpus.size();
  return slot / block * program_.chunks + rank_.index() * block + slot % block;
}

}  // namespace gradwire::plan_files
