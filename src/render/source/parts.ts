import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { SourcePosition } from "../../diagnostic.js";
import { nearest } from "../../nearest.js";
import { statsOf } from "../../template/links.js";
import { readSource } from "../../template/source.js";
import type { SourceFile } from "../../template/template.js";
import type { Findings } from "../findings.js";
import { chainNote } from "./chain.js";

/** A file that another one asks for. */
export interface PartRequest {
  /** As written: with forward slashes. */
  readonly path: string;
  /** The folder that it is relative to, absolute. */
  readonly folder: string;
  /** What asks for it, as the person wrote it: `<mj-include>`, `{{> _shared/footer}}`. */
  readonly writtenAs: string;
  readonly at: SourcePosition;
  /** The files that led here, the template's body first; the last one asks. */
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

  /** The part; or undefined, which has been reported. */
  async read(request: PartRequest): Promise<SourceFile | undefined> {
    const wanted = path.resolve(request.folder, request.path);
    if (path.isAbsolute(request.path) || !this.#holds(wanted)) return this.#outside(request);
    const file = attempt(() => realpathSync.native(wanted));
    if (file === undefined) return this.#missing(request, wanted);
    if (!this.#holds(file)) return this.#outside(request);
    if (request.chain.some((source) => source.file === file)) return this.#cycle(request, file);
    const known = this.#read.get(file);
    if (known) return known;
    const source = attempt(() => readSource(file));
    if (source === undefined) return this.#missing(request, wanted);
    this.#read.set(file, source);
    return source;
  }

  #holds(file: string): boolean {
    const relative = path.relative(this.#root, file);
    return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
  }

  #outside(request: PartRequest): undefined {
    const message = `${request.writtenAs} leads out of the templates folder`;
    this.#report(
      "part-outside",
      request,
      message,
      "Move the file into the templates folder, for example into _shared/.",
    );
  }

  async #missing(request: PartRequest, wanted: string): Promise<undefined> {
    const { writtenAs } = request;
    const stats = statsOf(wanted);
    if (stats) {
      const what = stats.isDirectory() ? "a folder" : "no text file that can be read";
      this.#report("part-missing", request, `${writtenAs} asks for ${this.#shown(wanted)}, which is ${what}`);
      return;
    }
    const near = await this.#nearestTo(wanted);
    const hint = near === undefined ? undefined : `There is ${near}.`;
    this.#report("part-missing", request, `${writtenAs} asks for ${this.#shown(wanted)}, which does not exist`, hint);
  }

  /** In the same folder, else one of that name anywhere, else what is written most alike. */
  async #nearestTo(wanted: string): Promise<string | undefined> {
    const files = await filesBelow(this.#root);
    const shown = this.#shown(wanted);
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
    this.#report("part-cycle", request, `${request.writtenAs} goes in a circle: ${shown}`);
  }

  #report(rule: string, { at, chain }: PartRequest, message: string, hint?: string): void {
    this.#findings.error(rule, `${message}${chainNote(chain)}.`, at, hint);
  }

  #shown(file: string): string {
    return path.relative(this.#root, file).replaceAll(path.sep, "/");
  }
}

/** Relative to the folder, with forward slashes, in an order that is the same everywhere. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !file.includes("node_modules/"))
    .toSorted();
}

/** Undefined where it is not there, is a folder, or no text. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
