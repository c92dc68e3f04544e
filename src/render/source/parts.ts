import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { SourcePosition } from "../../diagnostic.js";
import { nearest } from "../../text/nearest.js";
import { statsOf } from "../../project/links.js";
import { readSource } from "../../project/json.js";
import type { SourceFile } from "../../project/template.js";
import type { Findings } from "../findings.js";
import { chainNote } from "./chain.js";

/** A request for a file that another file includes. */
export interface PartRequest {
  /** As written: with forward slashes. */
  readonly path: string;
  /** The folder that it is relative to, absolute. */
  readonly folder: string;
  /** What includes it, as written: `<mj-include>`, `{{> _shared/footer}}`. */
  readonly writtenAs: string;
  readonly at: SourcePosition;
  /** The files that led here, the template's body first; the last one contains the include. */
  readonly chain: readonly SourceFile[];
}

/** Reads the shared parts of one template: files within the templates root, links resolved. */
export class PartReader {
  readonly #root: string;
  readonly #findings: Findings;
  readonly #read = new Map<string, SourceFile>();

  /** @param root The templates root, absolute, links resolved. */
  constructor(root: string, findings: Findings) {
    this.#root = root;
    this.#findings = findings;
  }

  /** Every file that was read, absolute. */
  get sources(): readonly string[] {
    return [...this.#read.keys()];
  }

  /** The part; undefined if there was an error, which has been reported. */
  async read(request: PartRequest): Promise<SourceFile | undefined> {
    const target = path.resolve(request.folder, request.path);
    if (path.isAbsolute(request.path) || !this.#holds(target)) return this.#outside(request);
    const file = attempt(() => realpathSync.native(target));
    if (file === undefined) return this.#missing(request, target);
    if (!this.#holds(file)) return this.#outside(request);
    if (request.chain.some((source) => source.file === file)) return this.#cycle(request, file);
    const known = this.#read.get(file);
    if (known) return known;
    const source = attempt(() => readSource(file));
    if (source === undefined) return this.#missing(request, target);
    this.#read.set(file, source);
    return source;
  }

  #holds(file: string): boolean {
    const relative = path.relative(this.#root, file);
    return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
  }

  #outside(request: PartRequest): undefined {
    const message = `${request.writtenAs} points outside the templates folder`;
    this.#report(
      "part-outside",
      request,
      message,
      "Move the file into the templates folder, for example into _shared/.",
    );
  }

  async #missing(request: PartRequest, target: string): Promise<undefined> {
    const { writtenAs } = request;
    const stats = statsOf(target);
    if (stats) {
      const what = stats.isDirectory() ? "a folder" : "not a readable text file";
      this.#report("part-missing", request, `${writtenAs} includes ${this.#shown(target)}, which is ${what}`);
      return;
    }
    const near = await this.#nearestTo(target);
    const hint = near === undefined ? undefined : `Did you mean ${near}?`;
    this.#report("part-missing", request, `${writtenAs} includes ${this.#shown(target)}, which does not exist`, hint);
  }

  /** A similar name in the same folder, or else the same name anywhere, or else the most similar path. */
  async #nearestTo(target: string): Promise<string | undefined> {
    const files = await filesBelow(this.#root);
    const shown = this.#shown(target);
    const [folder, name] = [path.posix.dirname(shown), path.posix.basename(shown)];
    const siblings = files
      .filter((file) => path.posix.dirname(file) === folder)
      .map((file) => path.posix.basename(file));
    const sibling = nearest(name, siblings) ?? siblings.find((each) => path.posix.parse(each).name === name);
    if (sibling !== undefined) return path.posix.join(folder, sibling);
    return files.find((file) => path.posix.basename(file) === name) ?? nearest(shown, files);
  }

  #cycle(request: PartRequest, file: string): undefined {
    const first = request.chain.findIndex((source) => source.file === file);
    const circle = [...request.chain.slice(first).map((source) => source.file), file];
    const shown = circle.map((member) => this.#shown(member)).join(" → ");
    this.#report("part-cycle", request, `${request.writtenAs} includes itself: ${shown}`);
  }

  #report(rule: string, { at, chain }: PartRequest, message: string, hint?: string): void {
    this.#findings.error(rule, `${message}${chainNote(chain)}.`, at, hint);
  }

  #shown(file: string): string {
    return path.relative(this.#root, file).replaceAll(path.sep, "/");
  }
}

/** Relative to the folder, with forward slashes, in the same order everywhere. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.includes("node_modules/"))
    .toSorted();
}

/** Undefined if the file doesn't exist, is a folder, or is not text. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
