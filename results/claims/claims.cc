#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/to_number.h"
#include "results/claims/claim.h"
#include "results/claims/evidence.h"
#include "results/claims/expression.h"
#include "results/claims/ledger_reader.h"
#include "results/claims/table.h"

namespace gradwire::claims {

/// The text of claims.yaml, as it was when this was built (claims_text.cc.in).
std::string_view claims_text();

namespace {

using text::YamlDocument;
using text::YamlEntry;
using text::YamlKind;
using text::YamlNode;

const std::vector<std::string> kClaimKeys{"claim",  "paper",    "where",   "what", "published",
                                          "fitted", "evidence", "outcome", "note"};
const std::vector<std::string> kItemKeys{
    "for",    "if",     "theory", "simulated", "measured", "both",   "rows",  "iterations",
    "let",    "use",    "checks", "say",       "list",     "value",  "paper", "ours",
    "within", "number", "agrees", "beside",    "count",    "counts", "less",  "holds"};

/// The value in a table of the ledger: a number, or a text that may be an expression.
Value literal(const YamlNode& node) {
  const auto number = to_number<double>(node.text);
  return number && !node.quoted ? Value(*number) : Value(node.text);
}

/// Judges one claim.
class Judge {
 public:
  Judge(const Claim& claim, const Runs& runs)
      : read_(*claim.ledger), root_(claim.ledger->root), claim_(*claim.entry), runs_(runs) {}

  Finding finding() {
    Scope scope;
    if (const YamlNode* const values = Reader::find(root_, "values")) bind(*values, scope);
    if (const YamlNode* const texts = Reader::find(root_, "texts")) bind_literals(*texts, scope);
    evidence_ = Evidence(read_.expanded(read_.get(claim_, "published"), scope));
    if (const YamlNode* const fitted = Reader::find(claim_, "fitted")) {
      for (const YamlNode& one : fitted->items) evidence_.fitted(read_.expanded(one, scope));
    }
    if (const YamlNode* const list = Reader::find(claim_, "evidence")) items(*list, scope, nullptr);
    if (const YamlNode* const named = Reader::find(claim_, "outcome")) {
      const auto outcome = outcome_of(read_.text(*named));
      if (!outcome) read_.refuse(*named, fmt::format("no outcome is called '{}'", named->text));
      evidence_.state(*outcome, read_.expanded(read_.get(claim_, "note"), scope));
    }
    return evidence_.finish();
  }

 private:
  using Visit = std::function<void(const Scope& scope)>;

  static void bind_literals(const YamlNode& map, Scope& scope) {
    for (const YamlEntry& entry : map.entries) {
      scope.variables[entry.key] = literal(entry.value);
    }
  }
  void bind(const YamlNode& map, Scope& scope) const {
    for (const YamlEntry& entry : map.entries) {
      scope.variables[entry.key] =
          read_.at(entry.value, [&] { return evaluate(read_.text(entry.value), scope); });
    }
  }

  /// `in`: the column; null before there is one.
  void items(const YamlNode& list, const Scope& scope, Entry* in) {
    for (const YamlNode& item : read_.require(list, YamlKind::sequence, "a list").items) {
      read_.require_keys(item, kItemKeys);
      std::vector<std::string> listed;
      each(item, scope, [&](const Scope& inside) { open_columns(item, inside, in, listed); });
      if (!listed.empty()) in->say(fmt::format("{}", fmt::join(listed, ", ")));
    }
  }

  /// Calls `visit` for every value of the item's variables; once where it has none.
  void each(const YamlNode& item, const Scope& scope, const Visit& visit) {
    const YamlNode* const what = Reader::find(item, "for");
    if (what == nullptr) return visit(scope);
    if (what->kind == YamlKind::map) return each_of(what->entries, scope, visit);
    for (const YamlNode& record : list_named(*what, scope).items) {
      Scope inside = scope;
      bind_literals(read_.require(record, YamlKind::map, "a map"), inside);
      visit(inside);
    }
  }

  /// The list itself, or that of lists with this name.
  [[nodiscard]] const YamlNode& list_named(const YamlNode& list, const Scope& scope) const {
    if (list.kind == YamlKind::sequence) return list;
    return read_.named(read_.get(root_, "lists"), list, read_.expanded(list, scope));
  }

  /// The first variable outermost.
  void each_of(std::span<const YamlEntry> variables, const Scope& scope, const Visit& visit) {
    if (variables.empty()) return visit(scope);
    for (const Value& value : values_of(variables.front().value, scope)) {
      Scope inside = scope;
      inside.variables[variables.front().key] = value;
      each_of(variables.subspan(1), inside, visit);
    }
  }

  /// Values of a list, of "first .. last", or the rows that fit.
  [[nodiscard]] std::vector<Value> values_of(const YamlNode& node, const Scope& scope) const {
    std::vector<Value> values;
    if (node.kind == YamlKind::map) {
      if (scope.rows == nullptr) read_.refuse(node, "there are no rows in theory");
      for (const Result& row : scope.rows->all(read_.wanted(node, scope))) values.emplace_back(row);
      return values;
    }
    const std::size_t dots = node.text.find("..");
    if (node.kind != YamlKind::scalar || dots == std::string::npos) {
      for (const YamlNode& item : list_named(node, scope).items) values.push_back(literal(item));
      return values;
    }
    read_.at(node, [&] {
      const double last = evaluate_number(node.text.substr(dots + 2), scope);
      for (double i = evaluate_number(node.text.substr(0, dots), scope); i <= last; ++i) {
        values.emplace_back(i);
      }
    });
    return values;
  }

