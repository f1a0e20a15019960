#include "tests/collectives/goals.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectives/binomial.h"
#include "collectives/bruck.h"
#include "collectives/chain.h"
#include "collectives/direct.h"
#include "collectives/doubling.h"
#include "collectives/ring.h"
#include "collectives/scatter_gather.h"

/// Every algorithm of every goal but the all-reduce: proven for all numbers of members up to 33 and
/// several wirings, and held against its closed form for all up to 32.
namespace gradwire::collectives {
namespace {

using testing::ClosedForm;
using testing::Collective;
using testing::make_topology;

struct Case {
  std::string name;
  Collective collective;
  ClosedForm form;
  bool powers_only = false;  ///< runs on a power of two of members only
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

double count(std::size_t number) {
  return static_cast<double>(number);
}
double one_less(std::size_t members) {
  return count(members - 1);
}
/// (N-1)/N
double others_share(std::size_t members) {
  return one_less(members) / count(members);
}
std::size_t one_step(std::size_t) {
  return 1;
}

std::vector<std::size_t> sizes(std::size_t members, std::size_t elements) {
  std::vector<std::size_t> all;
  for (const auto& part : equal_parts(members, elements)) all.push_back(part.front().count);
  return all;
}

Goal gather_goal(std::size_t n, std::size_t m) {
  return all_gather(equal_parts(n, m));
}
Goal scatter_goal(std::size_t n, std::size_t m) {
  return reduce_scatter(equal_parts(n, m));
}
Goal exchange_goal(std::size_t n, std::size_t m) {
  return all_to_all(n, m);
}
/// The root stands in the middle.
Goal broadcast_goal(std::size_t n, std::size_t m) {
  return broadcast(n, m, Rank(n / 2));
}
Goal reduce_goal(std::size_t n, std::size_t m) {
  return reduce(n, m, Rank(n / 2));
}
/// The root deals the parts of collectives/binomial.h.
Goal deal_goal(std::size_t n, std::size_t m) {
  return {
      .elements = m, .begins = broadcast_goal(n, m).begins, .ends = binomial::parts(n, m, n / 2)};
}
Goal collect_goal(std::size_t n, std::size_t m) {
  return {.elements = m, .begins = binomial::parts(n, m, n / 2), .ends = reduce_goal(n, m).ends};
}

/// What a binomial scatter sends: every member but the root gets the parts of its branch, N - v of
/// them where the tree is cut off.
double sent_by_scatter(std::size_t members) {
  double sent = 0;
  for (std::size_t v = 1; v < members; ++v) {
    sent += count(std::min(v & (~v + 1), members - v)) / count(members);
  }
  return sent;
}

using MakeGoalPlan = std::function<Plan(const Member& self, std::size_t elements)>;

/// A function of a member and the sizes of equal parts.
MakeGoalPlan sized(Plan (*make_plan)(const Member&, std::span<const std::size_t>)) {
  return [make_plan](const Member& self, std::size_t m) {
    return make_plan(self, sizes(self.members(), m));
  };
}

/// A function of a member and equal parts.
MakeGoalPlan parted(Plan (*make_plan)(const Member&, const Parts&)) {
  return [make_plan](const Member& self, std::size_t m) {
    return make_plan(self, equal_parts(self.members(), m));
  };
}

std::vector<Case> passing_cases() {
  const ClosedForm once_round{ring::steps, ring::closed_form, one_less};
  const ClosedForm logarithmic{bruck::steps, bruck::closed_form, one_less};
  const ClosedForm halving{doubling::steps, doubling::closed_form, one_less};
  return {
      {"ring_all_gather", {gather_goal, parted(ring::all_gather)}, once_round},
      {"ring_reduce_scatter", {scatter_goal, parted(ring::reduce_scatter)}, once_round},
      {"bruck_all_gather", {gather_goal, sized(bruck::all_gather)}, logarithmic},
      {"bruck_reduce_scatter", {scatter_goal, sized(bruck::reduce_scatter)}, logarithmic},
      {"doubling_all_gather", {gather_goal, sized(doubling::all_gather)}, halving, true},
      {"doubling_reduce_scatter", {scatter_goal, sized(doubling::reduce_scatter)}, halving, true},
  };
}

Case direct_case(std::string name, Goal (*goal)(std::size_t, std::size_t), const ClosedForm& form) {
  return {std::move(name),
          {goal, [goal](const Member& self,
                        std::size_t m) { return direct::plan(self, goal(self.members(), m)); }},
          form};
}

Case pairwise_case(std::string name, Goal (*goal)(std::size_t, std::size_t),
                   const ClosedForm& form) {
  return {std::move(name),
          {goal, [goal](const Member& self,
                        std::size_t m) { return direct::pairwise(self, goal(self.members(), m)); }},
          form};
}

/// An all-to-all's elements are those of all members: (N-1)/N of 1/N of them pass every port.
double exchanged(std::size_t members) {
  return others_share(members) / count(members);
}

std::vector<Case> direct_cases() {
  const ClosedForm at_once{one_step, others_share, one_less};
  const ClosedForm in_turn{ring::steps, others_share, one_less};
  return {
      direct_case("direct_all_gather", gather_goal, at_once),
      direct_case("direct_reduce_scatter", scatter_goal, at_once),
      direct_case("direct_broadcast", broadcast_goal, {one_step, one_less, one_less}),
      direct_case("direct_reduce", reduce_goal, {one_step, one_less, one_less}),
      direct_case("direct_all_to_all", exchange_goal, {one_step, exchanged, others_share}),
      pairwise_case("pairwise_all_gather", gather_goal, in_turn),
      pairwise_case("pairwise_reduce_scatter", scatter_goal, in_turn),
      pairwise_case("pairwise_all_to_all", exchange_goal, {ring::steps, exchanged, others_share})};
}

/// A function of a member, an amount and a root, with the root in the middle.
template <class MakeRooted>
MakeGoalPlan rooted(MakeRooted make_plan) {
  return [make_plan](const Member& self, std::size_t m) {
    return make_plan(self, m, self.members() / 2);
  };
}

std::vector<Case> tree_cases() {
  const ClosedForm tree{binomial::steps, binomial::closed_form, one_less};
  const ClosedForm branches{binomial::steps, binomial::scatter_closed_form, sent_by_scatter};
  const ClosedForm both{
      scatter_gather::steps, scatter_gather::closed_form,
      [](std::size_t members) { return sent_by_scatter(members) + one_less(members); }};
  return {{"binomial_broadcast", {broadcast_goal, rooted(binomial::broadcast)}, tree},
          {"binomial_reduce", {reduce_goal, rooted(binomial::reduce)}, tree},
          {"binomial_scatter", {deal_goal, rooted(binomial::scatter)}, branches},
          {"binomial_gather", {collect_goal, rooted(binomial::gather)}, branches},
          {"scatter_gather_broadcast", {broadcast_goal, rooted(scatter_gather::broadcast)}, both},
          {"scatter_gather_reduce", {reduce_goal, rooted(scatter_gather::reduce)}, both}};
}

std::vector<Case> chain_cases() {
  std::vector<Case> cases;
  for (const std::size_t pieces : {1u, 5u, 8u}) {
    const ClosedForm form{[=](std::size_t n) { return chain::steps(n, pieces); },
                          [=](std::size_t n) { return chain::closed_form(n, pieces); }, one_less};
    const auto options = [=](std::size_t root) {
      return chain::Options{.root = root, .pieces = pieces};
    };
    cases.push_back(
        {fmt::format("chain_broadcast_{}", pieces),
         {broadcast_goal, rooted([=](const Member& self, std::size_t m, std::size_t root) {
            return chain::broadcast(self, m, options(root));
          })},
         form});
    cases.push_back({fmt::format("chain_reduce_{}", pieces),
                     {reduce_goal, rooted([=](const Member& self, std::size_t m, std::size_t root) {
                        return chain::reduce(self, m, options(root));
                      })},
                     form});
  }
  return cases;
}

std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const auto& cases : {passing_cases(), direct_cases(), tree_cases(), chain_cases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

class Collectives : public ::testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static bool takes(std::size_t members) {
    return !GetParam().powers_only || std::has_single_bit(members);
  }
};

TEST_P(Collectives, ReachTheirGoalForAnyNumberOfMembers) {
  for (std::size_t members = 2; members <= 33; ++members) {
    if (takes(members)) {
      testing::expect_goal(*testing::single_switch(members), GetParam().collective);
    }
  }
}

TEST_P(Collectives, ReachTheirGoalOnOtherWirings) {
  for (const char* wiring :
       {"bcube(3,2)", "bcube(2,3)", "fat-tree(4)", "leaf-spine(3,4,2)", "torus(4,4)"}) {
    const auto topology = make_topology(wiring);
    if (takes(topology->hosts())) testing::expect_goal(*topology, GetParam().collective);
  }
}

TEST_P(Collectives, TakeTheStepsTimeAndBytesOfTheirClosedForm) {
  for (std::size_t members = 2; members <= 32; ++members) {
    if (takes(members)) {
      testing::expect_closed_form(GetParam().collective, GetParam().form, members);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Collectives, ::testing::ValuesIn(all_cases()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace gradwire::collectives
