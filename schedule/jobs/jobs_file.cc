#include "schedule/jobs/jobs_file.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "core/text/file.h"
#include "core/text/format_version.h"
#include "core/text/schema_check.h"
#include "core/text/schemas.h"
#include "core/text/yaml_document.h"
#include "core/text/yaml_reader.h"
#include "schedule/jobs/job_file.h"

namespace gradwire::jobs {
namespace {

using text::YamlEntry;
using text::YamlNode;

Placement placement_of(const YamlNode& job) {
  const YamlEntry* const entry = job.find("placement");
  if (entry == nullptr || entry->value.text == "compact") return Compact{};
  if (entry->value.kind == text::YamlKind::sequence) {
    Named hosts;
    for (const YamlNode& host : entry->value.items) {
      hosts.emplace_back(text::number<std::size_t>(host.text));
    }
    return hosts;
  }
  if (entry->value.text == "spread") return Spread{};
  const std::string& text = entry->value.text;  // random(seed)
  const std::size_t open = text.find('(');
  return Shuffled{.seed =
                      text::number<std::uint32_t>(text.substr(open + 1, text.size() - open - 2))};
}

ListedJob job_of(const text::YamlDocument& document, const YamlNode& node) {
  const text::YamlReader reader(document, node);
  const std::filesystem::path folder = std::filesystem::path(document.file).parent_path();
  ListedJob job{.name = reader.text("name", ""),
                .file = (folder / reader.text("file", "")).string(),
                .placement = placement_of(node),
                .iterations = reader.value<std::size_t>("iterations", 10),
                .place = document.place(node.position)};
  if (const auto start = reader.text("start")) {
    job.start = text::at(reader.place("start"), [&] { return parse_duration(*start); });
  }
  return job;
}

}  // namespace

std::vector<ListedJob> parse_jobs(std::string_view text, const std::string& file) {
  const text::YamlDocument document = text::parse_yaml(text, file);
  text::check_format_version(document, "gradwire-jobs", 1);
  text::check_against_schema(document, text::schema("jobs"));
  std::vector<ListedJob> jobs;
  std::set<std::string> names;
  for (const YamlNode& node : document.root.find("jobs")->value.items) {
    jobs.push_back(job_of(document, node));
    if (names.insert(jobs.back().name).second) continue;
    throw InputError(document.place(node.find("name")->value.position),
                     fmt::format("a second job is named '{}'", jobs.back().name));
  }
  return jobs;
}

std::vector<ListedJob> load_jobs(const std::filesystem::path& path) {
  const text::YamlLimits limits;
  std::vector<ListedJob> jobs =
      parse_jobs(text::read_input_file(path, limits.bytes), path.string());
  std::map<std::string, std::shared_ptr<const Job>> known;
  for (ListedJob& job : jobs) {
    std::shared_ptr<const Job>& read = known[job.file];
    if (read == nullptr) {
      read = std::make_shared<const Job>(text::at(job.place, [&] { return load_job(job.file); }));
    }
    job.job = read;
  }
  return jobs;
}

std::vector<std::vector<Rank>> place(std::size_t hosts, const std::vector<ListedJob>& jobs) {
  std::vector<Wish> wishes;
  for (const ListedJob& job : jobs) {
    wishes.push_back({.ranks = job.job->ranks.size(), .placement = job.placement});
  }
  return place(hosts, wishes);
}

}  // namespace gradwire::jobs
