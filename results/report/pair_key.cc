#include "results/report/pair_key.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "core/hasher.h"
#include "results/record/computed_profile.h"
#include "results/record/point_json.h"

namespace gradwire::report {

nlohmann::json link_of(const record::StoredRun& run) {
  if (!run.context.is_null()) return run.context.at("experiment").at("link");
  return {
      {"rate_bits_per_s", 0}, {"mtu", 0}, {"headers", true}, {"startup_us", 0}, {"delay_us", 0}};
}

std::string pair_key(const nlohmann::json& link, const record::Row& row) {
  nlohmann::json all = to_json(row.configuration);
  all.erase("point");
  all.erase("backing");
  all["link"] = link;
  all["profile"] = nullptr;
  if (row.training) all["profile"] = record::predicted_from(row.training->plan.profile);
  Hasher hasher;
  hasher.mix(all.dump());
  return fmt::format("{:016x}", hasher.value());
}

}  // namespace gradwire::report
