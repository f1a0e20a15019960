#include "workloads/trace.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"

namespace gradwire::workloads {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kCsv =
    "# source: two layers, by hand\n"
    "\n"
    "tensor,elements,forward_us,backward_us\n"
    "# a comment\n"
    "a.weight,100,1.5,3\n"
    "a.bias,10,0,0.25\n";

double microseconds(Seconds time) {
  return time.count() * 1e6;
}

TEST(TraceCsv, HasALayerPerTensor) {
  const Profile profile = parse_trace(kCsv, "x.csv", nullptr);
  EXPECT_EQ(profile.model, "");
  EXPECT_EQ(profile.source, "two layers, by hand");
  EXPECT_TRUE(profile.measured);
  ASSERT_EQ(profile.layers.size(), 2u);
  EXPECT_EQ(profile.layers[0].name, "a.weight");
  EXPECT_THAT(profile.layers[0].tensors, ElementsAre(100));
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[0].forward), 1.5);
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[0].backward), 3);
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[1].backward), 0.25);
}

TEST(TraceCsv, ColumnsComeInAnyOrderAndFromAnySystem) {
  const Profile profile = parse_trace(
      "\xef\xbb\xbf"
      "backward_us, tensor ,elements\r\n3, \"a\" ,7\r\n\r\n4e-1,b,8\r\n",
      "x.csv", nullptr);
  ASSERT_EQ(profile.layers.size(), 2u);
  EXPECT_EQ(profile.layers[0].name, "a");
  EXPECT_THAT(profile.layers[1].tensors, ElementsAre(8));
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[1].backward), 0.4);
}

TEST(Trace, HalfOfBackwardStandsForForwardAndTheSourceSaysSo) {
  const Profile profile =
      parse_trace("#source:mine\ntensor,elements,backward_us\na,1,10\n", "x.csv", nullptr);
  EXPECT_DOUBLE_EQ(microseconds(profile.forward()), 5);
  EXPECT_EQ(profile.source, "mine; forward passes assumed half of backward");
}

TEST(Trace, NeighboursOfOneLayerAddUp) {
  const Profile profile = parse_trace(
      "layer,tensor,elements,forward_us,backward_us\n"
      "a,a.weight,4,1,2\na,a.bias,2,0.5,1\n,alone,3,1,1\n,alone,3,1,1\nb,b.weight,1,1,1\n"
      "a,a.again,1,1,1\n",
      "x.csv", nullptr);
  ASSERT_EQ(profile.layers.size(), 5u);
  EXPECT_EQ(profile.layers[0].name, "a");
  EXPECT_THAT(profile.layers[0].tensors, ElementsAre(4, 2));
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[0].forward), 1.5);
  EXPECT_DOUBLE_EQ(microseconds(profile.layers[0].backward), 3);
  EXPECT_EQ(profile.layers[1].name, "alone");
  EXPECT_THAT(profile.layers[4].tensors, ElementsAre(1));
}

TEST(Trace, WithoutASourceItsNameStands) {
  const Profile profile =
      parse_trace("tensor,elements,forward_us,backward_us\na,1,1,1\n", "mine.csv", nullptr);
  EXPECT_EQ(profile.source, "mine.csv, which names no source");
}

constexpr const char* kJson = R"({
	"source": "two layers, by hand",
	"tensors": [
		{"tensor": "a.weight", "elements": 100, "forward_us": 1.5, "backward_us": 3},
		{"tensor": "a.bias", "elements": 10, "forward_us": 0, "backward_us": 2.5e-1}
	]
}
)";

TEST(TraceJson, SaysTheSameAsCsv) {
  const Profile csv = parse_trace(kCsv, "x.csv", nullptr);
  const Profile json = parse_trace(kJson, "x.json", nullptr);
  EXPECT_EQ(json.source, csv.source);
  ASSERT_EQ(json.layers.size(), csv.layers.size());
  for (std::size_t i = 0; i < csv.layers.size(); ++i) {
    EXPECT_EQ(json.layers[i].name, csv.layers[i].name);
    EXPECT_EQ(json.layers[i].tensors, csv.layers[i].tensors);
    EXPECT_EQ(json.layers[i].forward, csv.layers[i].forward);
    EXPECT_EQ(json.layers[i].backward, csv.layers[i].backward);
  }
}

