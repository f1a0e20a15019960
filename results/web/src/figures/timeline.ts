import type { CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams } from "echarts";
import type { EChartsCoreOption } from "echarts/core";
import type { Timeline, TimelineRank } from "../data";
import {
  type Choices,
  type Chart,
  type Control,
  type Family,
  type Figure,
  type View,
  chosen_of,
  select,
} from "../figure";
import { type Point, distinct, label_of } from "../points";
import type { Table } from "../table";
import { type Palette, with_alpha } from "../theme";
import { tick_text, time_scale, time_text } from "../units";
import { category_axis, legend_above, value_axis } from "./axes";
import { base_option, tip, zoom_option } from "./common";
import { type Place, type Shape, area_of, custom_series, line, numbers_of, place_at, polygon } from "./shapes";
import { type Role, type Span, type Tracks, kRoles, tracks_of, visible_spans } from "./timeline_tracks";

export const kAllRanks = "all";
/** More tracks than these start with one rank. */
export const kMostTracks = 48;
export const kZoomNote = "Hold Ctrl and turn the wheel, drag the bar below, or use the buttons to zoom.";

function recorded(view: View): Map<string, Point> {
  const names = new Map<string, Point>();
  for (const point of view.points) {
    if (point.row.timeline === null || !view.data.timelines[point.row.timeline]) continue;
    names.set(label_of(point, ["algorithm", "wiring", "schedule", "gradients", "backing", "run"]), point);
  }
  return names;
}

function controls(view: View, chosen: Choices): Control[] {
  const rows = select("row", "Row", [...recorded(view).keys()]);
  const timeline = timeline_of(view, chosen_of([rows], chosen, "row"));
  const each = timeline.ranks.map((rank) => String(rank.rank));
  const many =
    timeline.ranks.reduce((sum, one) => sum + 2 + new Set(one.transfers.map(([, lane]) => lane)).size, 0) > kMostTracks;
  return [rows, select("rank", "Rank", many ? [...each, kAllRanks] : [kAllRanks, ...each], "first")];
}

const timeline_of = (view: View, row: string): Timeline => view.data.timelines[recorded(view).get(row)!.row.timeline!];

const role_color = (palette: Palette, role: Role): string =>
  ({
    computing: palette.series[7],
    synchronizing: palette.series[7],
    "bucket waits": palette.series[4],
    bucket: palette.series[0],
    send: palette.series[1],
    receive: palette.series[2],
    "waits for others": palette.series[4],
    collective: palette.series[0],
    "critical path": palette.series[3],
  })[role];

/**
 * Height of a role's rectangle and where it begins, in parts of the track: receives under sends, waiting thin, the
 * critical path below what it goes through.
 */
const kPlaces: Record<Role, [top: number, height: number]> = {
  computing: [0.14, 0.72],
  synchronizing: [0.14, 0.72],
  "bucket waits": [0.44, 0.12],
  bucket: [0.14, 0.72],
  send: [0.08, 0.42],
  receive: [0.52, 0.42],
  "waits for others": [0.44, 0.12],
  collective: [0.14, 0.72],
  "critical path": [0.86, 0.14],
};

function render_span(
  role: Role,
  palette: Palette,
): (api: CustomSeriesRenderItemAPI, params: CustomSeriesRenderItemParams) => Shape | null {
  const color = role_color(palette, role);
  const [top, part] = kPlaces[role];
  return (api, params) => {
    const { x, width } = area_of(params);
    const [track, from, to] = numbers_of(api, 3);
    const [x1, middle] = place_at(api, from, track);
    const left = Math.max(x1, x);
    const right = Math.min(Math.max(place_at(api, to, track)[0], x1 + 0.75), x + width);
    if (right <= left) return null;
    const band = (api.size!([0, 1]) as number[])[1];
    const shape = { x: left, y: middle + band * (top - 0.5), width: right - left, height: Math.max(1.5, band * part) };
    // A hair of the surface between neighbours, so that each can be told from the next.
    const edge = right - left > 4 ? { stroke: palette.surface, lineWidth: 0.75 } : {};
    return { type: "rect", shape, style: { fill: color, ...edge } };
  };
}

function span_series(spans: Span[], names: string[], one: number, palette: Palette): object[] {
  return kRoles.map((role) => {
    const these = spans.filter((span) => span.role === role);
    const formatter = (item: { dataIndex: number }): HTMLElement => span_tip(these[item.dataIndex], names);
    return custom_series(role, role_color(palette, role), render_span(role, palette), {
      id: role,
      encode: { x: [1, 2], y: 0 },
      data: these.map((span) => [span.track, span.from / one, span.to / one]),
      clip: true,
      silent: false,
      tooltip: { formatter },
      z: 3,
    });
  });
}

const span_tip = (span: Span, names: string[]): HTMLElement =>
  tip(names[span.track], [
    ["", span.text],
    ["from", time_text(span.from, 5)],
    ["to", time_text(span.to, 5)],
    ["lasts", time_text(span.to - span.from)],
  ]);

