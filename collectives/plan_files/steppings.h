#pragma once

#include "core/name_table.h"
#include "core/plan.h"

namespace gradwire::plan_files {

/// What plan files call them.
inline constexpr NameTable<Stepping, 3> kSteppings({{"overlapped", Stepping::overlapped},
                                                    {"in-order", Stepping::in_order},
                                                    {"one-by-one", Stepping::one_by_one}});

}  // namespace gradwire::plan_files
