import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fix } from "../check/fix.js";
import type { Project } from "../config/load.js";
import { type Diagnostic, isFixable } from "../diagnostic.js";

/**
 * Applies automatic fixes to the project's files. Each file is replaced atomically.
 *
 * @param unsafe Whether to also apply fixes that can change what recipients see.
 * @returns The fixed findings.
 */
export function writeFixes(
  diagnostics: readonly Diagnostic[],
  project: Project,
  { unsafe }: { readonly unsafe: boolean },
): readonly Diagnostic[] {
  const fixable = diagnostics.filter((each) => isFixable(each, { unsafe }));
  const { texts, fixed } = fix(fixable, (file) => (isOwn(file, project) ? readExactly(file) : undefined));
  for (const [file, text] of texts) replaceFile(realpathSync(file), text);
  return fixed;
}

function isOwn(file: string, { folder, roots }: Project): boolean {
  return [folder, ...roots].some((each) => {
    const parts = path.relative(each, file).split(path.sep);
    return parts[0] !== ".." && !path.isAbsolute(parts[0] ?? "") && !parts.includes("node_modules");
  });
}

/** Reads a file; undefined if it is not UTF-8, because writing it would change it. */
function readExactly(file: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch {
    return undefined;
  }
}

function replaceFile(file: string, text: string): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}`);
  try {
    writeFileSync(temporary, text, { mode: statSync(file).mode });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
