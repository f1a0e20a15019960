import type { Browser } from "playwright-core";
import type { ReportData } from "../src/data";

export function scratch(): string;
export function discard(folder: string): void;
export function build_into(folder: string): void;
export function write_page(folder: string, name: string, data: ReportData): string;
export function open_browser(): Promise<Browser>;
