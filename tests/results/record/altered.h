#pragma once

#include <array>

#include "core/error.h"
#include "results/record/configuration.h"

/// Configurations for tests.
namespace gradwire::record {

inline constexpr std::array kAllFields = {
    Field::point,      Field::backing,        Field::wiring,   Field::algorithm, Field::workload,
    Field::collective, Field::batch,          Field::schedule, Field::ranks,     Field::elements,
    Field::type,       Field::ports_per_host, Field::memory,
};

/// The configuration with another value in one field.
inline Configuration altered(Configuration c, Field field) {
  switch (field) {
    case Field::point:
      return c.point += 7, c;
    case Field::backing:
      return c.backing = c.backing == Backing::hosts ? Backing::simulated : Backing::hosts, c;
    case Field::wiring:
      return c.wiring += "x", c;
    case Field::algorithm:
      return c.algorithm += "x", c;
    case Field::collective:
      return c.collective += "x", c;
    case Field::workload:
      return c.workload += "x", c;
    case Field::batch:
      return c.batch += 1, c;
    case Field::schedule:
      return c.schedule += "x", c;
    case Field::ranks:
      return c.ranks += 1, c;
    case Field::ports_per_host:
      return c.ports_per_host += 1, c;
    case Field::elements:
      return c.elements += 1, c;
    case Field::type:
      return c.type = c.type == Dtype::byte ? Dtype::int32 : Dtype::byte, c;
    case Field::memory:
      return c.memory = c.memory == Memory::host ? Memory::device : Memory::host, c;
  }
  throw InternalError("an unknown Field");
}

}  // namespace gradwire::record
