#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/faults/loopback/incident.h"
#include "tests/faults/loopback/scenario.h"
#include "transport/endpoint.h"
#include "transport/rendezvous.h"

namespace gradwire::faults {

/// Thrown in a rank's threads where it dies: it goes without a word, and its connections close.
struct Died {};
/// Thrown in the threads of a rank that has stopped, when the run is over.
struct Stopped {};

/// Lets those go who have stopped. Thread-safe.
class Release {
 public:
  void wait() const { is_open_.wait(false); }
  void open() {
    is_open_ = true;
    is_open_.notify_all();
  }

 private:
  std::atomic<bool> is_open_ = false;
};

/// Does to one rank what its faults say. Thread-safe but for meetings, which one thread comes to.
class Saboteur {
 public:
  struct Options {
    Rank self;
    std::span<const RankFault> faults;  ///< of all ranks
    Incident& incident;
    Release& release;
    std::function<void()> on_stop;  ///< called once, when the rank stops
  };
  explicit Saboteur(Options options) : options_(std::move(options)) {}

  /// Called before each operation is posted.
  void post() { act(Moment::At::operation, operations_++); }
  /// Called now and then: a rank that has died or stopped does nothing more.
  void look();
  /// Called before and after each meeting.
  void come() { act(Moment::At::coming, meetings_); }
  void leave() { act(Moment::At::leaving, meetings_++); }

  /// How many meetings it has been to.
  [[nodiscard]] std::size_t meetings() const { return meetings_; }
  [[nodiscard]] std::size_t operations() const { return operations_; }
  [[nodiscard]] bool is_dead() const { return is_dead_; }
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }

 private:
  void act(Moment::At at, std::size_t number);

  Options options_;
  std::atomic<std::size_t> operations_ = 0;
  std::atomic<std::size_t> meetings_ = 0;
  std::atomic<bool> is_dead_ = false;
  std::atomic<bool> has_stopped_ = false;
};

/// An endpoint of such a rank.
class SabotagedEndpoint final : public transport::Endpoint {
 public:
  SabotagedEndpoint(std::unique_ptr<transport::Endpoint> honest, Saboteur& saboteur)
      : honest_(std::move(honest)), saboteur_(saboteur) {}

  void post_send(std::size_t channel, const transport::SendRequest& request) override {
    saboteur_.post();
    honest_->post_send(channel, request);
  }
  void post_receive(std::size_t channel, Extent where, Combine how,
                    std::size_t operation) override {
    saboteur_.post();
    honest_->post_receive(channel, where, how, operation);
  }
  [[nodiscard]] std::span<const transport::Progress> wait(const Deadline& deadline) override {
    saboteur_.look();
    return honest_->wait(deadline);
  }

 private:
  std::unique_ptr<transport::Endpoint> honest_;
  Saboteur& saboteur_;
};

/// A rank's rendezvous. What ranks tell of where they listen may be changed, and somebody may come
/// when all are connected.
class SabotagedRendezvous final : public transport::Rendezvous {
 public:
  using Listeners = std::vector<std::string>;  ///< by rank
  struct Hooks {
    std::function<void(Listeners&)> heard;  ///< where all listen, before the rank calls them
    std::function<void()> connected;        ///< the rank's own channels stand
  };
  SabotagedRendezvous(transport::Rendezvous& honest, Saboteur& saboteur, Hooks hooks)
      : honest_(honest), saboteur_(saboteur), hooks_(std::move(hooks)) {}

  std::vector<std::string> all_gather(const std::string& mine) override {
    saboteur_.come();
    if (saboteur_.meetings() == kConnected && hooks_.connected) hooks_.connected();
    auto all = honest_.all_gather(mine);
    const bool is_listening = saboteur_.meetings() == kListening;
    saboteur_.leave();
    if (is_listening && hooks_.heard) hooks_.heard(all);
    return all;
  }
  void barrier() override { static_cast<void>(all_gather("")); }

 private:
  transport::Rendezvous& honest_;
  Saboteur& saboteur_;
  Hooks hooks_;
};

}  // namespace gradwire::faults
