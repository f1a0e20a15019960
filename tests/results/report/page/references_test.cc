#include "results/report/page/references.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/text/schemas.h"
#include "harness/experiment/experiment.h"

namespace gradwire::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kRoot = GRADWIRE_ROOT;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Empty when `document` is of the schema's form, else where it is not.
std::string against_schema(const json& document) {
  return text::why_invalid(document, "reference").value_or("");
}

json one_number() {
  return json::parse(R"({"version": 1, "paper": "P", "short": "P", "venue": "V", "year": 2018,
    "numbers": [{"id": "P-1", "where": "section 1", "what": "w", "unit": "s", "value": 3,
                 "kind": "number", "shows": [{"experiment": "x", "kind": "speed-up", "N": 4,
                 "schedule": "a", "against": "b", "low": 1, "high": 2}]}]})");
}

TEST(References, EveryFileIsOfTheSchemasForm) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kRoot / "results/reference")) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    EXPECT_EQ(against_schema(json::parse(read(entry.path()))), "") << entry.path();
  }
  EXPECT_EQ(files, reference_files().size()) << "a file is not embedded (harness/CMakeLists.txt)";
}

TEST(References, TheSchemaRefusesWhatItShould) {
  EXPECT_EQ(against_schema(one_number()), "");
  const auto refused = [](const char* pointer, const json& value) {
    json document = one_number();
    document[json::json_pointer(pointer)] = value;
    return against_schema(document) != "";
  };
  EXPECT_TRUE(refused("/version", 2));
  EXPECT_TRUE(refused("/numbers/0/id", "bml 3"));
  EXPECT_TRUE(refused("/numbers/0/value", "three"));
  EXPECT_TRUE(refused("/numbers/0/kind", "range"));
  EXPECT_TRUE(refused("/numbers/0/typo", 1));
  EXPECT_TRUE(refused("/numbers/0/shows/0/kind", "gst-t_f"));
}

TEST(References, TheFilesAreEmbeddedAsTheyAre) {
  for (const auto& [name, text] : reference_files()) {
    EXPECT_EQ(text, read(kRoot / "results/reference" / (name + ".json"))) << name;
  }
}

TEST(References, EveryIdIsThereOnce) {
  std::set<std::string> ids;
  for (const PublishedNumber& number : published_numbers()) {
    EXPECT_TRUE(ids.insert(number.id).second) << number.id;
  }
  EXPECT_GT(ids.size(), 200u);
}

TEST(References, AreFoundById) {
  const PublishedNumber& number = published("BML-33");
  EXPECT_EQ(number.source, "BML, NeurIPS 2018, section 4.3, Figure 6");
  EXPECT_EQ(number.value, json::parse("[18.7, 56.4]"));
  EXPECT_EQ(published("MGI-10").source, "MG-WFBP, INFOCOM 2019, section V.A");
  EXPECT_THROW((void)published("BML-0"), InternalError);
}

TEST(References, AreThoseOfTheExperimentsAskedFor) {
  EXPECT_TRUE(references_for({"nobody"}).empty());
  const auto references = references_for({"bml-figure6"});
  ASSERT_EQ(references.size(), 2u);
  EXPECT_EQ(
      to_json(references[0]),
      json::parse(R"json({"id": "BML-33", "source": "BML, NeurIPS 2018, section 4.3, Figure 6",
              "what": "job completion time of LeNet-5, reduced by BML", "unit": "%",
              "low": 18.7, "high": 56.4, "experiment": "bml-figure6",
              "shows": {"kind": "jct-reduction", "algorithm": "bml", "against": "ps(per-tensor)"}})json"));
  EXPECT_EQ(references[1].shows, (Shows{ShowsJctReduction{"bml", "ps"}}));
}

// A reference that no row will ever match is drawn nowhere, and nobody notices.
TEST(References, BelongToPointsOfShippedExperiments) {
  for (const PublishedNumber& number : published_numbers()) {
    for (const Reference& reference : number.references) {
      EXPECT_LE(reference.low, reference.high) << reference.id;
      const experiment::Experiment experiment =
          experiment::load_experiment(kRoot / "experiments" / (reference.experiment + ".yaml"));
      EXPECT_EQ(experiment.name, reference.experiment);
      const auto* gst = std::get_if<ShowsGst>(&reference.shows);
      if (gst == nullptr) continue;
      EXPECT_TRUE(std::ranges::any_of(experiment.points,
                                      [&](const experiment::Point& point) {
                                        return point.task.algorithm.name() == gst->algorithm &&
                                               point.task.wiring->name() == gst->wiring;
                                      }))
          << reference.id << " " << gst->wiring;
    }
  }
}

}  // namespace
}  // namespace gradwire::report
