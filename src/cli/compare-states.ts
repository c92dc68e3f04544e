import type { Diagnostic } from "../diagnostic.js";

/** Findings of one state of the project, and what is needed to tell them from those of another. */
export interface State {
  readonly diagnostics: readonly Diagnostic[];
  /** A file as it is called in both states: relative, and where it was renamed since by its new name. */
  readonly nameOf: (file: string) => string;
  /** The text of a line; undefined where there is none. */
  readonly lineOf: (file: string, line: number) => string | undefined;
}

/** What two states do not have in common. */
export interface Comparison {
  /** Findings that only the later one has. */
  readonly added: readonly Diagnostic[];
  /** Findings that only the earlier one has. */
  readonly gone: readonly Diagnostic[];
}

/**
 * The findings that differ between two states. One is the same as before where its rule, file and template are, and what it
 * says or the line that it is about: lines may have moved. There have to be as many of the same as there are now.
 *
 * @example
 * const { added } = compareStates({ diagnostics, nameOf, lineOf }, before);
 */
export function compareStates(now: State, before: State): Comparison {
  const earlier = before.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, before) }));
  let left = now.diagnostics.map((diagnostic) => ({ diagnostic, traits: describe(diagnostic, now) }));
  // The surest matches first: a second one of the same kind on another line is then the one that is new.
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
