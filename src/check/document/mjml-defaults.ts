import { scanMarkup } from "../../markup/scan.js";

/** An element of mj-attributes that gives other elements values. */
export interface MjmlDefault {
  readonly file: string;
  /** Where its tag begins. */
  readonly offset: number;
  /** `mj-text`, `mj-all`, or of an mj-class its name. */
  readonly of: string;
  readonly isClass: boolean;
}

/**
 * The defaults that MJML files set, in the order in which they are written.
 *
 * @example
 * readDefaults(new Map([["/a.mjml", '<mj-attributes><mj-class name="a" color="red" /></mj-attributes>']]));
 * // [{ file: "/a.mjml", offset: 15, of: "a", isClass: true }]
 */
export function readDefaults(texts: ReadonlyMap<string, string>): MjmlDefault[] {
  return Array.from(texts).flatMap(([file, text]) => {
    if (!text.includes("<mj-attributes")) return [];
    let isInside = false;
    return scanMarkup(text).pieces.flatMap((piece): MjmlDefault[] => {
      if (piece.kind !== "open" && piece.kind !== "close") return [];
      if (piece.name === "mj-attributes") isInside = piece.kind === "open" && !piece.selfClosing;
      if (!isInside || piece.kind === "close" || piece.name === "mj-attributes") return [];
      const isClass = piece.name === "mj-class";
      const of = isClass ? piece.attributes.find(({ name }) => name === "name")?.value : piece.name;
      return of === undefined ? [] : [{ file, offset: piece.start, of, isClass }];
    });
  });
}

/** Those of one element, the ones that win first: of its classes, of its kind, of all. */
export function defaultsFor(all: readonly MjmlDefault[], tagName: string, classes: readonly string[]): MjmlDefault[] {
  const latest = all.toReversed();
  return [
    ...classes.toReversed().flatMap((name) => latest.filter(({ of, isClass }) => isClass && of === name)),
    ...latest.filter(({ of, isClass }) => !isClass && of === tagName),
    ...latest.filter(({ of, isClass }) => !isClass && of === "mj-all"),
  ];
}
