#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

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

/// A schema made ready for many documents.
class SchemaChecker {
 public:
  /// Throws InternalError for a name that is none.
  explicit SchemaChecker(std::string_view name);
  SchemaChecker(SchemaChecker&&) noexcept;
  SchemaChecker& operator=(SchemaChecker&&) noexcept;
  ~SchemaChecker();

  /// As below.
  [[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

/// Why a document does not follow the schema of that name, with the place in it:
/// "rows/3/gst_us: ..."; nothing when it does.
[[nodiscard]] std::optional<std::string> why_invalid(const nlohmann::json& document,
                                                     std::string_view name);

}  // namespace gradwire::text