// Programs write JSON on one line, which hand-written files may not have.
TEST(TraceJson, MayStandOnOneLongLine) {
  std::string tensors;
  for (int i = 0; i < 2000; ++i) {
    tensors +=
        fmt::format(R"({}{{"tensor":"t{}","elements":1,"backward_us":1}})", i == 0 ? "" : ",", i);
  }
  const std::string text = R"({"tensors":[)" + tensors + "]}";
  EXPECT_GT(text.size(), 65536u);
  EXPECT_EQ(parse_trace(text, "x.json", nullptr).layers.size(), 2000u);
}

TEST(TraceJson, MayGroupTensors) {
  const Profile profile = parse_trace(
      R"({"tensors": [{"layer": "a", "tensor": "w", "elements": 1, "backward_us": 1},
                      {"layer": "a", "tensor": "b", "elements": 1, "backward_us": 0}]})",
      "x.json", nullptr);
  ASSERT_EQ(profile.layers.size(), 1u);
  EXPECT_THAT(profile.layers[0].tensors, ElementsAre(1, 1));
}

TEST(Trace, OfAModelCarriesItsName) {
  const Model model{.name = "two",
                    .tensors = {{.name = "x", .elements = 100}, {.name = "y", .elements = 10}}};
  EXPECT_EQ(parse_trace(kCsv, "x.csv", &model).model, "two");
}

// A file of before there were versions is of version 1.
TEST(Trace, MaySayItsVersion) {
  const std::string said = "# gradwire-trace: 1\n" + std::string(kCsv);
  EXPECT_EQ(parse_trace(said, "x.csv", nullptr).layers.size(),
            parse_trace(kCsv, "x.csv", nullptr).layers.size());
  const Profile profile = parse_trace(
      R"({"gradwire-trace": 1, "source": "me",
          "tensors": [{"tensor": "a", "elements": 1, "backward_us": 10}]})",
      "x.json", nullptr);
  EXPECT_EQ(profile.source, "me; forward passes assumed half of backward");
  const Model model = load_model("resnet50");
  const std::string written =
      to_csv(derive(model, {.device = find_device("k80"), .batch = 1}), model);
  EXPECT_TRUE(written.starts_with("# gradwire-trace: 1\n"));
}

// What a derived profile was made of must not be forgotten on the way through a file.
TEST(TraceToCsv, KeepsADerivedProfileDerived) {
  const Model model = load_model("resnet50");
  const Profile profile = derive(model, {.device = find_device("h100"), .batch = 64});
  const std::string text = to_csv(profile, model);
  const Profile again = parse_trace(text, "x.csv", &model);
  EXPECT_FALSE(again.measured);
  EXPECT_EQ(again.source, profile.source);
  EXPECT_EQ(to_csv(again, model), text);
  ASSERT_EQ(again.layers.size(), profile.layers.size());
  for (std::size_t i = 0; i < profile.layers.size(); ++i) {
    EXPECT_EQ(again.layers[i].name, profile.layers[i].name);
    EXPECT_EQ(again.layers[i].tensors, profile.layers[i].tensors);
    EXPECT_NEAR(again.layers[i].forward.count(), profile.layers[i].forward.count(), 1e-12);
    EXPECT_NEAR(again.layers[i].backward.count(), profile.layers[i].backward.count(), 1e-12);
  }
}

TEST(TraceToCsv, KeepsLayersOfSeveralTensors) {
  const Model model = load_model("googlenet_caffe");
  const Profile profile = published_trace("googlenet-k80");
  const std::string text = to_csv(profile, model);
  const Profile again = parse_trace(text, "x.csv", &model);
  EXPECT_TRUE(again.measured);
  EXPECT_EQ(again.source, profile.source);
  EXPECT_EQ(to_csv(again, model), text);
  ASSERT_EQ(again.layers.size(), 64u);
  EXPECT_EQ(again.layers[0].name, profile.layers[0].name);
  EXPECT_EQ(again.layers[0].tensors, profile.layers[0].tensors);
}

