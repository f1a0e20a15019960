import type { Timeline, TimelineRank } from "../data";
import { size_text } from "../units";

/** What a span is of; each has a legend entry and a look of its own. */
export type Role =
  | "computing"
  | "bucket"
  | "bucket waits"
  | "send"
  | "receive"
  | "synchronizing"
  | "waits for others"
  | "collective"
  | "critical path";
export const kRoles: Role[] = [
  "computing",
  "synchronizing",
  "bucket waits",
  "bucket",
  "send",
  "receive",
  "waits for others",
  "collective",
  "critical path",
];

export interface Span {
  track: number;
  role: Role;
  from: number; // us since the iteration began
  to: number;
  text: string;
  count: number; // of spans drawn as this one
}

export interface Tracks {
  names: string[]; // of the tracks, from the top
  spans: Span[]; // by track and role, then by time
  begin: number;
  end: number;
  /** From when the last rank has computed to when the last bucket is there; null: nothing exposed, or no job. */
  exposed: { from: number; to: number } | null;
}

function rank_spans(rank: TimelineRank, track_of: (name: string) => number): Span[] {
  const spans: Span[] = [];
  const add = (name: string, role: Role, from: number, to: number, text: string): void => {
    if (to >= from) spans.push({ track: track_of(name), role, from, to, text, count: 1 });
  };
  if (rank.compute_end_us !== null) add("computing", "computing", rank.start_us, rank.compute_end_us, "computing");
  else add("result", "synchronizing", rank.start_us, rank.end_us, "from its gradient ready to its result usable");
  rank.buckets.forEach((bucket, i) => {
    add("buckets", "bucket waits", bucket.ready_us, bucket.start_us, `bucket ${i} is ready and waits`);
    add("buckets", "bucket", bucket.start_us, bucket.end_us, `bucket ${i}`);
  });
  for (const [bucket, lane, step, sends, peer, port, bytes, posted, done] of [...rank.transfers].sort(
    (a, b) => a[1] - b[1],
  )) {
    const of = rank.buckets.length ? `bucket ${bucket}, ` : "";
    const text = `${of}step ${step}: ${sends ? "sends to" : "receives from"} rank ${peer} by port ${port}, ${size_text(bytes)}`;
    add(`lane ${lane}`, sends ? "send" : "receive", posted, done, text);
  }
  return spans;
}

function exposed_of(ranks: TimelineRank[]): Tracks["exposed"] {
  const computed = ranks.map((rank) => rank.compute_end_us);
  const ends = ranks.flatMap((rank) => rank.buckets.map((bucket) => bucket.end_us));
  if (ends.length === 0 || computed.some((end) => end === null)) return null;
  const from = Math.max(...(computed as number[]));
  const to = ends.reduce((a, b) => Math.max(a, b));
  return to > from ? { from, to } : null;
}

/** All tracks of the ranks asked for. What is exposed is of all ranks, whoever is shown. */
export function tracks_of(timeline: Timeline, ranks: TimelineRank[]): Tracks {
  const names: string[] = [];
  const spans = ranks.flatMap((rank) => {
    const places = new Map<string, number>();
    return rank_spans(rank, (track) => {
      const found = places.get(track);
      if (found !== undefined) return found;
      const place = names.push(`rank ${rank.rank}, ${track}`) - 1;
      places.set(track, place);
      return place;
    });
  });
  const order = (a: Span, b: Span): number =>
    a.track - b.track || kRoles.indexOf(a.role) - kRoles.indexOf(b.role) || a.from - b.from;
  const end = timeline.ranks.reduce((latest, rank) => Math.max(latest, rank.end_us), 0);
  const begin = timeline.ranks.reduce((first, rank) => Math.min(first, rank.start_us), end);
  return {
    names,
    spans: spans.sort(order),
    begin,
    end: spans.reduce((a, span) => Math.max(a, span.to), end),
    exposed: exposed_of(timeline.ranks),
  };
}

/**
 * The spans between two times as they are to be drawn when `finest` is what two pixels last: neighbours of a track that are
 * both shorter than that become one. So a picture has no more spans than it has room for, and zooming in shows
 * each.
 */
export function visible_spans(spans: Span[], from: number, to: number, finest: number): Span[] {
  const drawn: Span[] = [];
  for (const span of spans) {
    if (span.to < from || span.from > to) continue;
    const last = drawn.at(-1);
    const same = last && last.track === span.track && last.role === span.role;
    if (same && span.to - span.from < finest && span.from - last.to < finest / 2 && last.to - last.from < 4 * finest) {
      const count = last.count + 1;
      drawn[drawn.length - 1] = {
        ...last,
        to: Math.max(last.to, span.to),
        text: `${count} together; zoom in to see each`,
        count,
      };
    } else {
      drawn.push(span);
    }
  }
  return drawn;
}
