import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";
import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "./module-bundle.js";
import { isOwn } from "./package-boundary.js";
import { positionAt } from "../text/position.js";

const lettershop = new URL("../", import.meta.url).href;

/** The running code: one of the project's own modules, a package, or Node itself. */
export type Caller = { readonly kind: "own"; readonly at: SourcePosition } | { readonly kind: "package" | "node" };

/** Maps positions in imported bundles back to the user's own modules. */
export class BundleMaps {
  readonly #imported = new Map<string, Pick<Bundle, "map" | "file">>();
  readonly #maps = new Map<string, SourceMap>();

  /** @param url The URL that the bundle is imported as. */
  add(url: string, bundle: Pick<Bundle, "map" | "file">): void {
    this.#imported.set(url, bundle);
  }

  /** The innermost position of the stack in the user's own modules. */
  positionIn(stack: string): SourcePosition | undefined {
    for (const [, url = "", line, column] of stack.matchAll(/(file:\/\/\S+?):(\d+):(\d+)/g)) {
      const origin = this.#mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (origin !== undefined && "originalSource" in origin && isOwn(origin.originalSource)) {
        return { file: origin.originalSource, line: origin.originalLine + 1, column: origin.originalColumn + 1 };
      }
    }
    return undefined;
  }

  /** The code at the top of a stack, ignoring lettershop's own frames. */
  callerIn(stack: string): Caller {
    const frames = stack.split("\n").filter((line) => /^\s*at\b/.test(line) && !line.includes(lettershop));
    const named = frames.find((frame) => !/<anonymous>|\bnative\b/.test(frame)) ?? "";
    // If only lettershop itself is on the stack, no frames are left.
    if (named === "" || named.includes("node:")) return { kind: "node" };
    const at = this.positionIn(named);
    return at ? { kind: "own", at } : { kind: "package" };
  }

  /** Where a name is imported in the bundle at the top of a stack; the source map itself does not cover imports. */
  positionOfImport(name: string, stack: string): SourcePosition | undefined {
    const url = /^file:\/\/\S+?(?=:\d+\n)/.exec(stack)?.[0] ?? "";
    const payload = this.#mapOf(url)?.payload;
    const statement = new RegExp(
      `\\bimport\\b[^;'"]*?\\b${name.replaceAll("$", "\\$")}(?![\\w$])(?=[^;'"]*\\bfrom\\b)`,
    );
    for (const [index, file] of payload?.sources.entries() ?? []) {
      const text = payload?.sourcesContent[index] ?? "";
      const match = statement.exec(text);
      if (match !== null) return { file, ...positionAt(text, match.index + match[0].length - name.length) };
    }
    return undefined;
  }

  /** Replaces paths of bundles in a message with those of the user's files. */
  readable(message: string): string {
    let text = message;
    for (const [url, { file }] of this.#imported) {
      text = text.replaceAll(url, file).replaceAll(fileURLToPath(url), file);
    }
    return text;
  }

  /** Parsed only when something goes wrong, because most bundles run well. */
  #mapOf(url: string): SourceMap | undefined {
    const bundle = this.#imported.get(url);
    if (bundle === undefined) return undefined;
    const map = this.#maps.get(url) ?? new SourceMap(JSON.parse(bundle.map));
    this.#maps.set(url, map);
    return map;
  }
}