TEST(PublishedTrace, IsTheLogOfTheAuthors) {
  const Profile profile = published_trace("googlenet-k80");
  EXPECT_EQ(profile.model, "googlenet_caffe");
  EXPECT_TRUE(profile.measured);
  EXPECT_THAT(profile.source, HasSubstr("K80"));
  EXPECT_THAT(profile.source, HasSubstr("github.com/shyhuai/B-Caffe logdata/tmpcomm.log, 1e8a70d"));
  EXPECT_THAT(profile.source, EndsWith("forward passes assumed half of backward"));
  EXPECT_EQ(profile.layers.size(), 64u);
  EXPECT_EQ(profile.elements(), 13'378'280u);
  EXPECT_NEAR(microseconds(profile.backward()), 201531.9, 1);
  EXPECT_NEAR(microseconds(profile.forward()), 201531.9 / 2, 1);
}

TEST(PublishedTrace, HasTheTensorsOfItsModel) {
  const Profile profile = published_trace("googlenet-k80");
  EXPECT_EQ(tensor_extents(profile), extents_of(load_model("googlenet_caffe")));
  EXPECT_EQ(profile.layers.front().name, "conv1");
  EXPECT_NEAR(microseconds(profile.layers.front().backward), 14744.1, 1e-6);
  EXPECT_THAT(profile.layers.front().tensors, ElementsAre(9408, 64));
}

// What derive() says of each tensor, weights and biases of a layer put together.
TEST(PublishedTrace, OfResNet50IsDerivedAsItSays) {
  const Profile tensors = derive(load_model("resnet50"),
                                 {.device = find_device("k80"), .batch = 32, .efficiency = 0.26});
  const Profile profile = published_trace("resnet50-k80");
  EXPECT_FALSE(profile.measured);
  ASSERT_EQ(profile.layers.size(), 107u);
  ASSERT_EQ(tensor_extents(profile), tensor_extents(tensors));
  auto tensor = tensors.layers.begin();
  for (const Layer& layer : profile.layers) {
    Seconds forward{}, backward{};
    for (const std::size_t elements : layer.tensors) {
      EXPECT_EQ(tensor->elements(), elements) << layer.name;
      forward += tensor->forward;
      backward += tensor->backward;
      ++tensor;
    }
    EXPECT_NEAR(microseconds(layer.forward), microseconds(forward), 1e-3) << layer.name;
    EXPECT_NEAR(microseconds(layer.backward), microseconds(backward), 1e-3) << layer.name;
  }
  EXPECT_EQ(tensor, tensors.layers.end());
}

TEST(PublishedTrace, AnUnknownOneNamesThoseThereAre) {
  EXPECT_THAT(published_trace_names(), ElementsAre("googlenet-k80", "resnet50-k80"));
  try {
    static_cast<void>(published_trace("googlenet-k81"));
    FAIL() << "googlenet-k81 does not exist";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("there are: googlenet-k80"));
  }
}

/// A folder for the test's files.
class TraceFiles : public ::testing::Test {
 protected:
  TraceFiles() { std::filesystem::create_directories(folder_); }
  ~TraceFiles() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  [[nodiscard]] static std::string refusal(const std::filesystem::path& path) {
    try {
      static_cast<void>(load_trace(path, nullptr));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  const std::filesystem::path folder_ = std::filesystem::temp_directory_path() /
                                        ("gradwire-trace-test-" + std::to_string(::getpid()));
};

TEST_F(TraceFiles, AreReadByTheirEnding) {
  EXPECT_EQ(load_trace(write("a.csv", kCsv), nullptr).layers.size(), 2u);
  EXPECT_EQ(load_trace(write("a.json", kJson), nullptr).layers.size(), 2u);
}

TEST_F(TraceFiles, AreNamedByErrors) {
  const auto path = write("a.csv", "tensor,elements,backward_us\na,1,-1\n");
  EXPECT_THAT(refusal(path), StartsWith(path.string() + ":2:5: "));
}

TEST_F(TraceFiles, AreRegularAndOfAReasonableSize) {
  EXPECT_THAT(refusal(folder_ / "absent.csv"),
              AllOf(HasSubstr("absent.csv: no such file"), HasSubstr("googlenet-k80")));
  EXPECT_THAT(refusal(folder_), EndsWith("not a regular file"));
  EXPECT_THAT(refusal("/dev/zero"), EndsWith("not a regular file"));
  EXPECT_THAT(refusal(write("big.csv", std::string((4 << 20) + 1, '\n'))), HasSubstr("4194304"));
}

}  // namespace
}  // namespace gradwire::workloads
