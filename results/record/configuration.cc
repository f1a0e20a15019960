#include "results/record/configuration.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace gradwire::record {
namespace {

/// The fields as a tuple, in the order of Field. The structured binding names all of them, or does
/// not compile.
auto fields_of(const Configuration& configuration) {
  const auto& [point, backing, wiring, algorithm, collective, workload, batch, schedule, ranks,
               ports_per_host, elements, type, memory] = configuration;
  return std::tie(point, backing, wiring, algorithm, collective, workload, batch, schedule, ranks,
                  ports_per_host, elements, type, memory);
}

using Fields = decltype(fields_of(std::declval<const Configuration&>()));
static_assert(std::tuple_size_v<Fields> == static_cast<std::size_t>(Field::memory) + 1);

template <std::size_t... kIndices>
std::vector<Field> differences(const Fields& a, const Fields& b,
                               std::index_sequence<kIndices...> /*all*/) {
  std::vector<Field> found;
  const auto compare = [&found](Field field, const auto& x, const auto& y) {
    if (x != y) found.push_back(field);
  };
  (compare(static_cast<Field>(kIndices), std::get<kIndices>(a), std::get<kIndices>(b)), ...);
  return found;
}

}  // namespace

std::vector<Field> differences(const Configuration& a, const Configuration& b) {
  return differences(fields_of(a), fields_of(b),
                     std::make_index_sequence<std::tuple_size_v<Fields>>());
}

bool same_but_for(std::initializer_list<Field> fields, const Configuration& a,
                  const Configuration& b) {
  return std::ranges::all_of(differences(a, b), [&](Field field) {
    return std::ranges::find(fields, field) != fields.end();
  });
}

}  // namespace gradwire::record
