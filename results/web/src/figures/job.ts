import type { JobDrawing } from "../job_data";
import { type Choices, type Control, type Family, type Figure, type View, chosen_of, select } from "../figure";
import { distinct } from "../points";
import { time_text } from "../units";
import { tracks_of_job } from "./job_tracks";
import { kAllRanks, kMostTracks, kZoomNote, timeline_chart, timeline_table } from "./timeline";

export const job_name = (job: JobDrawing): string => `${job.name || "a job"} on ${job.wiring}, ${job.backing}`;

/** By name and backing. */
export function jobs_by_name(view: View): Map<string, JobDrawing> {
  return new Map(view.data.jobs.map((job) => [job_name(job), job]));
}

const ranks_of = (job: JobDrawing): number[] => distinct(job.streams.map((stream) => stream.rank));

function controls(view: View, chosen: Choices): Control[] {
  const jobs = select("job", "Job", [...jobs_by_name(view).keys()]);
  const job = jobs_by_name(view).get(chosen_of([jobs], chosen, "job"))!;
  const each = ranks_of(job).map(String);
  const many = job.streams.length > kMostTracks;
  return [jobs, select("rank", "Rank", many ? [...each, kAllRanks] : [kAllRanks, ...each], "first")];
}

/** How long the critical path is in what, the longest first. */
function spent(job: JobDrawing): string {
  const times = new Map<string, number>();
  for (const step of job.path) times.set(step.does, (times.get(step.does) ?? 0) + step.to_us - step.from_us);
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .map(([does, us]) => `${does} ${time_text(us)}`)
    .join(", ");
}

export function job_figure(view: View, chosen: Choices): Figure {
  const options = controls(view, chosen);
  const job = jobs_by_name(view).get(chosen_of(options, chosen, "job"))!;
  const rank = chosen_of(options, chosen, "rank");
  const shown = rank === kAllRanks ? job.streams : job.streams.filter((stream) => String(stream.rank) === rank);
  const tracks = tracks_of_job(job, shown);
  const recorded = ranks_of(job).length;
  return {
    title: "Streams of a job",
    definition:
      "What every stream of every rank does: it computes, or takes part in a collective, which waits until the last member has called it. The critical path is what the end of the iteration was waiting for. Undilated time since the last iteration began.",
    unit: "µs, ms or s, as the axis says",
    notes: [
      `${job_name(job)}; ${job.algorithms.join(", ") || "no collectives"}.`,
      `The iteration took ${time_text(job.took_us)}. Its critical path: ${spent(job) || "nothing"}.`,
      ...job.notes,
      ...(recorded < job.N ? [`${recorded} of ${job.N} ranks are shown.`] : []),
      kZoomNote,
    ],
    picture: timeline_chart(tracks),
    table: () => timeline_table(tracks, `Streams of ${job_name(job)}`),
  };
}

export const job: Family = {
  id: "job",
  section: "jobs",
  applies: (view) => view.data.jobs.length > 0,
  controls,
  figure: job_figure,
};
