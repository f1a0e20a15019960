#pragma once

#include <string>
#include <string_view>

#include "collectives/plan_files/plan_file.h"

/// Algorithms of MSCCL: XML files with a list of steps for each thread block of each GPU, written
/// by TACCL, TE-CCL and MSCCLang. The meaning of each attribute is that of microsoft/msccl,
/// src/graph/topo.cc.
///
/// There, a GPU has input, output and scratch memory, and copies between them. In a Plan an element
/// has one place on each rank. So the steps are run with values instead of numbers: which chunk a
/// slot holds, and which arrivals for it are not added yet. Mere copies disappear, and an arrival
/// in scratch memory that is added later is added at the chunk's place.
namespace gradwire::plan_files {

/// Reads an algorithm for allreduce, allgather, reduce_scatter or alltoall. Its name is the file's,
/// its thread blocks are the steps of lanes: channels whose chunks never meet are lanes of their
/// own. The protocol, the sizes for which it is meant and hasdep are ignored. The steps are run in
/// one order that their dependencies allow, and messages never wait for memory to be sent from.
/// That proves the Plan of this order, not that the file has no races and no deadlocks on a GPU.
/// Throws InputError with file, line and column for
///   - text that is no XML, an element or attribute that is missing or unknown, a number out of range;
///   - two blocks of a GPU on one connection, a GPU that sends to itself;
///   - steps that wait for each other for ever, or receive another count than is sent;
///   - another collective, and a step of a type that is none of s, r, rcs, rrs, rrc, rrcs, cpy, re,
///     nop;
///   - a rank that must keep two values of one chunk at once, or send a chunk and receive it in one
///     step: a Plan has no place for that.
[[nodiscard]] PlanFile parse_msccl(std::string_view text, const std::string& file);

}  // namespace gradwire::plan_files
