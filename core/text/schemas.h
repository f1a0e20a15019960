#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// The JSON Schemas (draft-07) of results/schema/ at build time: experiment files, and everything
/// that is kept of a run.
namespace gradwire::text {

struct Schema {
  std::string_view name;  ///< "sample" for results/schema/sample.schema.json
  std::string_view text;
};

/// All schemas, by name.
[[nodiscard]] std::span<const Schema> schemas();

/// The text of one schema. Throws InternalError for an unknown name.
[[nodiscard]] std::string_view schema(std::string_view name);

/// A violation of a document's schema.
struct SchemaError {
  std::vector<std::string> path;  ///< keys and indices that lead to it from the root
  std::string description;
};

/// A schema that is parsed once to check many documents.
class SchemaChecker {
 public:
  /// Makes a checker from a schema's text. Throws InternalError or nlohmann::json::exception for
  /// text that is no schema.
  [[nodiscard]] static SchemaChecker of_text(std::string_view text);
  SchemaChecker(SchemaChecker&&) noexcept;
  SchemaChecker& operator=(SchemaChecker&&) noexcept;
  ~SchemaChecker();

  /// All violations in the document; each ancestor of an invalid value is listed as well. Empty if
  /// the document follows the schema.
  [[nodiscard]] std::vector<SchemaError> errors_in(const nlohmann::json& document) const;
  /// The deepest violation in the document, in words, with its place; nothing if there is none.
  [[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document) const;

 private:
  struct Compiled;
  explicit SchemaChecker(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

/// The checker of a schema's text, made once for each thread because that takes longer than
/// checking most documents. Valid as long as the thread. Throws like SchemaChecker::of_text().
[[nodiscard]] const SchemaChecker& shared_checker(std::string_view text);

/// The reason why a document does not follow the schema of that name, with the place in it:
/// "rows/3/gst_us: ..."; nothing if it does.
[[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document,
                                                     std::string_view name);

}  // namespace gradwire::text
