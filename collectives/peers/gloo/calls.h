#pragma once

#include <functional>
#include <memory>
#include <span>

#include <gloo/context.h>

#include "collectives/peers/gloo/connect.h"
#include "core/extent.h"

namespace gradwire::peers::gloo {

/// A collective of Gloo's on one extent, with the memory that it needs.
struct Call {
  std::function<void()> run;           ///< body of Collective::run; throws Gloo's exceptions
  std::function<void()> put_in_place;  ///< body of Collective::put_in_place; may be empty
};

/// Prepares a call, with its memory allocated before the clock runs where possible. The gradient
/// must outlive it.
[[nodiscard]] Call make_call(const std::shared_ptr<::gloo::Context>& context,
                             std::span<float> gradient, const Extent& whole,
                             const ConnectOptions& options);

}  // namespace gradwire::peers::gloo
