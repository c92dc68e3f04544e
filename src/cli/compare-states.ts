import type { Diagnostic } from "../diagnostic.js";

/** The diagnostics of one state of the project, and what is needed to match them with another state's. */
export interface State {
  readonly diagnostics: readonly Diagnostic[];
  /** A file's name in both states: a relative path, the new one if the file was renamed. */
  readonly nameOf: (file: string) => string;
  /** The text of a line; undefined if there is no such line. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

/** The diagnostics that two states do not have in common. */
export interface Comparison {
  /** Only in the later state. */
  readonly added: readonly Diagnostic[];
  /** Only in the earlier state. */
  readonly gone: readonly Diagnostic[];
}

/**
 * Compares the diagnostics of two states. Two diagnostics are the same if they have the same rule, file and template, and the
 * same message or reported line; the line number may differ. Each earlier diagnostic matches at most one later one.
 *
 * @example
 * const { added } = compareStates({ diagnostics, nameOf, lineOf }, before);
 */
export function compareStates(now: State, before: State): Comparison {
  const earlier = before.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, before) }));
  let left = now.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, now) }));
  // Exact matches first, so that a second diagnostic of the same kind on another line counts as the new one.
  for (const isSame of [isSameAll, isSameLine, isSameMessage]) {
    left = left.filter(({ traits }) => {
      const index = earlier.findIndex((each) => isSame(traits, each.traits));
      if (index >= 0) earlier.splice(index, 1);
      return index < 0;
    });
  }
  const [added, gone] = [left, earlier].map((each) => each.map(({ diagnostic }) => diagnostic));
  return { added: added ?? [], gone: gone ?? [] };
}

interface Traits {
  readonly subject: string;
  readonly message: string;
  readonly line: string | undefined;
}

function describe({ rule, template, at, message }: Diagnostic, { nameOf, lineOf }: State): Traits {
  const line = at?.line === undefined ? undefined : lineOf(at.file, at.line)?.trim();
  return { subject: JSON.stringify([rule, at ? nameOf(at.file) : null, template ?? null]), message, line };
}

function isSameAll(a: Traits, b: Traits): boolean {
  return isSameLine(a, b) && a.message === b.message;
}

function isSameLine(a: Traits, b: Traits): boolean {
  return a.subject === b.subject && a.line === b.line;
}

function isSameMessage(a: Traits, b: Traits): boolean {
  return a.subject === b.subject && a.message === b.message;
}
