#include <stdexcept>
#include <string>
#include <vector>

#include <torch/csrc/utils/pybind.h>

#include "pytorch/process_group.h"

/// gradwire._torch: what the package gradwire has in C++.
namespace gradwire::pytorch {
namespace {

c10::intrusive_ptr<c10d::ProcessGroup> make_group(int rank, int size,
                                                  const std::vector<std::string>& options) {
  return c10::make_intrusive<ProcessGroup>(rank, size, options);
}

void leave(const c10::intrusive_ptr<c10d::ProcessGroup>& group) {
  auto* const ours = dynamic_cast<ProcessGroup*>(group.get());
  if (ours == nullptr) throw std::invalid_argument("the group is none of gradwire's");
  ours->leave();
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
}

}  // namespace gradwire::pytorch
