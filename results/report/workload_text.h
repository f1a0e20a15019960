#pragma once

#include <string>

#include "workloads/model.h"
#include "workloads/profile.h"

/// Texts and tables of workloads. Every function returns text that ends with a newline.
namespace gradwire::report {

/// A table of a model's tensors in forward order, and, with a profile of it, how long each layer
/// computes and when its gradients are ready. A layer's times are on its first tensor's line; ready
/// counts from the begin of the backward pass. Requires that the profile has the model's tensors.
[[nodiscard]] std::string workload_table(const workloads::Model& model,
                                         const workloads::Profile* profile);
/// The model's tensors and times as a JSON object.
[[nodiscard]] std::string workload_json(const workloads::Model& model,
                                        const workloads::Profile* profile);
/// The model's tensors as CSV: with a profile, the trace that `--trace` reads (workloads/trace.h);
/// without, names and counts.
[[nodiscard]] std::string workload_csv(const workloads::Model& model,
                                       const workloads::Profile* profile);

}  // namespace gradwire::report
