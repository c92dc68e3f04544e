import { readFileSync } from "node:fs";
import path from "node:path";
import type { EngineOutput } from "../../../src/render/engine.js";
import { SITE_ATTRIBUTE } from "../../../src/text/markup/scan.js";

const PLACED = new RegExp(`<([^\\s<>/]+)(?=[\\s/])[^<>]* ${SITE_ATTRIBUTE}="([^"]*)"`, "g");

/**
 * The elements of sited HTML with the start of the source at their sites: `p ← receipt.tsx:3:5 <p`.
 *
 * @throws {Error} A site is invalid, or its source is not the same HTML element.
 */
export function sitedElements(html: string, places: NonNullable<EngineOutput["places"]>): string[] {
  return Array.from(html.matchAll(PLACED), ([, name = "", number]) => {
    const at = places[Number(number)]?.at;
    const line = at && readFileSync(at.file, "utf8").split("\n")[(at.line ?? 0) - 1];
    const written = line && /^<([\w.]+)/.exec(line.slice((at.column ?? 0) - 1));
    const file = at && path.basename(at.file).replace(/^template-\d+/, "template");
    const found = `${name} ← ${file}:${at?.line}:${at?.column} ${written?.[0]}`;
    if (!written || (/^[a-z]/.test(written[1] ?? "") && written[1] !== name)) throw new Error(found);
    return found;
  });
}
