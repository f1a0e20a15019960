#pragma once

#include "core/id.h"
#include "core/plan.h"
#include "transport/rendezvous.h"

namespace gradwire::execution {

/// Finds out, before anything is connected, whether all ranks have made Plans that belong together
/// (core/plan_agreement.h). Collective. Throws FabricError that names the rank whose Plan is
/// another, on all ranks; a peer's Plan that differs would otherwise be a stall or a wrong sum.
void require_agreement(const Plan& plan, Rank self, transport::Rendezvous& rendezvous);

}  // namespace gradwire::execution
