import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "./module-bundle.js";
import { isOwn } from "./package-boundary.js";
import { positionAt } from "../position.js";

const lettershop = new URL("../", import.meta.url).href;

/** Who runs: one of the project's own modules, a package, or Node itself. */
export type Caller = { readonly kind: "own"; readonly at: SourcePosition } | { readonly kind: "package" | "node" };

/** Leads from places in imported bundles back to the user's own modules. */
export class BundleMaps {
  readonly #imported = new Map<string, Pick<Bundle, "map" | "file">>();
  readonly #maps = new Map<string, SourceMap>();

  /** @param url What the bundle is imported as. */
  add(url: string, bundle: Pick<Bundle, "map" | "file">): void {
    this.#imported.set(url, bundle);
  }

  /** The innermost place in the user's own modules that a stack goes through. */
  positionIn(stack: string): SourcePosition | undefined {
    for (const [, url = "", line, column] of stack.matchAll(/(file:\/\/\S+?):(\d+):(\d+)/g)) {
      const origin = this.#mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (origin !== undefined && "originalSource" in origin && isOwn(origin.originalSource)) {
        return { file: origin.originalSource, line: origin.originalLine + 1, column: origin.originalColumn + 1 };
      }
    }
    return undefined;
  }

  /** Whose code a stack begins in, lettershop's own aside. */
  callerIn(stack: string): Caller {
    const frames = stack.split("\n").filter((line) => /^\s*at\b/.test(line) && !line.includes(lettershop));
    const named = frames.find((frame) => !/<anonymous>|\bnative\b/.test(frame)) ?? "";
    // Nothing is left of a stack in which lettershop itself asks.
    if (named === "" || named.includes("node:")) return { kind: "node" };
    const at = this.positionIn(named);
    return at ? { kind: "own", at } : { kind: "package" };
  }

  /** Where a name is imported, in the bundle that a stack begins in: imports are gone from the map itself. */
  positionOfImport(name: string, stack: string): SourcePosition | undefined {
    const url = /^file:\/\/\S+?(?=:\d+\n)/.exec(stack)?.[0] ?? "";
    const payload = this.#mapOf(url)?.payload;
    const statement = new RegExp(
      `\\bimport\\b[^;'"]*?\\b${name.replaceAll("$", "\\$")}(?![\\w$])(?=[^;'"]*\\bfrom\\b)`,
    );
    for (const [index, file] of payload?.sources.entries() ?? []) {
      const text = payload?.sourcesContent[index] ?? "";
      const found = statement.exec(text);
      if (found !== null) return { file, ...positionAt(text, found.index + found[0].length - name.length) };
    }
    return undefined;
  }

  /** A message that names the user's files where it named bundles. */
  readable(message: string): string {
    let text = message;
    for (const [url, { file }] of this.#imported) {
      text = text.replaceAll(url, file).replaceAll(fileURLToPath(url), file);
    }
    return text;
  }

  /** Read only when something went wrong: most bundles run well. */
  #mapOf(url: string): SourceMap | undefined {
    const bundle = this.#imported.get(url);
    if (bundle === undefined) return undefined;
    const map = this.#maps.get(url) ?? new SourceMap(JSON.parse(bundle.map));
    this.#maps.set(url, map);
    return map;
  }
}
