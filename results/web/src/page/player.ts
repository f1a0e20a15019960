import type { Control } from "../figure";
import { button, make } from "./dom";

type Player = Extract<Control, { kind: "player" }>;

const kStepMs = 900;
const kSlowStepMs = 2500; // for readers who asked for less motion

/**
 * Buttons and a slider over a plan's steps; 0 is all together. Arrow keys step anywhere within. What is shown is said
 * to screen readers.
 */
export class StepPlayer {
  readonly element: HTMLElement;
  private readonly slider: HTMLInputElement;
  private readonly said: HTMLElement;
  private readonly play: HTMLButtonElement;
  private timer: number | undefined;

  constructor(
    private readonly control: Player,
    private step: number,
    private readonly show: (step: number) => void,
  ) {
    const attributes = {
      type: "range",
      min: "0",
      max: String(control.steps),
      value: String(step),
      "aria-label": control.label,
    };
    this.slider = make("input", attributes);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.said = make("output", { "aria-live": "polite", class: "said" }, control.say(step));
    this.play = button("Play", () => this.toggle());
    const back = button("Previous", () => this.go(this.step - 1));
    const on = button("Next", () => this.go(this.step + 1));
    const all = button("All steps", () => this.go(0));
    this.element = make(
      "div",
      { class: "player", role: "group", "aria-label": "Steps of the plan" },
      back,
      this.play,
      on,
      all,
      this.slider,
      this.said,
    );
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  stop(): void {
    window.clearInterval(this.timer);
    this.timer = undefined;
    this.play.textContent = "Play";
  }

  private go(step: number): void {
    const count = this.control.steps + 1;
    this.step = (step + count) % count;
    this.slider.value = String(this.step);
    this.said.textContent = this.control.say(this.step);
    this.slider.setAttribute("aria-valuetext", this.said.textContent);
    this.show(this.step);
  }

  private toggle(): void {
    if (this.timer !== undefined) return this.stop();
    const slow = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.play.textContent = "Pause";
    const next = (): void => (this.step >= this.control.steps ? this.stop() : this.go(this.step + 1));
    if (this.step >= this.control.steps) this.go(0);
    this.timer = window.setInterval(next, slow ? kSlowStepMs : kStepMs);
  }

  private key(event: KeyboardEvent): void {
    const move = {
      ArrowRight: this.step + 1,
      ArrowUp: this.step + 1,
      ArrowLeft: this.step - 1,
      ArrowDown: this.step - 1,
      Home: 0,
      End: this.control.steps,
    }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    this.go(move);
  }
}
