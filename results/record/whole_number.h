#pragma once

#include "core/text/whole_number.h"

namespace gradwire::record {

using text::whole_number;

}  // namespace gradwire::record
