#include "workloads/trace.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/text/file.h"
#include "core/text/suggest.h"
#include "workloads/tables.h"
#include "workloads/trace_table.h"
#include "workloads/trace_timing.h"

namespace gradwire::workloads {
namespace {

/// The prefix of a derived profile's source, and so of its file's.
constexpr std::string_view kDerived = "derived:";

void check_fit(const TraceTable& table, const std::vector<TraceTiming>& timings,
               const Model& model) {
  const std::size_t both = std::min(timings.size(), model.tensors.size());
  for (std::size_t i = 0; i < both; ++i) {
    if (timings[i].elements == model.tensors[i].elements) continue;
    table.refuse(table.rows[i][TraceColumn::elements]->place,
                 fmt::format("'{}' has {} elements, but tensor {} of {} is '{}' with {}; tensors "
                             "stand in forward order",
                             timings[i].tensor, timings[i].elements, i + 1, model.name,
                             model.tensors[i].name, model.tensors[i].elements));
  }
  if (timings.size() > both) {
    table.refuse(table.rows[both].place,
                 fmt::format("'{}' is one too many: the trace has {} tensors, {} has {}",
                             timings[both].tensor, timings.size(), model.name, both));
  }
  if (model.tensors.size() > both) {
    table.refuse(
        table.rows.back().place,
        fmt::format("'{}' of {} is missing after this: the trace has {} tensors, the model "
                    "{}",
                    model.tensors[both].name, model.name, both, model.tensors.size()));
  }
}

std::string source_of(const TraceTable& table) {
  std::string source = table.source.empty() ? table.file + ", which names no source" : table.source;
  if (!has_forward(table)) source += "; forward passes assumed half of backward";
  return source;
}

std::vector<Layer> layers_of(const std::vector<TraceTiming>& timings) {
  constexpr auto kMicroseconds = [](double value) { return Seconds(value / 1e6); };
  std::vector<Layer> layers;
  const std::string* open = nullptr;  // name of the layer that a neighbour may still join
  for (const TraceTiming& timing : timings) {
    const bool joins = open != nullptr && !timing.layer.empty() && *open == timing.layer;
    if (!joins) layers.push_back({.name = timing.layer.empty() ? timing.tensor : timing.layer});
    Layer& layer = layers.back();
    layer.tensors.push_back(timing.elements);
    layer.forward += kMicroseconds(timing.forward);
    layer.backward += kMicroseconds(timing.backward);
    open = &timing.layer;
  }
  return layers;
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(SourcePlace{.file = path.string()},
                     fmt::format("no such file; published traces are: {}",
                                 fmt::join(published_trace_names(), ", ")));
  }
  return text::read_input_file(path, kMaxTraceBytes);
}

/// The model of each published trace, whose tensors it has.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kModelOfTrace{
    {{"googlenet-k80", "googlenet_caffe"}, {"resnet50-k80", "resnet50"}}};

}  // namespace

Profile parse_trace(std::string_view text, const std::string& name, const Model* model) {
  if (text.size() > kMaxTraceBytes) {
    throw InputError(SourcePlace{.file = name},
                     fmt::format("larger than {} bytes", kMaxTraceBytes));
  }
  const TraceTable table =
      name.ends_with(".json") ? read_trace_json(text, name) : read_trace_csv(text, name);
  const std::vector<TraceTiming> timings = read_timings(table);
  if (model != nullptr) check_fit(table, timings, *model);
  return {.model = model != nullptr ? model->name : "",
          .source = source_of(table),
          .measured = !table.source.starts_with(kDerived),
          .layers = layers_of(timings)};
}

Profile load_trace(const std::filesystem::path& path, const Model* model) {
  return parse_trace(read_file(path), path.string(), model);
}

std::string to_csv(const Profile& profile, const Model& model) {
  const bool grouped = std::ranges::any_of(
      profile.layers, [](const Layer& layer) { return layer.tensors.size() > 1; });
  std::string text =
      fmt::format("# {}: {}\n# source: {}\ntensor,{}elements,forward_us,backward_us\n",
                  kTraceVersionKey, kTraceVersion, profile.source, grouped ? "layer," : "");
  std::size_t next = 0;
  for (const Layer& layer : profile.layers) {
    for (std::size_t i = 0; i < layer.tensors.size(); ++i, ++next) {
      ensure(next < model.tensors.size() && model.tensors[next].elements == layer.tensors[i],
             "a profile has the tensors of the model whose names it is written with");
      const std::string name = layer.tensors.size() > 1 ? layer.name : "";
      // A layer's time stands once, on its first tensor. Ten digits return the same time.
      const double share = i == 0 ? 1e6 : 0;
      text += fmt::format("{},{}{}{},{:.10g},{:.10g}\n", model.tensors[next].name, name,
                          grouped ? "," : "", layer.tensors[i], share * layer.forward.count(),
                          share * layer.backward.count());
    }
  }
  ensure(next == model.tensors.size(),
         "a profile has the tensors of the model whose names it is written with");
  return text;
}

Profile open_trace(const std::string& name_or_path, const std::filesystem::path& folder,
                   const Model* model) {
  if (!traces().contains(name_or_path)) return load_trace(folder / name_or_path, model);
  Profile profile = published_trace(name_or_path);
  if (model != nullptr && model->name != profile.model) {
    throw InputError(
        fmt::format("the trace {} is of {}, not of {}", name_or_path, profile.model, model->name));
  }
  return profile;
}

Profile published_trace(std::string_view name) {
  const auto text = traces().find(name);
  if (text == traces().end()) {
    const std::vector<std::string> known = published_trace_names();
    throw InputError(fmt::format("{}; there are: {}", text::unknown_name("trace", name, known),
                                 fmt::join(known, ", ")));
  }
  const auto* const found =
      std::ranges::find(kModelOfTrace, name, [](const auto& entry) { return entry.first; });
  ensure(found != kModelOfTrace.end(), "every published trace has a model");
  const Model model = load_model(found->second);
  return parse_trace(text->second, std::string(name) + ".csv", &model);
}

std::vector<std::string> published_trace_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : traces()) names.push_back(name);
  return names;
}

}  // namespace gradwire::workloads
