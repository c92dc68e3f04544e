import type { Diagnostic, SourcePosition } from "../diagnostic.js";
import { LettershopError } from "../errors.js";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Rolldown, RolldownError } from "./rolldown.js";
import { positionAt } from "../text/position.js";

/**
 * A user's module that can't be bundled, loaded or run: a syntax error, an unresolved import, an exception, an endless
 * loop.
 */
export class ModuleError extends LettershopError {
  override readonly name = "ModuleError";
  readonly code = "module";
  /** Other errors in the same bundle, by file and line. */
  readonly others: readonly ModuleError[];

  constructor(
    message: string,
    /** The position in the user's own files; without a line if only the file is known. */
    readonly at: SourcePosition,
    options?: { cause?: unknown; hint?: string; others?: readonly ModuleError[] },
  ) {
    super(message, options);
    this.others = options?.others ?? [];
  }

  /** One for this error, and one for each of the others. */
  toDiagnostics(rule: string, template?: string): [Diagnostic, ...Diagnostic[]] {
    return [this.toDiagnostic(rule, template), ...this.others.map((other) => other.toDiagnostic(rule, template))];
  }

  toDiagnostic(rule: string, template?: string): Diagnostic {
    return {
      rule,
      severity: "error",
      message: this.message,
      at: this.at,
      ...(template === undefined ? {} : { template }),
      ...(this.hint === undefined ? {} : { hint: this.hint }),
    };
  }
}

/**
 * Collects the problems of the modules in one bundle. Modules are read in parallel and in no fixed order, so problems are
 * collected first; the first one by file and line is thrown, with the others attached.
 */
export class BundleProblems {
  readonly #moduleErrors: ModuleError[] = [];
  readonly #parseSync: Rolldown["parseSync"];
  readonly #folder: string;

  /** @param folder The folder that paths in rolldown's messages are relative to. */
  constructor({ parseSync }: Pick<Rolldown, "parseSync">, folder: string) {
    this.#parseSync = parseSync;
    this.#folder = folder;
  }

  /** Adds an import in `importer` that can't be resolved. */
  async addImport(importer: string, specifier: string, message: string, hint?: string): Promise<void> {
    const at = await this.#positionOfImport(importer, specifier);
    this.#moduleErrors.push(new ModuleError(message, at, { hint }));
  }

  all(): ModuleError | undefined {
    const moduleErrors = new Map(
      this.#moduleErrors.sort(byPosition).map((each) => [JSON.stringify([each.message, each.at]), each]),
    );
    const [first, ...others] = moduleErrors.values();
    return first && new ModuleError(first.message, first.at, { cause: first.cause, hint: first.hint, others });
  }

  /** Includes the errors that rolldown reported. An error in one of our plugins is returned unchanged. */
  allWith(error: unknown): unknown {
    const errors = rolldownErrors(error);
    const ours: unknown = errors.find(({ code }) => code === "PLUGIN_ERROR");
    if (ours !== undefined) return ours;
    // Without the tsconfig, no import was resolved as it should be.
    if (tsconfigProblem(error) !== undefined) return error;
    for (const each of errors) {
      const message = stripVTControlCharacters(each.message);
      const file = each.id ?? codeFrameFile(message, this.#folder);
      if (file !== undefined) this.#moduleErrors.push(toModuleError(each, message, file));
    }
    return this.all() ?? error;
  }

  async #positionOfImport(importer: string, specifier: string): Promise<SourcePosition> {
    const text = await readFile(importer, "utf8");
    const { module } = this.#parseSync(importer, text);
    const statements = [
      ...module.staticImports.map(({ start, moduleRequest }) => ({ start, from: moduleRequest.value })),
      ...module.staticExports.flatMap(({ start, entries }) =>
        entries.map(({ moduleRequest }) => ({ start, from: moduleRequest?.value })),
      ),
    ];
    const statement = statements.find(({ from }) => from === specifier);
    if (statement === undefined) return { file: importer };
    return { file: importer, ...positionAt(text, statement.start) };
  }
}

/** The reason why rolldown can't read a tsconfig.json, if that is the error: `Failed to load tsconfig '…'` */
export function tsconfigProblem(error: unknown): string | undefined {
  const moduleErrors = rolldownErrors(error).find(({ code }) => code === "TSCONFIG_ERROR");
  return moduleErrors && sentenceOf(stripVTControlCharacters(moduleErrors.message));
}

/** Whether the entry is not a file, or was removed meanwhile. */
export function isEntryMissing(error: unknown): boolean {
  return rolldownErrors(error).some(({ code }) => code === "UNRESOLVED_ENTRY");
}

function rolldownErrors(error: unknown): readonly RolldownError[] {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) ? error.errors : [];
}

/** The first sentence of rolldown's message; the rest is a code frame. */
function toModuleError(error: RolldownError, text: string, file: string): ModuleError {
  const message = sentenceOf(text);
  const note = text.split("\n").find((line) => /\bNote: |\bHelp: /.test(line));
  const at = error.loc === undefined ? { file } : { file, line: error.loc.line, column: error.loc.column + 1 };
  const hint = note?.replace(/^.*?(?:Note|Help): /, "");
  return new ModuleError(message, at, { cause: error, hint });
}

function sentenceOf(text: string): string {
  const [first = ""] = text.split("\n");
  const message = first.replace(/^\[\w+\] /, "");
  return message.endsWith(".") ? message : `${message}.`;
}

/** The file in rolldown's code frame, if the error itself does not name one: `╭─[ lib/prices.json:3:1 ]`. */
function codeFrameFile(message: string, folder: string): string | undefined {
  const [, file] = /╭─\[ ?(.+):\d+:\d+ ?\]/.exec(message) ?? [];
  return file === undefined ? undefined : path.resolve(folder, file);
}

function byPosition({ at: a }: ModuleError, { at: b }: ModuleError): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
