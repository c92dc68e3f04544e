import { TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { chainNote } from "../source/mapped-text.js";
import { attributeValue, elementsOf, type MjmlElement, positionOf } from "./document.js";

/** MJML's default width of `<mj-body>`. */
const DEFAULT_WIDTH = 600;
const NARROWEST = 240;
const WIDEST = 1000;
/** In percent: three columns of 33.34% fill a row. */
const ROUNDING = 2;

/** Warns of a body that is wider than any screen, and of columns that together are wider than their row. */
export function checkWidths(document: MjmlElement, findings: Findings): void {
  const elements = elementsOf(document);
  const body = elements.find(({ tagName }) => tagName === "mj-body");
  const width = body && (attributeValue(body, "width") ?? "");
  const pixels = width === undefined ? NaN : pixelsOf(width);
  if (body && (pixels > WIDEST || pixels < NARROWEST)) {
    const message = `The body is ${pixels} pixels wide${chainNote(body.source.chain)}: ${pixels > WIDEST ? "recipients have to scroll sideways" : "there is no room for a line of text"}.`;
    findings.warning("mjml-column-width", message, positionOfWidth(body), "Use 600px, MJML's default.");
    return;
  }
  if (width?.search(TOKEN) !== -1 && width !== undefined) return;
  const defaults = elements.filter(({ tagName }) => tagName === "mj-attributes").flatMap(({ children }) => children);
  const hasDefault = defaults.some(
    (element) => /^mj-(?:column|all|group)$/.test(element.tagName) && attributeValue(element, "width") !== undefined,
  );
  if (hasDefault) return;
  const rooms = new Rooms(defaults);
  for (const element of elements) {
    const room =
      element.tagName === "mj-wrapper" ? rooms.within(element, pixels || DEFAULT_WIDTH) : pixels || DEFAULT_WIDTH;
    const sections = element.tagName === "mj-wrapper" || element.tagName === "mj-body" ? element.children : [];
    for (const section of sections)
      if (section.tagName === "mj-section") checkRow(section, rooms.within(section, room), findings);
  }
}

/** The width inside an element's padding, as far as it is given in pixels. */
class Rooms {
  readonly #defaults: readonly MjmlElement[];

  constructor(defaults: readonly MjmlElement[]) {
    this.#defaults = defaults;
  }

  within(element: MjmlElement, room: number): number {
    const sides = ["padding-left", "padding-right"].map((side, index) => {
      const own = this.#value(element, side);
      const all = (this.#value(element, "padding") ?? "").trim().split(/\s+/);
      return pixelsOf(own ?? all[index === 0 ? 3 : 1] ?? all[1] ?? all[0] ?? "") || 0;
    });
    return Math.max(NARROWEST, room - sides.reduce((sum, side) => sum + side, 0));
  }

  /** Undefined if a class may set it. */
  #value(element: MjmlElement, name: string): string | undefined {
    const own = attributeValue(element, name);
    if (own !== undefined || attributeValue(element, "mj-class") !== undefined) return own;
    const defaultElement = this.#defaults.find(({ tagName }) => tagName === element.tagName) ?? this.#ofAll();
    return defaultElement && attributeValue(defaultElement, name);
  }

  #ofAll(): MjmlElement | undefined {
    return this.#defaults.find(({ tagName }) => tagName === "mj-all");
  }
}

/** Checks a section, and then the groups in it. */
function checkRow(row: MjmlElement, room: number, findings: Findings): void {
  const { children, tagName: name } = row;
  // Mustache sections may show any of the columns.
  if (!children.every(({ tagName }) => tagName === "mj-column" || tagName === "mj-group")) return;
  const shares = children.map((column) => shareOf(column, children.length, room));
  for (const [index, child] of children.entries())
    if (child.tagName === "mj-group") checkRow(child, ((shares[index] ?? NaN) / 100) * room, findings);
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (!(total > 100 + ROUNDING) || fillsRows(shares)) return;
  const widest = shares.indexOf(Math.max(...shares.filter((_, index) => hasWidth(children[index]))));
  const column = children[widest];
  if (!column) return;
  const message = `The columns of this <${name}> add up to ${Math.round(total)}% of its width${chainNote(column.source.chain)}: most clients move some of them to the next line, and Outlook makes the email wider.`;
  findings.warning("mjml-column-width", message, positionOfWidth(column), "Let their widths add up to 100%.");
}

/** In percent of the row; NaN if it is set elsewhere. */
function shareOf(column: MjmlElement, columns: number, room: number): number {
  if (attributeValue(column, "mj-class") !== undefined) return NaN;
  const width = attributeValue(column, "width");
  if (width === undefined) return 100 / columns;
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(width.trim())?.[1];
  return percent === undefined ? (pixelsOf(width) / room) * 100 : Number(percent);
}

/** Whether columns fill several rows exactly, as in a grid written in one section. */
function fillsRows(shares: readonly number[]): boolean {
  let row = 0;
  for (const share of shares) {
    if (row + share > 100 + ROUNDING) {
      if (row < 100 - ROUNDING) return false;
      row = 0;
    }
    row += share;
  }
  return Math.abs(row - 100) <= ROUNDING;
}

function hasWidth(column: MjmlElement | undefined): boolean {
  return column !== undefined && attributeValue(column, "width") !== undefined;
}

function pixelsOf(width: string): number {
  return Number(/^(\d+(?:\.\d+)?)px$/.exec(width.trim())?.[1]);
}

function positionOfWidth(element: MjmlElement) {
  return positionOf(element, element.attributes.find(({ name }) => name === "width")?.start);
}
