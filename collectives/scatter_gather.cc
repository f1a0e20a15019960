#include "collectives/scatter_gather.h"

#include "collectives/binomial.h"
#include "collectives/ring.h"

namespace gradwire::collectives::scatter_gather {
namespace {

/// The Plan with Stepping::one_by_one: the ring's stage begins when the tree's has ended, and each
/// of its steps waits for the one before.
Plan one_by_one(Plan plan) {
  plan.stepping = Stepping::one_by_one;
  return plan;
}

}  // namespace

Plan broadcast(const Member& self, std::size_t elements, std::size_t root) {
  const Parts parts = binomial::parts(self.members(), elements, root);
  return then(binomial::scatter(self, elements, root), one_by_one(ring::all_gather(self, parts)));
}

Plan reduce(const Member& self, std::size_t elements, std::size_t root) {
  const Parts parts = binomial::parts(self.members(), elements, root);
  return then(one_by_one(ring::reduce_scatter(self, parts)),
              binomial::gather(self, elements, root));
}

std::size_t steps(std::size_t members) {
  return binomial::steps(members) + ring::steps(members);
}

double closed_form(std::size_t members) {
  return binomial::scatter_closed_form(members) + ring::closed_form(members);
}

}  // namespace gradwire::collectives::scatter_gather
