import { type OpenTag, scanMarkup } from "../../text/markup/scan.js";
import type { WrittenTag } from "./written-tag.js";

/** An element in `mj-attributes` that sets defaults for other elements. */
export interface MjmlDefault {
  readonly file: string;
  readonly tag: OpenTag;
  /** `mj-text`, `mj-all`, or `.name` for an `mj-class`. */
  readonly of: string;
}

/** The defaults in MJML files, in source order. */
export function readDefaults(texts: ReadonlyMap<string, string>): MjmlDefault[] {
  return Array.from(texts).flatMap(([file, text]) => {
    if (!text.includes("<mj-attributes")) return [];
    let isInside = false;
    return scanMarkup(text).pieces.flatMap((tag): MjmlDefault[] => {
      if (tag.kind !== "open" && tag.kind !== "close") return [];
      if (tag.name === "mj-attributes") isInside = tag.kind === "open" && !tag.selfClosing;
      if (!isInside || tag.kind === "close" || tag.name === "mj-attributes") return [];
      return [{ file, tag, of: tag.name === "mj-class" ? `.${valueOf(tag, "name")}` : tag.name }];
    });
  });
}

/** The defaults for one element, highest priority first: its classes, its element name, `mj-all`. */
export function defaultsFor(all: readonly MjmlDefault[], tag: WrittenTag): MjmlDefault[] {
  const classes = valueOf(tag, "mj-class").split(/\s+/).reverse();
  const names = [...classes.map((name) => `.${name}`), tag.name.toLowerCase(), "mj-all"];
  return names.flatMap((name) => all.filter(({ of }) => of === name).reverse());
}

function valueOf({ attributes }: WrittenTag, name: string): string {
  return attributes.find((attribute) => attribute.name === name)?.value ?? "";
}
