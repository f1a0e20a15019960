#include "core/memory.h"

#include "core/name_table.h"

namespace gradwire {
namespace {

constexpr NameTable<Memory, 2> kMemoryNames({{"host", Memory::host}, {"device", Memory::device}});

}  // namespace

std::string_view to_string(Memory memory) {
  return kMemoryNames.name_of(memory);
}

Memory parse_memory(std::string_view name) {
  const auto memory = kMemoryNames.find(name);
  ensure(memory.has_value(), "a gradient lies in a known memory");
  return *memory;
}

}  // namespace gradwire