  void open_columns(const YamlNode& item, const Scope& scope, Entry* in,
                    std::vector<std::string>& listed) {
    const YamlNode* const condition = Reader::find(item, "if");
    if (condition != nullptr && read_.number(*condition, scope) == 0) return;
    if (const YamlNode* const list = Reader::find(item, "theory")) {
      Entry theory = evidence_.theory();
      items(*list, scope, &theory);
      return;
    }
    const auto fill = [&](const Rows& rows, Entry column) {
      content(item, {scope.variables, &rows}, &column, listed);
    };
    const auto runs = [&](const YamlNode& name, auto column) {
      (evidence_.*column)(runs_, read_.expanded(name, scope), fill);
    };
    const YamlNode* const both = Reader::find(item, "both");
    const YamlNode* const simulated = both ? both : Reader::find(item, "simulated");
    const YamlNode* const measured = both ? both : Reader::find(item, "measured");
    if (simulated != nullptr) runs(*simulated, &Evidence::simulated);
    if (measured != nullptr) runs(*measured, &Evidence::measured);
    if (simulated == nullptr && measured == nullptr) content(item, scope, in, listed);
  }

  void content(const YamlNode& item, Scope scope, Entry* in, std::vector<std::string>& listed) {
    if (const YamlNode* const rows = Reader::find(item, "rows")) {
      for (const YamlEntry& row : rows->entries) {
        scope.variables[row.key] = read_.wanted(row.value, scope);
      }
    }
    if (const YamlNode* const row = Reader::find(item, "iterations")) bind_iterations(*row, scope);
    if (const YamlNode* const variables = Reader::find(item, "let")) bind(*variables, scope);
    if (const YamlNode* const list = Reader::find(item, "checks")) items(*list, scope, in);
    if (const YamlNode* const name = Reader::find(item, "use")) {
      items(read_.named(read_.get(root_, "checks"), *name, read_.text(*name)), scope, in);
    }
    for (const YamlEntry& entry : item.entries) {
      const bool says = entry.key == "say", lists = entry.key == "list";
      const bool checks =
          std::ranges::find(kCheckKinds, entry.key, &CheckKind::name) != std::end(kCheckKinds);
      if (!says && !lists && !checks) continue;
      if (in == nullptr) read_.refuse(entry.value, "this stands in no column");
      if (says) in->say(read_.expanded(entry.value, scope));
      if (lists) listed.push_back(read_.expanded(entry.value, scope));
      if (checks) check(item, entry, scope, *in);
    }
  }

  void check(const YamlNode& item, const YamlEntry& kind, const Scope& scope, Entry in) const {
    const double value = read_.number(read_.get(item, "value"), scope);
    const YamlNode* const printed = Reader::find(item, "paper");
    const YamlNode* const own = Reader::find(item, "ours");
    if (printed == nullptr && own == nullptr && kind.key != "holds") {
      read_.refuse(item, "'paper' or 'ours' is missing");
    }
    Expected expected = paper(1);
    if (printed != nullptr) expected = paper(read_.number(*printed, scope));
    if (own != nullptr) expected = ours(read_.number(*own, scope));
    std::optional<double> tolerance;
    if (const YamlNode* const within = Reader::find(item, "within")) {
      tolerance = read_.number(*within, scope);
    }
    in.check(kind.key, read_.expanded(kind.value, scope, value), value, expected, tolerance);
  }

  /// Binds `all` to how long the iterations of MG-WFBP and its rivals took in a run. `row` says all
  /// but the schedule.
  void bind_iterations(const YamlNode& row, Scope& scope) const {
    if (scope.rows == nullptr) read_.refuse(row, "there are no rows in theory");
    Wanted wanted = read_.wanted(row, scope);
    const auto time = [&](const char* schedule) {
      wanted.schedule = schedule;
      return scope.rows->at(wanted);
    };
    const Result merged = time("mg-wfbp");
    Numbers all = numbers_of(merged.training().plan.cost.fit.line);
    all["mg_wfbp"] = merged.iteration();
    all["messages"] = static_cast<double>(merged.training().bucket_gst.size());
    for (const char* schedule : {"wfbp", "synceasgd", "optimum"}) {
      all[schedule] = time(schedule).iteration();
    }
    scope.variables["all"] = std::move(all);
  }

  Reader read_;
  const YamlNode& root_;
  const YamlNode& claim_;
  const Runs& runs_;
  Evidence evidence_{""};
};

}  // namespace

std::vector<Claim> parse_claims(std::string_view text, std::string file) {
  const auto ledger = std::make_shared<const YamlDocument>(text::parse_yaml(text, std::move(file)));
  const Reader read(*ledger);
  read.require_keys(ledger->root, {"values", "texts", "lists", "checks", "claims"});
  std::vector<Claim> all;
  for (const YamlNode& entry : read.get(ledger->root, "claims").items) {
    read.require_keys(entry, kClaimKeys);
    all.push_back({.number = static_cast<std::size_t>(read.number(read.get(entry, "claim"), {})),
                   .paper = read.text(read.get(entry, "paper")),
                   .where = read.text(read.get(entry, "where")),
                   .what = read.text(read.get(entry, "what")),
                   .ledger = ledger,
                   .entry = &entry});
  }
  return all;
}

std::span<const Claim> claims() {
  static const std::vector<Claim> all = parse_claims(claims_text(), "results/claims/claims.yaml");
  return all;
}

Finding judge(const Claim& claim, const Runs& runs) {
  return Judge(claim, runs).finding();
}

}  // namespace gradwire::claims
