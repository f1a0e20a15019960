#include "core/elements.h"

#include <cstdlib>
#include <new>

#include "core/with_type.h"

namespace gradwire {

double value_at(const Elements& elements, std::size_t index) {
  return with_type(elements.type(),
                   [&](auto type) { return as_double(elements.as<decltype(type)>()[index]); });
}

ElementBuffer::ElementBuffer(Dtype type, std::size_t count)
    : memory_(static_cast<std::byte*>(std::calloc(count, size_of(type)))),
      bytes_(count * size_of(type)),
      type_(type) {
  if (count > 0 && !memory_) throw std::bad_alloc();
}

void ElementBuffer::Free::operator()(std::byte* memory) const {
  std::free(memory);
}

}  // namespace gradwire
