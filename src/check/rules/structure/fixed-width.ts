import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { cascadedValue, type CascadedValue } from "../../styles/cascade.js";
import { LIGHT, PHONE } from "../../styles/matching.js";
import { isHidden } from "../../styles/computed.js";

/** Wider than the usual widths of 600 and 640 pixels, for which there may be good reasons. */
const USUAL = 640;

/** Wider than any window for reading email: probably a typo. */
const ABSURD = 2500;

export const fixedWidth: BuiltInRule = {
  id: "fixed-width",
  severity: "warning",
  summary: "Something is too wide, even on a phone.",
  details: "Something is wider than 640 pixels, even on a phone.",
  why:
    "A phone is about 375 pixels wide, so people have to scroll sideways for every line, or see the email scaled " +
    "down: [WCAG 1.4.10, Reflow](https://www.w3.org/WAI/WCAG22/Understanding/reflow). A `max-width`, a width in " +
    "percent or a rule in `@media (max-width: …)` prevents that. A cell (or `<Column>`) that is wider than its container is " +
    "a note: browsers shrink it, but Outlook for Windows does not.",
  fix:
    "Set `width: 100%; max-width: 700px` on a table or a block, and `max-width: 100%; height: auto` on an image. " +
    "You can keep the `width` attribute for Outlook.",
  examples: {
    wrong: ['<table ‸width="800"><tr><td>Your order</td></tr></table>'],
    right: ['<table style="width: 100%; max-width: 800px"><tr><td>Your order</td></tr></table>'],
  },
  checkTemplate({ document }) {
    const found = new Map<EmailElement, Finding>();
    for (const element of document.named("table", "div", "img", "center", "section", "p")) {
      const wide = fixedWidthOf(element);
      if (!wide || element.ancestors.some((each) => found.has(each)) || isHidden(element, PHONE)) continue;
      const what = element.name === "img" ? "image" : `<${element.name}>`;
      found.set(element, {
        message: `This ${what} is ${wide.pixels} pixels wide even on a phone, so people have to scroll sideways.`,
        at: wide.given.at(),
        hint:
          element.name === "img"
            ? "Add `max-width: 100%; height: auto` to its style."
            : `Set \`width: 100%; max-width: ${wide.pixels}px\` instead.`,
      });
    }
    return [...found.values(), ...wideCells(document, found)];
  },
};

/** Clients shrink a cell that is wider than its table; Outlook widens the table. */
function* wideCells(document: EmailDocument, found: ReadonlyMap<EmailElement, Finding>): Generator<Finding> {
  for (const cell of document.named("td", "th")) {
    const width = cascadedValue(cell, "width", LIGHT);
    const isReported = cell.ancestors.some((each) => found.has(each));
    if (!width || !(pixelsOf(width) > USUAL) || isReported || isHidden(cell, LIGHT)) continue;
    const around = cell.ancestors.flatMap((each) =>
      ["width", "max-width"].flatMap((property) => cascadedValue(each, property, LIGHT) ?? []),
    );
    const room = around.map(pixelsOf).find((pixels) => !Number.isNaN(pixels)) ?? USUAL;
    if (pixelsOf(width) <= room) continue;
    yield {
      message: `This cell is ${pixelsOf(width)} pixels wide, but only ${room} are available. Outlook widens the email to fit.`,
      at: width.at(),
      hint: "Use a smaller width, or a percentage.",
      severity: "info",
    };
  }
}

function fixedWidthOf(element: EmailElement): { pixels: number; given: CascadedValue } | undefined {
  const value = (property: string): CascadedValue | undefined => cascadedValue(element, property, PHONE);
  const least = value("min-width");
  if (least && pixelsOf(least) > USUAL) return { pixels: pixelsOf(least), given: least };
  const [width, most] = [value("width"), value("max-width")];
  if (most && pixelsOf(most) > ABSURD) return { pixels: pixelsOf(most), given: most };
  if (!width || !(pixelsOf(width) > USUAL)) return undefined;
  const isFluid = most && most.value !== "none" && !(pixelsOf(most) > USUAL);
  return isFluid ? undefined : { pixels: pixelsOf(width), given: width };
}

/** NaN for anything but pixels. */
function pixelsOf({ value }: CascadedValue): number {
  return Number(/^(\d+(?:\.\d+)?)px$/.exec(value)?.[1]);
}
