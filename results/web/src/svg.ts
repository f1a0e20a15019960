/** A small tree of SVG elements: becomes text on paper and DOM on the page, so that both draw the same. */
export interface SvgNode {
  tag: string;
  attributes: Record<string, string | number>;
  children: (SvgNode | string)[];
}

export const svg = (
  tag: string,
  attributes: Record<string, string | number>,
  ...children: (SvgNode | string)[]
): SvgNode => ({
  tag,
  attributes,
  children,
});

/** The text without the characters that XML 1.0 cannot hold, escaped or not. */
export const without_controls = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");

export function escape_xml(text: string): string {
  return without_controls(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

const kNamespace = "http://www.w3.org/2000/svg";

export function to_text(node: SvgNode, root = true): string {
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escape_xml(String(value))}"`);
  const space = root ? ` xmlns="${kNamespace}"` : "";
  const inner = node.children.map((child) => (typeof child === "string" ? escape_xml(child) : to_text(child, false)));
  return `<${node.tag}${space}${attributes.join("")}>${inner.join("")}</${node.tag}>`;
}

export function to_dom(node: SvgNode): SVGElement {
  const element = document.createElementNS(kNamespace, node.tag);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, String(value));
  for (const child of node.children) element.append(typeof child === "string" ? child : to_dom(child));
  return element;
}

/** Names an SVG for screen readers and viewers: its first children become <title> and <desc>. */
export function with_title(svg_text: string, title: string, description: string): string {
  const end = svg_text.indexOf(">", svg_text.indexOf("<svg")) + 1;
  const names = `<title>${escape_xml(title)}</title><desc>${escape_xml(description)}</desc>`;
  return svg_text.slice(0, end) + names + svg_text.slice(end);
}
