#include "harness/workers/failure.h"

#include <cerrno>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/refused_thread.h"
#include "core/text/whole_number.h"

namespace gradwire::workers {
namespace {

using nlohmann::json;

template <class Number>
json number_or_null(const std::optional<Number>& number) {
  if (!number) return nullptr;
  if constexpr (std::is_same_v<Number, std::size_t>) {
    return *number;
  } else {
    return number->value;
  }
}

template <class Number>
std::optional<Number> number_from(const json& number) {
  if (number.is_null()) return std::nullopt;
  return Number(text::whole_number<std::size_t>(number));
}

}  // namespace

Failure describe_failure(const std::exception& error) {
  if (const auto* fabric = dynamic_cast<const FabricError*>(&error)) {
    return {.message = error.what(),
            .detail = fabric->detail(),
            .fabric = fabric->failure(),
            .place = fabric->place()};
  }
  if (const auto refused = refused_thread(error)) return {.message = refused->what()};
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {.message = SystemError("allocate memory", ENOMEM).what()};
  }
  return {.message = error.what()};
}

json to_json(const Failure& failure) {
  const FabricPlace& place = failure.place;
  json down = json::array();
  for (const Port port : failure.down) down.push_back(port.value);
  return {{"message", failure.message},
          {"detail", failure.detail},
          {"fabric", failure.fabric ? json(static_cast<int>(*failure.fabric)) : json(nullptr)},
          {"rank", number_or_null(place.rank)},
          {"peer", number_or_null(place.peer)},
          {"port", number_or_null(place.port)},
          {"lane", number_or_null(place.lane)},
          {"step", number_or_null(place.step)},
          {"down", std::move(down)}};
}

Failure failure_from_json(const nlohmann::json& source) try {
  Failure failure{.message = source.at("message"),
                  .detail = source.at("detail"),
                  .place = {.rank = number_from<Rank>(source.at("rank")),
                            .peer = number_from<Rank>(source.at("peer")),
                            .port = number_from<Port>(source.at("port")),
                            .lane = number_from<std::size_t>(source.at("lane")),
                            .step = number_from<std::size_t>(source.at("step"))}};
  if (!source.at("fabric").is_null()) {
    failure.fabric = static_cast<FabricFailure>(text::whole_number<int>(source.at("fabric")));
    static_cast<void>(to_string(*failure.fabric));  // a number that is none has no name: a bug
  }
  for (const json& port : source.at("down"))
    failure.down.emplace_back(text::whole_number<std::size_t>(port));
  return failure;
} catch (const nlohmann::json::exception& error) {
  throw InternalError(std::string("failure: ") + error.what());
}

}  // namespace gradwire::workers
