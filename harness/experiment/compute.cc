#include "harness/experiment/compute.h"

#include <optional>

#include "workloads/device.h"
#include "workloads/model.h"
#include "workloads/trace.h"

namespace gradwire::experiment {
std::string to_string(ProcessorLoad load) {
  return load == ProcessorLoad::wait ? "wait" : "cpu";
}

ProcessorLoad processor_load_of(const std::string& text) {
  ensure(text == "wait" || text == "cpu", "a load is wait or cpu");
  return text == "wait" ? ProcessorLoad::wait : ProcessorLoad::cpu;
}

Compute read_compute(const text::YamlReader& reader, const SourcePlace& place) {
  Compute compute{.device = reader.text("device", ""),
                  .devices = reader.value<std::size_t>("devices", 1),
                  .efficiency = reader.value<double>("efficiency", workloads::kDefaultEfficiency),
                  .trace = reader.text("trace", ""),
                  .load = processor_load_of(reader.text("load", "wait"))};
  if (compute.device.empty() == compute.trace.empty()) {
    throw InputError(place, "compute takes either a device or a trace");
  }
  compute.place = reader.place(compute.trace.empty() ? "device" : "trace");
  if (compute.trace.empty()) return compute;
  for (const char* key : {"devices", "efficiency"}) {
    if (reader.text(key)) throw InputError(reader.place(key), "a trace is measured as it is");
  }
  return compute;
}

workloads::Profile make_profile(const Compute& compute, const std::string& workload,
                                std::uint64_t batch) {
  std::optional<workloads::Model> model;
  if (!workload.empty()) model = workloads::load_model(workload);
  if (!compute.trace.empty()) {
    return text::at(compute.place, [&] {
      return workloads::open_trace(compute.trace, compute.folder, model ? &*model : nullptr);
    });
  }
  ensure(model.has_value() && batch > 0, "a derived profile has a model and a batch");
  return text::at(compute.place, [&] {
    return workloads::derive(*model, {.device = workloads::find_device(compute.device),
                                      .devices = compute.devices,
                                      .batch = batch,
                                      .efficiency = compute.efficiency});
  });
}

}  // namespace gradwire::experiment
