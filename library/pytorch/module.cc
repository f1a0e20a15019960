#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <torch/csrc/utils/pybind.h>

#include "library/pytorch/process_group.h"
#include "library/pytorch/schedule.h"

/// The Python module gradwire._torch, the part of the package gradwire that is in C++.
namespace gradwire::pytorch {
namespace {

c10::intrusive_ptr<c10d::ProcessGroup> make_group(int rank, int size,
                                                  const std::vector<std::string>& options) {
  return c10::make_intrusive<ProcessGroup>(rank, size, options);
}

ProcessGroup& ours(const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  auto* const found = dynamic_cast<ProcessGroup*>(group.get());
  if (found == nullptr) throw std::invalid_argument("the group is none of gradwire's");
  return *found;
}

void leave(const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  ours(group).leave();
}

/// Verifies kept sums. Returns (all-reduces, elements, wrong ones, those that are not finite).
std::array<std::size_t, 4> verify(const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  const gradwire_verified found = ours(group).verify();
  return {found.sums, found.elements, found.wrong, found.not_finite};
}

/// The buckets of a schedule. Returns (how many gradients each bucket has, whether they are sent
/// before the last is ready).
std::pair<std::vector<std::size_t>, bool> buckets_of(const std::string& schedule,
                                                     const std::vector<double>& ready,
                                                     const std::vector<double>& bytes,
                                                     const std::pair<double, double>& cost) {
  Buckets chosen =
      choose_buckets(schedule, ready, bytes, {.a = Seconds(cost.first), .b = cost.second});
  return {std::move(chosen.sizes), chosen.overlaps};
}

std::pair<double, double> cost_of(const std::vector<double>& bytes,
                                  const std::vector<double>& seconds) {
  const schedule::Affine line = fit_cost(bytes, seconds);
  return {line.a.count(), line.b};
}

}  // namespace

PYBIND11_MODULE(_torch, module) {
  namespace py = pybind11;
  py::module_::import("torch.distributed");  // whose classes are returned here
  module.def("make_group", &make_group, py::arg("rank"), py::arg("size"), py::arg("options"),
             py::call_guard<py::gil_scoped_release>(),
             "Joins a job, and returns its process group. Blocks until all ranks have come.");
  module.def("leave", &leave, py::arg("group"), py::call_guard<py::gil_scoped_release>(),
             "Blocks until all that was called is done, and leaves the job.");
  module.def("verify", &verify, py::arg("group"), py::call_guard<py::gil_scoped_release>(),
             "Verifies the sums that are kept: [all-reduces, elements, wrong, not finite] so far.");
  module.def(
      "buckets", &buckets_of, py::arg("schedule"), py::arg("ready"), py::arg("bytes"),
      py::arg("cost"),
      "How many gradients each bucket of a schedule has, and whether buckets are sent before the "
      "last gradient is ready. Cost: seconds, and seconds per byte.");
  module.def("goes_by_cost", &goes_by_cost, py::arg("schedule"),
             "Whether a schedule goes by what a synchronization costs.");
  module.def("cost", &cost_of, py::arg("bytes"), py::arg("seconds"),
             "The line through measured times: seconds, and seconds per byte.");
}

}  // namespace gradwire::pytorch
