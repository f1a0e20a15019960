#include "harness/workers/session/session.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "harness/workers/failure.h"

namespace gradwire::workers {
namespace {

using ::testing::HasSubstr;

/// One rank, which said why it ends and has ended before anybody speaks to it.
class GoneBefore final : public Workers {
 public:
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] bool send(std::size_t, const ControlMessage&) override { return false; }
  [[nodiscard]] std::vector<std::size_t> poll(Nanoseconds) override {
    return told_ ? std::vector<std::size_t>{} : std::vector<std::size_t>{0};
  }
  [[nodiscard]] std::optional<ControlMessage> receive(std::size_t) override {
    if (std::exchange(heard_, true)) return std::nullopt;
    return ControlMessage{Message::failed, to_json(Failure{.message = "no memory"})};
  }
  [[nodiscard]] WorkerEnding ending(std::size_t) override {
    told_ = true;
    return {.text = "exited with 1"};
  }
  void stop() override {}

 private:
  bool heard_ = false;
  bool told_ = false;
};

TEST(Session, HearsWhyARankEndedThatCannotBeSpokenTo) {
  const SteadyClock clock;
  Session session({.name = "single-switch(1)", .ports = {{}}}, std::make_unique<GoneBefore>(),
                  clock);
  try {
    static_cast<void>(session.count_ports());
    FAIL();
  } catch (const FabricError& error) {
    EXPECT_THAT(error.what(), HasSubstr("rank 0: refused: no memory"));
  }
}

}  // namespace
}  // namespace gradwire::workers
