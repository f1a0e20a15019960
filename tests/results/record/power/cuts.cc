#include "cuts.h"

#include <fstream>
#include <random>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.h"
#include "tests/results/record/stored_points.h"

namespace gradwire::record {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlocks[] = {4096, 512};
constexpr std::size_t kMostBroken = 20;

void run(const Writing& writing, const fs::path& log) {
  const pid_t child = checked(::fork(), "fork");
  if (child == 0) {
    ::setenv("LD_PRELOAD", GRADWIRE_WRITE_LOGGER, 1);
    ::setenv("GRADWIRE_WRITE_ROOT", writing.root.c_str(), 1);
    ::setenv("GRADWIRE_WRITE_LOG", log.c_str(), 1);
    ::setenv("GRADWIRE_SWALLOW", writing.swallows.c_str(), 1);
    ::alarm(60);
    ::execl(GRADWIRE_POWER_WRITER, GRADWIRE_POWER_WRITER, writing.root.c_str(), log.c_str(),
            writing.resumes ? "resume" : "new", nullptr);
    ::_exit(127);
  }
  int status = 0;
  checked(::waitpid(child, &status, 0), "waitpid");
  if (status != 0) throw InternalError(fmt::format("the writer ended with {:#x}", status));
}

/// Tries states of a disk at one moment.
class Moment {
 public:
  Moment(const Disk& disk, const Promises& promises, Cuts& cuts)
      : disk_(disk), promises_(promises), cuts_(cuts) {}

  void try_states(const Trying& trying) {
    ++cuts_.moments;
    for (const std::size_t block : kBlocks) {
      Choices all;
      try_one(all, block);
      if (all.ways() > static_cast<double>(trying.states)) {
        try_some(trying, block);
      } else {
        while (all.advance()) try_one(all, block);
      }
      if (!disk_.has_pending()) return;
    }
  }

 private:
  void try_some(const Trying& trying, std::size_t block) {
    Choices nothing = Choices::last();
    try_one(nothing, block);
    for (std::size_t i = 0; i < trying.states / std::size(kBlocks); ++i) {
      Choices some(trying.seed + 1'000'003 * cuts_.moments + 101 * i);
      try_one(some, block);
    }
  }

  void try_one(Choices& choices, std::size_t block) {
    const ScratchFolder scratch;
    disk_.leave(scratch / "", choices, block);
    ++cuts_.states;
    for (const std::string& what : broken(scratch / "", promises_)) {
      if (cuts_.broken.size() == kMostBroken) return;
      cuts_.broken.push_back(
          fmt::format("moment {}, state {}: {}", cuts_.moments, cuts_.states, what));
    }
  }

  const Disk& disk_;
  const Promises& promises_;
  Cuts& cuts_;
};

}  // namespace

History write_history(const Writing& writing) {
  const ScratchFolder scratch;
  const fs::path log = scratch / "log";
  std::ofstream(log).flush();
  History history{.before = Disk(writing.root),
                  .promised = writing.resumes ? found_in(writing.root) : Promises{},
                  .log = {}};
  run(writing, log);
  history.log = read_log(log);
  Disk after = history.before;
  for (const Logged& logged : history.log) after.apply(logged);
  const std::string difference = after.difference_from(writing.root);
  if (!difference.empty()) throw InternalError("written without being logged:" + difference);
  return history;
}

Cuts cut_everywhere(const History& history, const Trying& trying) {
  Cuts cuts;
  Disk disk = history.before;
  Promises promises = history.promised;
  for (const Logged& logged : history.log) {
    disk.apply(logged);
    if (logged.kind == Logged::Kind::said) add(promises, logged.words);
    Moment(disk, promises, cuts).try_states(trying);
  }
  return cuts;
}

void leave_some_state(const History& history, const fs::path& place, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::size_t created = 0;
  while (history.log[created].words != std::vector<std::string>{"created"}) ++created;
  const std::size_t moment = created + 1 + random() % (history.log.size() - created - 1);
  Disk disk = history.before;
  for (std::size_t i = 0; i < moment; ++i) disk.apply(history.log[i]);
  Choices some(random());
  disk.leave(place, some, kBlocks[seed % std::size(kBlocks)]);
}

}  // namespace gradwire::record
