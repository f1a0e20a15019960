// staged_ranks: a rank that mpirun has started. Open MPI's collectives on gradients in the memory of
// stand-ins; prints what was wrong, and fails if anything was.
#include <cstdio>
#include <exception>
#include <string_view>

#include <mpi.h>

#include "collectives/peers/mpi/connect.h"
#include "tests/collectives/peers/on_device.h"
#include "transport/device/stand_in.h"

namespace {

using namespace gradwire;
using transport::device::Pace;

/// Wrong elements of all ranks.
unsigned long wrong(peers::What what, Pace pace, const peers::Group& group, std::size_t elements) {
  transport::device::StandInDevice device(pace);
  const peers::StagedTask task{
      .what = what, .group = group, .pieces = {.least_bytes = 4000, .most = 5}};
  const unsigned long mine = peers::testing::wrong_on_device(
      device, task, elements,
      [&](std::span<float> gradient, std::span<const Extent> extents) {
        return peers::mpi::connect(gradient, extents, what, group.self);
      },
      [] { MPI_Barrier(MPI_COMM_WORLD); });
  unsigned long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/// How many collectives were wrong.
int failures() {
  int self = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const peers::Group group{.self = Rank(static_cast<std::size_t>(self)),
                           .ranks = static_cast<std::size_t>(ranks)};
  int failed = 0;
  for (const std::string_view name : peers::kWhats.names()) {
    const peers::What what = peers::kWhats.find(name).value();
    for (const Pace pace : {Pace::beside, Pace::when_asked}) {
      for (const std::size_t elements : {std::size_t{7}, std::size_t{1000}, std::size_t{20'011}}) {
        const unsigned long found = wrong(what, pace, group, elements);
        if (found == 0) continue;
        ++failed;
        if (self == 0) std::printf("%s of %zu: %lu wrong\n", name.data(), elements, found);
      }
    }
  }
  if (self == 0) std::printf("%d ranks, %d collectives were wrong\n", ranks, failed);
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  int failed = 1;
  try {
    failed = failures();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  return failed == 0 ? 0 : 1;
}
