#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "text/schemas.h"

namespace gradwire::text {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

/// "rows/3/gst_us: missing required property 'n'", from the error that is deepest in the document:
/// valijson reports every ancestor of an invalid value as well.
std::string explain(const valijson::ValidationResults& results) {
  const valijson::ValidationResults::Error* deepest = nullptr;
  for (const auto& error : results) {
    if (deepest == nullptr || error.context.size() > deepest->context.size()) deepest = &error;
  }
  if (deepest == nullptr) return "does not follow its schema";
  std::string path;
  for (std::size_t i = 1; i < deepest->context.size(); ++i) {
    const std::string& part = deepest->context[i];  // "[key]"
    path += (i == 1 ? "" : "/") + part.substr(1, part.size() - 2);
  }
  return path.empty() ? deepest->description : fmt::format("{}: {}", path, deepest->description);
}

}  // namespace

struct SchemaChecker::Compiled {
  valijson::Schema schema;
};

SchemaChecker::SchemaChecker(std::string_view name) {
  const json text = json::parse(schema(name));
  auto compiled = std::make_unique<Compiled>();
  valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(text), compiled->schema);
  compiled_ = std::move(compiled);
}

SchemaChecker::SchemaChecker(SchemaChecker&&) noexcept = default;
SchemaChecker& SchemaChecker::operator=(SchemaChecker&&) noexcept = default;
SchemaChecker::~SchemaChecker() = default;

std::optional<std::string> SchemaChecker::why_invalid(const json& document) const {
  valijson::ValidationResults results;
  if (valijson::Validator().validate(compiled_->schema, NlohmannJsonAdapter(document), &results)) {
    return std::nullopt;
  }
  return explain(results);
}

std::optional<std::string> why_invalid(const json& document, std::string_view name) {
  return SchemaChecker(name).why_invalid(document);
}

}  // namespace gradwire::text
