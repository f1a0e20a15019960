#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// The JSON Schemas (draft-07) of results/schema/, as they were when this was built: experiment
/// files, and everything that is kept of a run.
namespace gradwire::text {

struct Schema {
  std::string_view name;  ///< "sample", of results/schema/sample.schema.json
  std::string_view text;
};

/// All of them, by name.
[[nodiscard]] std::span<const Schema> schemas();

/// The text of one. Throws InternalError for a name that is none.
[[nodiscard]] std::string_view schema(std::string_view name);

/// Something in a document that its schema does not allow.
struct SchemaError {
  std::vector<std::string> path;  ///< keys and indices that lead to it from the root
  std::string description;
};

/// A schema made ready for many documents.
class SchemaChecker {
 public:
  /// Of a schema's text. Throws InternalError or nlohmann::json::exception for text that is none.
  [[nodiscard]] static SchemaChecker of_text(std::string_view text);
  SchemaChecker(SchemaChecker&&) noexcept;
  SchemaChecker& operator=(SchemaChecker&&) noexcept;
  ~SchemaChecker();

  /// Everything in the document that the schema does not allow; each ancestor of an invalid value
  /// is named as well. Empty when the document follows the schema.
  [[nodiscard]] std::vector<SchemaError> errors_in(const nlohmann::json& document) const;
  /// As the function below.
  [[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document) const;

 private:
  struct Compiled;
  explicit SchemaChecker(std::unique_ptr<const Compiled> compiled);
  std::unique_ptr<const Compiled> compiled_;
};

/// The checker of a schema's text, made ready once for each thread: that takes longer than checking
/// most documents. Valid as long as the thread. Throws as SchemaChecker::of_text().
[[nodiscard]] const SchemaChecker& shared_checker(std::string_view text);

/// Why a document does not follow the schema of that name, with the place in it:
/// "rows/3/gst_us: ..."; nothing when it does.
[[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document,
                                                     std::string_view name);

}  // namespace gradwire::text
