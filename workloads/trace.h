#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/profile.h"

/// Files of measured profiles.
///
/// CSV: a line of column names, then a line per tensor in forward order. Empty lines and comments,
/// which begin with '#', are skipped, except that the first "# source: ..." says where it was
/// measured. Fields may stand in quotes (core/text/csv_document.h).
///
///     # source: ResNet-50, batch 64, V100, nsys 2024.2
///     tensor,elements,forward_us,backward_us
///     conv1.weight,9408,120.5,260.25
///
/// JSON: {"source": "...", "tensors": [{"tensor": "conv1.weight", "elements": 9408, ...}, ...]}.
///
/// Required: tensor, elements (a whole number above 0), backward_us (finite, not negative).
/// Optional: forward_us (absent for all: half of backward_us is assumed, and the source says so);
/// layer: neighbouring tensors of the same layer become ready together, and their times add up; a
/// tensor without one is a layer of its own.
///
/// A file may state its version, which is 1 by default: "# gradwire-trace: 1" in CSV,
/// "gradwire-trace": 1 in JSON. A newer one is refused.
///
/// A source that begins with "derived:" marks a profile that was not measured, so that a derived
/// profile stays derived when it is written by to_csv and read again.
namespace gradwire::workloads {

/// Reads a trace; the end of its name, ".json" or anything else, decides its form. With `model`,
/// the tensors' number and elements must be the model's. Throws InputError with file, line and
/// column for a missing or unknown column, a field too many or too few, a field that should be a
/// number and is not, a number that is negative or not finite, tensors that do not fit the model,
/// and a file of more than 4 MiB.
[[nodiscard]] Profile load_trace(const std::filesystem::path& path, const Model* model);
/// Reads a trace from its text, which messages call `name`. Throws like load_trace().
[[nodiscard]] Profile parse_trace(std::string_view text, const std::string& name,
                                  const Model* model);

/// The CSV form, which parse_trace reads back into the same profile; layers of one tensor get its
/// name. Requires that the profile's tensors are the model's, whose names it writes.
[[nodiscard]] std::string to_csv(const Profile& profile, const Model& model);

/// The published trace of that name, which must be of `model`, or else the trace in the file of
/// that path; a relative path begins in `folder`. Throws like the functions that it chooses from,
/// and for a trace of another model without a place.
[[nodiscard]] Profile open_trace(const std::string& name_or_path,
                                 const std::filesystem::path& folder, const Model* model);

/// A published trace of this folder. Throws InputError, which lists the traces, for an unknown one.
[[nodiscard]] Profile published_trace(std::string_view name);
/// The names of the published traces. googlenet-k80: 64 layers, measured by the authors of MG-WFBP.
/// resnet50-k80: 107 layers, derived to match those authors' printed efficiency.
[[nodiscard]] std::vector<std::string> published_trace_names();

}  // namespace gradwire::workloads
