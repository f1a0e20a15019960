#include "collectives/scatter_gather.h"

#include "collectives/binomial.h"
#include "collectives/ring.h"

namespace gradwire::collectives::scatter_gather {

Plan broadcast(const Member& self, std::size_t elements, std::size_t root) {
  const Parts parts = binomial::parts(self.members(), elements, root);
  return then(binomial::scatter(self, elements, root), ring::all_gather(self, parts));
}

Plan reduce(const Member& self, std::size_t elements, std::size_t root) {
  const Parts parts = binomial::parts(self.members(), elements, root);
  return then(ring::reduce_scatter(self, parts), binomial::gather(self, elements, root));
}

std::size_t steps(std::size_t members) {
  return binomial::steps(members) + ring::steps(members);
}

double closed_form(std::size_t members) {
  return binomial::scatter_closed_form(members) + ring::closed_form(members);
}

}  // namespace gradwire::collectives::scatter_gather
