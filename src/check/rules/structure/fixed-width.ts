import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { type Cascade, cascadeOf, type Given } from "../../styles/cascade.js";
import { LIGHT, PHONE } from "../../styles/media.js";
import { isHidden } from "../../styles/visible.js";

/** What is wider than this is fixed for no mail client's sake; 600 and 640 are the usual widths. */
const USUAL = 640;

/** As wide as no window in which mail is read: a slip of a zero. */
const ABSURD = 2500;

export const fixedWidth: Rule = {
  id: "fixed-width",
  summary: "Something is wide, and stays so on a phone.",
  severity: "warning",
  checkTemplate({ document }) {
    const cascade = cascadeOf(document);
    const found = new Map<EmailElement, Finding>();
    for (const element of document.named("table", "div", "img", "center", "section", "p")) {
      const wide = fixedWidthOf(cascade, element);
      if (!wide || element.ancestors.some((each) => found.has(each)) || isHidden(cascade, element, PHONE)) continue;
      const what = element.name === "img" ? "image" : `<${element.name}>`;
      found.set(element, {
        message: `This ${what} is ${wide.pixels} pixels wide, also on a phone: readers have to scroll sideways.`,
        at: wide.given.at(),
        hint:
          element.name === "img"
            ? "Add max-width: 100%; height: auto to its style."
            : `Set width: 100%; max-width: ${wide.pixels}px instead.`,
      });
    }
    return [...found.values(), ...wideCells(document, found)];
  },
};

/** A cell is made narrower by a table that has no room for it, but not by Outlook. */
function wideCells(document: EmailDocument, found: ReadonlyMap<EmailElement, Finding>): Finding[] {
  const cascade = cascadeOf(document);
  return document.named("td", "th").flatMap((cell): Finding[] => {
    const width = cascade.given(cell, "width", LIGHT);
    const isTold = cell.ancestors.some((each) => found.has(each));
    if (!width || !(pixelsOf(width) > USUAL) || isTold || isHidden(cascade, cell, LIGHT)) return [];
    const around = cell.ancestors.flatMap((each) =>
      ["width", "max-width"].flatMap((property) => cascade.given(each, property, LIGHT) ?? []),
    );
    const room = around.map(pixelsOf).find((pixels) => !Number.isNaN(pixels)) ?? USUAL;
    if (pixelsOf(width) <= room) return [];
    return [
      {
        message: `This cell asks for ${pixelsOf(width)} pixels, where there are ${room}: Outlook makes the email that wide.`,
        at: width.at(),
        hint: "Give it a width in percent, or less.",
        severity: "info",
      },
    ];
  });
}

function fixedWidthOf(cascade: Cascade, element: EmailElement): { pixels: number; given: Given } | undefined {
  const value = (property: string): Given | undefined => cascade.given(element, property, PHONE);
  const least = value("min-width");
  if (least && pixelsOf(least) > USUAL) return { pixels: pixelsOf(least), given: least };
  const [width, most] = [value("width"), value("max-width")];
  if (most && pixelsOf(most) > ABSURD) return { pixels: pixelsOf(most), given: most };
  if (!width || !(pixelsOf(width) > USUAL)) return undefined;
  const isFluid = most && most.value !== "none" && !(pixelsOf(most) > USUAL);
  return isFluid ? undefined : { pixels: pixelsOf(width), given: width };
}

/** NaN of what is no number of pixels. */
function pixelsOf({ value }: Given): number {
  return Number(/^(\d+(?:\.\d+)?)px$/.exec(value)?.[1]);
}
