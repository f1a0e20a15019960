import type { JobDrawing, JobStream } from "../job_data";
import { type Span, type Tracks, kRoles } from "./timeline_tracks";

/** What a stream does, and below it where the critical path goes through. */
function stream_spans(stream: JobStream, track: number): Span[] {
  return stream.nodes.flatMap(([name, does, from, called, to, on_path]): Span[] => {
    const text = name === does ? does : `${name}: ${does}`;
    const span = (role: Span["role"], from: number, to: number, text: string): Span[] =>
      to > from ? [{ track, role, from, to, text, count: 1 }] : [];
    return [
      ...span("waits for others", from, called, `${text}, which some rank has not called`),
      ...span(does === "compute" ? "computing" : "collective", called, to, text),
      // Of a collective the path holds what comes after the last member's call.
      ...(on_path ? span("critical path", called, to, `${text}, on the critical path`) : []),
    ];
  });
}

/** A track for each stream of the ranks asked for, and one for the critical path, whoever is on it. */
export function tracks_of_job(job: JobDrawing, streams: JobStream[]): Tracks {
  const names = ["critical path"];
  const spans: Span[] = job.path.map((step) => ({
    track: 0,
    role: "critical path",
    from: step.from_us,
    to: step.to_us,
    text: `rank ${step.rank}, ${step.node === step.does ? step.does : `${step.node}: ${step.does}`}`,
    count: 1,
  }));
  for (const stream of streams) {
    const track = names.push(`rank ${stream.rank}, stream ${stream.stream}`) - 1;
    spans.push(...stream_spans(stream, track));
  }
  const order = (a: Span, b: Span): number =>
    a.track - b.track || kRoles.indexOf(a.role) - kRoles.indexOf(b.role) || a.from - b.from;
  return {
    names,
    spans: spans.sort(order),
    begin: spans.reduce((first, span) => Math.min(first, span.from), 0),
    end: spans.reduce((last, span) => Math.max(last, span.to), job.took_us),
    exposed: null,
  };
}
