#include "harness/commands/list_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gradwire::commands {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr text::OptionForm kOptions[] = {
    {"speed", text::OptionForm::Value::decimal, "1", "how fast | how slow"},
    {"loud", text::OptionForm::Value::none, "", "with noise"}};

std::vector<commands::Listed> vehicles() {
  using record::Backing;
  return {{.name = "car(n)",
           .typed = "car(",
           .facts = {{"wheels", "", "4"}},
           .options = kOptions,
           .runs = {Backing::emulated, Backing::hosts, Backing::simulated},
           .about = "drives",
           .paper = "Benz 1886"},
          {.name = "sledge",
           .typed = "sledge",
           .facts = {{"wheels", "", "0"}},
           .options = std::span(kOptions).first(1),
           .runs = {Backing::hosts, Backing::simulated},
           .about = "slides"}};
}

std::vector<commands::Listed> animals() {
  return {{.name = "ox", .typed = "ox", .about = "walks"}};
}

const commands::Registry kVehicles{"vehicles", "VEHICLE", "what moves", vehicles};
const commands::Registry kAnimals{"animals", "ANIMAL", "what pulls", animals};

TEST(ListTable, HasARowForEachNameAndEachOption) {
  const std::string text = list_table(kVehicles);
  EXPECT_THAT(text, StartsWith("# vehicles: what moves\n"));
  EXPECT_THAT(text, ContainsRegex("\n   car\\(n\\) +4 +speed=..., loud +everywhere +drives +Benz"));
  EXPECT_THAT(text, ContainsRegex("\n   sledge +0 +speed=... +hosts, simulated +slides\n"));
  EXPECT_THAT(text, ContainsRegex("\n   speed=... +car\\(n\\), sledge +1 +how fast"));
  EXPECT_THAT(text, ContainsRegex("\n   loud +car\\(n\\) +with noise\n"));
}

TEST(ListTable, LeavesEmptyColumnsOut) {
  const std::string text = list_table(kAnimals);
  EXPECT_EQ(text, "# animals: what pulls\n#  name  is\n   ox    walks\n");
}

TEST(ListMarkdown, EscapesWhatWouldEndACell) {
  const std::string text = list_markdown(kVehicles);
  EXPECT_THAT(text, StartsWith("| name | wheels | options | runs | is | paper |\n"
                               "|---|---:|---|---|---|---|\n"
                               "| `car(n)` | 4 | `speed=...`, `loud` | everywhere | drives | "
                               "Benz 1886 |\n"
                               "| `sledge` | 0 | `speed=...` | hosts, simulated | slides | |\n"));
  EXPECT_THAT(text, HasSubstr("\n\n| option | of | default | is |\n"));
  EXPECT_THAT(text, HasSubstr("| how fast \\| how slow |"));
  EXPECT_THAT(list_markdown(kAnimals), Not(HasSubstr("option")));
}

TEST(ListJson, HasEverything) {
  const auto json = nlohmann::json::parse(list_json(std::vector{kVehicles, kAnimals}));
  const auto& car = json.at("vehicles").at(0);
  EXPECT_EQ(car.at("name"), "car(n)");
  EXPECT_EQ(car.at("facts").at("wheels"), "4");
  EXPECT_EQ(car.at("options").at(0).at("default"), "1");
  EXPECT_EQ(car.at("options").at(1).at("form"), "loud");
  EXPECT_EQ(car.at("runs").size(), 3u);
  EXPECT_EQ(json.at("animals").at(0).at("about"), "walks");
}

TEST(ListWords, AreWhatIsTyped) {
  EXPECT_EQ(list_words(std::vector{kVehicles, kAnimals}), "car(\nsledge\nox\n");
}

}  // namespace
}  // namespace gradwire::commands
