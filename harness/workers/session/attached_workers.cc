#include "harness/workers/session/attached_workers.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <sys/socket.h>

#include "core/error.h"
#include "harness/workers/control.h"
#include "harness/workers/interrupt.h"

namespace gradwire::workers {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kTick = 100ms;      // how late an interrupt may be noticed
constexpr Nanoseconds kAttachedEnd = 5s;  // for all to end in good order

std::string control_path(const testbed::ScratchFolder& folder) {
  return folder.path() / "control";
}

MpirunOptions attaching(MpirunOptions options, const testbed::ScratchFolder& folder) {
  options.worker = {"worker", "--attach", control_path(folder)};
  return options;
}

}  // namespace

AttachedWorkers::AttachedWorkers(MpirunOptions options, const Clock& clock, Nanoseconds patience)
    : folder_("gw"),
      listener_(listen_control(control_path(folder_))),
      members_(options.hosts.size()),
      mpirun_(folder_, attaching(std::move(options), folder_), clock) {
  await_all(clock, patience);
}

void AttachedWorkers::await_all(const Clock& clock, Nanoseconds patience) {
  const Deadline deadline(clock, patience);
  while (!std::ranges::all_of(members_, [](const Member& one) { return bool(one.control); })) {
    throw_if_interrupted();
    std::vector<int> fds{listener_.get()};
    for (const FileDescriptor& stranger : strangers_) fds.push_back(stranger.get());
    std::vector<FileDescriptor> speaking;
    bool knocked = false;
    for (const std::size_t i : mpirun_.wait_for(fds, kTick)) {
      if (i == 0) knocked = true;
      if (i > 0) speaking.push_back(std::move(strangers_[i - 1]));
    }
    std::erase_if(strangers_, [](const FileDescriptor& moved) { return !moved; });
    for (FileDescriptor& one : speaking) admit(std::move(one));
    if (knocked) accept();
    mpirun_.require_start(deadline);
  }
}

void AttachedWorkers::accept() {
  strangers_.emplace_back(
      checked(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC), "accept a worker"));
}

void AttachedWorkers::admit(FileDescriptor control) {
  const auto message = receive_message(control.get());
  if (!message) return;  // its keeper says why
  ensure(message->kind == Message::attached, "a worker first says which it is");
  const std::size_t rank = message->body;
  ensure(rank < members_.size() && !members_[rank].control, "every rank attaches itself once");
  members_[rank].control = std::move(control);
}

AttachedWorkers::~AttachedWorkers() {
  try {
    const bool failed = std::ranges::any_of(
        members_, [](const Member& member) { return member.gone || !member.control; });
    stop();
    if (!failed) mpirun_.await_end(kAttachedEnd);
  } catch (const std::exception&) {
    // mpirun ends them in another way.
  }
}

bool AttachedWorkers::send(std::size_t rank, const ControlMessage& message) {
  try {
    send_message(members_[rank].control.get(), message);
    return true;
  } catch (const SystemError&) {
    return false;
  }
}

std::vector<std::size_t> AttachedWorkers::poll(Nanoseconds time) {
  std::vector<int> fds;
  for (const Member& member : members_) fds.push_back(member.gone ? -1 : member.control.get());
  return mpirun_.wait_for(fds, time);
}

std::optional<ControlMessage> AttachedWorkers::receive(std::size_t rank) {
  auto message = receive_message(members_[rank].control.get());
  if (!message) members_[rank].gone = true;
  return message;
}

WorkerEnding AttachedWorkers::ending(std::size_t rank) {
  members_[rank].gone = true;
  if (const auto& known = mpirun_.await_ending(rank)) return *known;
  // Ranks that lose another end soon after it, in good order as far as their keepers can tell: the
  // one to blame is another.
  return {.text = mpirun_.is_over() ? mpirun_.end_of_all()
                                    : fmt::format("rank {} has left the others", rank),
          .with_others = true};
}

void AttachedWorkers::stop() {
  for (const Member& member : members_) {
    if (member.control) ::shutdown(member.control.get(), SHUT_WR);
  }
}

}  // namespace gradwire::workers
