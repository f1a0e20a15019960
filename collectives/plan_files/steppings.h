#pragma once

#include "core/name_table.h"
#include "core/plan.h"

namespace gradwire::plan_files {

/// The names of steppings in plan files.
inline constexpr NameTable<Stepping, 4> kSteppings({{"overlapped", Stepping::overlapped},
                                                    {"in-order", Stepping::in_order},
                                                    {"one-by-one", Stepping::one_by_one},
                                                    {"ordered-sums", Stepping::ordered_sums}});

}  // namespace gradwire::plan_files
