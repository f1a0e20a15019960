#include "simulator/least_iteration.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "core/dtype.h"

namespace gradwire::simulator {
namespace {

/// A kind of call that a group makes.
using Kind = std::tuple<std::uint32_t, jobs::Collective, std::size_t, Dtype, std::uint32_t>;

/// The bytes per second of all ports of the fastest host together.
double fastest_host(const topologies::Topology& topology, const NetworkModel& model) {
  double fastest = 0;
  for (std::size_t host = 0; host < topology.hosts(); ++host) {
    double speed = 0;
    for (std::size_t port = 0; port < topology.ports_per_host(); ++port) {
      speed += topology.speed_at({topology.host(Rank(host)), Port(port)});
    }
    fastest = std::max(fastest, speed);
  }
  const double burst = model.burst > 0 ? std::max(model.burst_factor, 1.0) : 1;
  return fastest * burst * model.rate;
}

/// The elements that a Plan sends.
std::size_t sent_by(const Plan& plan) {
  std::size_t elements = 0;
  for (const Lane& lane : plan.lanes) {
    for (const Step& step : lane) {
      for (const Send& send : step.sends) elements += send.what.count;
    }
  }
  return elements;
}

/// The times that members need for their own sends.
class SendingTimes {
 public:
  SendingTimes(const jobs::Job& job, const PlansOf& plans_of, double bytes_per_second)
      : job_(job), plans_of_(plans_of), bytes_per_second_(bytes_per_second) {}

  /// The time of a rank's sends in a call of its group.
  [[nodiscard]] double of(std::size_t rank, const jobs::Call& call) {
    const std::uint32_t group = job_.ranks[rank].groups[call.slot];
    const Group& members = job_.groups[group].ranks;
    const auto [known, is_new] =
        times_.try_emplace({group, call.what, call.elements, call.dtype, call.root});
    if (is_new) known->second = all_of(members, call);
    const auto place = std::ranges::find(members, Rank(rank)) - members.begin();
    return known->second[static_cast<std::size_t>(place)];
  }

 private:
  /// The time of each member's sends, by place in the group.
  [[nodiscard]] std::vector<double> all_of(const Group& members, jobs::Call call) const {
    call.slot = 0;
    std::vector<double> times;
    for (const Plan& plan : plans_of_(call, members)) {  // rank r is on host r
      const auto bytes = static_cast<double>(sent_by(plan) * size_of(call.dtype));
      times.push_back(bytes / bytes_per_second_);
    }
    return times;
  }

  const jobs::Job& job_;
  const PlansOf& plans_of_;
  double bytes_per_second_;
  std::map<Kind, std::vector<double>> times_;
};

/// The least time of a rank's iteration: the longest way through its program, or the time of its
/// sends if that is longer.
double least_of_rank(const jobs::Job& job, std::size_t rank, SendingTimes& sending) {
  const std::vector<jobs::Node>& nodes = job.programs[job.ranks[rank].program].nodes;
  std::map<std::uint32_t, double> streams;  // when the last node so far is over
  std::vector<double> ends;
  double sent = 0;
  double last = 0;
  for (const jobs::Node& node : nodes) {
    double& stream = streams[node.stream];
    double ready = node.after.empty() ? node.lag.count() : 0;
    for (const std::uint32_t before : node.after) {
      ready = std::max(ready, ends[before] + node.lag.count());
    }
    double takes = 0;
    if (const auto* call = std::get_if<jobs::Call>(&node.what)) {
      takes = sending.of(rank, *call);
      sent += takes;
    } else {
      takes = std::get<jobs::Compute>(node.what).time.count();
    }
    stream = std::max(stream, ready) + takes;
    ends.push_back(stream);
    last = std::max(last, stream);
  }
  return std::max(last, sent);
}

}  // namespace

double least_iteration(const topologies::Topology& topology, const jobs::Job& job,
                       const PlansOf& plans_of, const NetworkModel& model) {
  SendingTimes sending(job, plans_of, fastest_host(topology, model));
  double least = 0;
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    least = std::max(least, least_of_rank(job, rank, sending));
  }
  return least;
}

}  // namespace gradwire::simulator
