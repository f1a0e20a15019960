#include "core/dtype.h"

#include "core/name_table.h"

namespace gradwire {
namespace {

constexpr NameTable<Dtype, 7> kNames({{"float32", Dtype::float32},
                                      {"float64", Dtype::float64},
                                      {"float16", Dtype::float16},
                                      {"bfloat16", Dtype::bfloat16},
                                      {"int32", Dtype::int32},
                                      {"int64", Dtype::int64},
                                      {"byte", Dtype::byte}});

}  // namespace

std::size_t size_of(Dtype type) {
  switch (type) {
    case Dtype::float64:
    case Dtype::int64:
      return 8;
    case Dtype::float32:
    case Dtype::int32:
      return 4;
    case Dtype::float16:
    case Dtype::bfloat16:
      return 2;
    case Dtype::byte:
      return 1;
  }
  throw_bug("an element has one of the types");
}

std::string_view to_string(Dtype type) {
  return kNames.name_of(type);
}

Dtype parse_dtype(std::string_view name) {
  const auto type = kNames.find(name);
  ensure(type.has_value(), "an element is of a known type");
  return *type;
}

}  // namespace gradwire
