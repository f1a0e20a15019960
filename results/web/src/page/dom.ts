/** Makes elements; texts become text nodes, so nothing from a result file is ever read as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(text: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", act);
  return made;
}

/** Longer lists are filled when they are first touched. */
const kManyOptions = 200;

export function drop_down(
  label: string,
  options: { value: string; text: string }[],
  value: string,
  changed: (value: string) => void,
): HTMLLabelElement {
  const views = (these: typeof options): HTMLOptionElement[] =>
    these.map((option) => make("option", { value: option.value }, option.text));
  const long = options.length > kManyOptions;
  const list = make("select", {}, ...views(long ? options.filter((option) => option.value === value) : options));
  list.value = value;
  const fill = (): void => {
    const now = list.value;
    list.replaceChildren(...views(options));
    list.value = now;
  };
  if (long) for (const event of ["pointerdown", "focus"]) list.addEventListener(event, fill, { once: true });
  list.addEventListener("change", () => changed(list.value));
  return make("label", { class: "choice" }, make("span", {}, label), list);
}

/** Lets the browser save a text as a file; nothing leaves the page. */
export function save(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