function exposed_series(exposed: NonNullable<Tracks["exposed"]>, one: number, palette: Palette): object {
  const color = palette.series[3];
  const render = (api: CustomSeriesRenderItemAPI, params: CustomSeriesRenderItemParams): Shape[] | null => {
    const { x, y, width, height } = area_of(params);
    const left = Math.max(place_at(api, exposed.from / one, 0)[0], x);
    const right = Math.min(place_at(api, exposed.to / one, 0)[0], x + width);
    if (right <= left) return null;
    const corners: Place[] = [
      [left, y],
      [right, y],
      [right, y + height],
      [left, y + height],
    ];
    const uprights = [left, right].map((at) => line([at, y], [at, y + height], color, 1, [4, 3]));
    return [polygon(corners, with_alpha(color, 0.14)), ...uprights];
  };
  const data = [[0, exposed.from / one, exposed.to / one]];
  const more = { id: "exposed", data, encode: { x: [1, 2], y: 0 }, z: 1 };
  return custom_series("exposed", with_alpha(color, 0.45), render, more);
}

const kSpansLimit = 5000; // of zooming in, against the whole

function time_axis(tracks: Tracks, unit: string, one: number, palette: Palette): object {
  return value_axis(palette, `since the iteration began (${unit})`, "x", {
    min: Math.min(0, tracks.begin / one),
    max: tracks.end / one,
    axisLabel: {
      color: palette.muted,
      formatter: (value: number) => tick_text(Number(value.toPrecision(4))),
      hideOverlap: true,
      showMaxLabel: false,
    },
  });
}

const track_axis = (tracks: Tracks, palette: Palette): object =>
  category_axis(palette, tracks.names, {
    inverse: true,
    splitLine: { show: true, lineStyle: { color: palette.grid } },
    axisLabel: { color: palette.ink, interval: 0, fontSize: 11 },
  });

export function timeline_chart(tracks: Tracks): Chart {
  const { unit, one } = time_scale(tracks.end);
  const finest = (from: number, to: number, width: number): number => (2 * (to - from)) / Math.max(width - 150, 100);
  const present = kRoles.filter((role) => tracks.spans.some((span) => span.role === role));
  const zoomed = (palette: Palette, from: number, to: number, width: number): EChartsCoreOption => ({
    series: span_series(
      visible_spans(tracks.spans, from * one, to * one, finest(from * one, to * one, width)),
      tracks.names,
      one,
      palette,
    ),
  });
  const entries = [...present, ...(tracks.exposed ? ["exposed"] : [])].map((name) => ({
    name,
    icon: "rect",
  }));
  const option = (palette: Palette, width: number): EChartsCoreOption => {
    const { legend, top } = legend_above(palette, entries, width, { mark: true });
    return {
      ...base_option(palette),
      legend,
      grid: { left: 8, right: 18, top, bottom: 72 },
      xAxis: time_axis(tracks, unit, one, palette),
      yAxis: track_axis(tracks, palette),
      dataZoom: zoom_option(palette, { filterMode: "none", minValueSpan: tracks.end / one / kSpansLimit }),
      series: [
        ...(tracks.exposed ? [exposed_series(tracks.exposed, one, palette)] : []),
        ...(zoomed(palette, 0, tracks.end / one, width).series as object[]),
      ],
    };
  };
  return { kind: "chart", height: tracks.names.length * 19 + 118, marks: tracks.spans.length, option, zoomed };
}

export function timeline_table(tracks: Tracks, caption: string): Table {
  return {
    caption,
    columns: [
      { title: "track" },
      { title: "what" },
      { title: "from", unit: "µs" },
      { title: "to", unit: "µs" },
      { title: "lasts", unit: "µs" },
    ],
    rows: tracks.spans.map((span) => [tracks.names[span.track], span.text, span.from, span.to, span.to - span.from]),
  };
}

function notes_of(point: Point, timeline: Timeline, tracks: Tracks): string[] {
  const notes = [`Iteration ${timeline.iteration}${timeline.warmup ? ", a warm-up" : ""}.`];
  if (tracks.exposed)
    notes.push(
      `Exposed: ${time_text(tracks.exposed.to - tracks.exposed.from)}, from the last end of computing to the end of the last bucket${timeline.ranks.length < point.row.N ? ", of the ranks that were recorded" : ""}.`,
    );
  if (timeline.ranks.length < point.row.N)
    notes.push(`${timeline.ranks.length} of ${point.row.N} ranks were recorded.`);
  notes.push(kZoomNote);
  return notes;
}

export function timeline_figure(view: View, chosen: Choices): Figure {
  const options = controls(view, chosen);
  const row = chosen_of(options, chosen, "row");
  const rank = chosen_of(options, chosen, "rank");
  const timeline = timeline_of(view, row);
  const shown: TimelineRank[] =
    rank === kAllRanks ? timeline.ranks : timeline.ranks.filter((one) => String(one.rank) === rank);
  const tracks = tracks_of(timeline, shown);
  return {
    title: "Timeline of one iteration",
    definition:
      "What every rank does: it computes, its buckets wait and are synchronized, and its lanes send (upper half) and receive (lower half). Undilated time since the iteration began. Exposed: communication not hidden by computing.",
    unit: "µs, ms or s, as the axis says",
    notes: [`Row: ${row}.`, ...notes_of(recorded(view).get(row)!, timeline, tracks)],
    picture: timeline_chart(tracks),
    table: () =>
      timeline_table(
        tracks,
        `Timeline of iteration ${timeline.iteration}: ${row}; ${distinct(shown.map((one) => one.rank)).length} ranks`,
      ),
  };
}

export const timeline: Family = {
  id: "timeline",
  section: "timeline",
  applies: (view) => recorded(view).size > 0,
  controls,
  figure: timeline_figure,
};
