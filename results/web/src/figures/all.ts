import type { Family } from "../figure";
import { answer } from "./answer";
import { calibration } from "./calibration";
import { company } from "./company";
import { compare } from "./compare";
import { context } from "./context";
import { cost } from "./cost";
import { distribution } from "./distribution";
import { gst } from "./gst";
import { jct } from "./jct";
import { job } from "./job";
import { job_groups } from "./job_groups";
import { loss } from "./loss";
import { predictions } from "./predictions";
import { scaling, sizes } from "./scaling";
import { schedules } from "./schedules";
import { timeline } from "./timeline";
import { verification } from "./verification";
import { wiring } from "./wiring";

/** In the order of the page. */
export const families: Family[] = [
  answer,
  gst,
  compare,
  predictions,
  jct,
  schedules,
  loss,
  scaling,
  sizes,
  timeline,
  job,
  job_groups,
  company,
  wiring,
  distribution,
  cost,
  calibration,
  verification,
  context,
];

/** The page's sections, with what stands in the navigation. */
export const kSections: [id: string, title: string][] = [
  ["answer", "Answer"],
  ["gst", "Synchronization time"],
  ["compare", "Measured, simulated and predicted"],
  ["training", "Training jobs"],
  ["scaling", "Scaling"],
  ["timeline", "Timeline"],
  ["jobs", "Jobs"],
  ["wiring", "Wiring"],
  ["distribution", "Samples"],
  ["cost", "Cost"],
  ["overview", "Runs, flags and definitions"],
  ["context", "Context"],
];
