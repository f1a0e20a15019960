#include "core/touched.h"

#include <utility>

namespace gradwire {

std::vector<Extent> touched(const Goal& goal, Rank rank, const Plan& plan) {
  std::vector<Extent> all = goal.begins[rank.index()];
  const std::vector<Extent>& ends = goal.ends[rank.index()];
  all.insert(all.end(), ends.begin(), ends.end());
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) {
      for (const Send& send : step.sends) all.push_back(send.what);
      for (const Recv& recv : step.recvs) all.push_back(recv.where);
    }
  }
  return merged(std::move(all));
}

}  // namespace gradwire
