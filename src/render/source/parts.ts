import { realpathSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { SourcePosition } from "../../diagnostic.js";
import { nearest } from "../../nearest.js";
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
    const siblings = await readdir(path.dirname(wanted)).catch(() => []);
    const near = nearest(path.basename(wanted), siblings);
    const hint = near === undefined ? undefined : `There is ${this.#shown(path.join(path.dirname(wanted), near))}.`;
    const message = `${request.writtenAs} asks for ${this.#shown(wanted)}, which is not a text file that can be read`;
    this.#report("part-missing", request, message, hint);
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

/** Undefined where it is not there, is a folder, or no text. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
