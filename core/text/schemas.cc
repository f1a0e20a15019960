#include "core/text/schemas.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "core/error.h"

namespace gradwire::text {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

/// The deepest error in words: "rows/3/gst_us: missing required property 'n'". The ancestors of
/// that value are invalid because of it.
std::string explain(const std::vector<SchemaError>& errors) {
  const SchemaError& deepest =
      *std::ranges::max_element(errors, {}, [](const SchemaError& e) { return e.path.size(); });
  if (deepest.path.empty()) return deepest.description;
  return fmt::format("{}: {}", fmt::join(deepest.path, "/"), deepest.description);
}

}  // namespace

struct SchemaChecker::Compiled {
  valijson::Schema schema;
};

SchemaChecker::SchemaChecker(std::unique_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)) {}

SchemaChecker SchemaChecker::of_text(std::string_view text) {
  const json parsed = json::parse(text);
  auto compiled = std::make_unique<Compiled>();
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(parsed), compiled->schema);
  return SchemaChecker(std::move(compiled));
}

SchemaChecker::SchemaChecker(SchemaChecker&&) noexcept = default;
SchemaChecker& SchemaChecker::operator=(SchemaChecker&&) noexcept = default;
SchemaChecker::~SchemaChecker() = default;

std::vector<SchemaError> SchemaChecker::errors_in(const json& document) const {
  valijson::ValidationResults results;
  const NlohmannJsonAdapter target(document);
  if (valijson::Validator().validate(compiled_->schema, target, &results)) return {};
  std::vector<SchemaError> errors;
  for (const auto& error : results) {
    SchemaError& found = errors.emplace_back(SchemaError{.description = error.description});
    for (std::size_t i = 1; i < error.context.size(); ++i) {  // the first names the root
      const std::string& part = error.context[i];             // "[key]"
      found.path.push_back(part.substr(1, part.size() - 2));
    }
  }
  ensure(!errors.empty(), "the validator explains a refusal");
  return errors;
}

std::optional<std::string> SchemaChecker::why_invalid(const json& document) const {
  const std::vector<SchemaError> errors = errors_in(document);
  if (errors.empty()) return std::nullopt;
  return explain(errors);
}

const SchemaChecker& shared_checker(std::string_view text) {
  thread_local std::map<std::string, SchemaChecker, std::less<>> checkers;
  const auto found = checkers.find(text);
  if (found != checkers.end()) return found->second;
  return checkers.emplace(text, SchemaChecker::of_text(text)).first->second;
}

std::optional<std::string> why_invalid(const json& document, std::string_view name) {
  return shared_checker(schema(name)).why_invalid(document);
}

}  // namespace gradwire::text
