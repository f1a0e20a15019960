#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"
#include "core/pattern_numbers.h"

struct CUstream_st;

/// CUDA kernels behind a header in plain C++17, which both nvcc and the host's compiler read. Each
/// function starts a kernel on a stream and returns at once, with the cudaError_t of starting it.
/// Addresses are the device's, aligned for the type.
namespace gradwire::cuda {

using StreamHandle = CUstream_st*;

/// Differences that a comparison finds, in the device's memory.
struct Findings {
  unsigned long long count;
  unsigned long long first;  ///< lowest index; all ones when nothing differs
};

/// Starts adding: sums[i] += terms[i], 16 bytes at a time where both begin at the same offset from
/// 16 bytes, else one element at a time. Halves are added in float32 and rounded once. Not for
/// bytes.
[[nodiscard]] int start_add(Dtype type, void* sums, const void* terms, std::size_t count,
                            StreamHandle stream);
/// Starts filling: elements[i] becomes the number of element run.begin + i, up to run.end.
[[nodiscard]] int start_fill(Dtype type, void* elements, const PatternRun& run,
                             StreamHandle stream);
/// Starts comparing and adds to the findings, which begin with 0 and all ones.
[[nodiscard]] int start_compare(Dtype type, const void* elements, const PatternRun& run,
                                Findings* findings, StreamHandle stream);

}  // namespace gradwire::cuda
