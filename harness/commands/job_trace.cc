#include "harness/commands/job_trace.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gradwire::commands {
namespace {

using nlohmann::json;

json metadata(const char* what, std::size_t process, std::size_t track, const std::string& name) {
  return {
      {"ph", "M"}, {"pid", process}, {"tid", track}, {"name", what}, {"args", {{"name", name}}}};
}

json span(const jobs::Job& job, std::size_t rank, std::size_t node,
          const simulator::NodeTimes& times) {
  const jobs::Part& part = job.ranks[rank];
  const jobs::Program& program = job.programs[part.program];
  const jobs::Node& self = program.nodes[node];
  json arguments{{"node", node}};
  std::string name = "compute";
  if (const auto* call = std::get_if<jobs::Call>(&self.what)) {
    name = to_string(call->what);
    arguments["group"] = job.groups[part.groups[call->slot]].name;
    arguments["elements"] = call->elements;
    arguments["type"] = to_string(call->dtype);
  }
  return {{"ph", "X"},
          {"pid", rank},
          {"tid", self.stream},
          {"name", self.name.empty() ? name : self.name},
          {"cat", name},
          {"ts", times.start * 1e6},
          {"dur", (times.end - times.start) * 1e6},
          {"args", std::move(arguments)}};
}

}  // namespace

std::string job_trace(const jobs::Job& job, const simulator::JobOutcome& outcome) {
  json events = json::array();
  for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
    const jobs::Program& program = job.programs[job.ranks[rank].program];
    events.push_back(
        metadata("process_name", rank, 0, fmt::format("rank {}: {}", rank, program.name)));
    std::set<std::uint32_t> streams;
    for (const jobs::Node& node : program.nodes) {
      if (!streams.insert(node.stream).second) continue;
      events.push_back(
          metadata("thread_name", rank, node.stream, fmt::format("stream {}", node.stream)));
    }
    for (std::size_t node = 0; node < program.nodes.size(); ++node) {
      events.push_back(span(job, rank, node, outcome.nodes[rank][node]));
    }
  }
  return json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump();
}

}  // namespace gradwire::commands
