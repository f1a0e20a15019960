#include "transport/execution/plan_agreement.h"

#include <cstdint>
#include <optional>

#include "core/error.h"
#include "core/plan_agreement.h"

namespace gradwire::execution {

void require_agreement(const Plan& plan, Rank self, transport::Rendezvous& rendezvous) {
  std::uint64_t sum = 0;
  for (const std::uint64_t one : rendezvous.all_gather(balance(plan, self))) sum += one;
  if (sum == 0) return;
  const std::optional<Rank> odd = odd_rank(rendezvous.all_gather(digest_of(plan, self)));
  ensure(odd.has_value(), "Plans whose balance is not 0 differ for some pair of ranks");
  throw FabricError(FabricFailure::refused, {.rank = odd},
                    "its Plan does not fit those of the others: is its program another?");
}

}  // namespace gradwire::execution
