#pragma once

#include <memory>
#include <string>

#include "transport/device/device.h"

/// NVIDIA's GPUs, by CUDA, behind the interface of transport/device/, which is all that the rest of
/// the program knows of them.
namespace gradwire::cuda {

/// The first GPU that CUDA finds (CUDA_VISIBLE_DEVICES says which that is). Throws DeviceError, with
/// the reason, where there is none, or where this program was built without CUDA.
[[nodiscard]] std::unique_ptr<transport::device::Device> open_device();

/// Describes the first GPU, or why there is none: "usable: NVIDIA H100 80GB HBM3, sm_90, 79.1 GiB,
/// CUDA 12.8; nvidia-peermem not loaded, dma-buf exported". Never throws because something is
/// missing.
[[nodiscard]] std::string describe_gpu();

}  // namespace gradwire::cuda
