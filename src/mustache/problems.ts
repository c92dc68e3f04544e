import { nearest } from "../text/nearest.js";
import type { MustacheProblem, Span } from "./tree.js";

/** The part of a tag that a message about it needs. */
interface Named extends Span {
  readonly name: string;
}

const EXCERPT_LENGTH = 40;
/** Comparing takes time proportional to the product of both lengths, and names in hostile templates can have any length. */
const LONGEST_COMPARED = 250;

/** A tag's source for a message, shortened. */
function excerpt(text: string, { start, end }: Span): string {
  return shorten(text.slice(start, end));
}

/** A string for a message: on one line, and cut if it is long. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line;
}

export function emptyTag(text: string, tag: Span): MustacheProblem {
  return {
    message: `The tag ${excerpt(text, tag)} is empty.`,
    offset: tag.start,
    hint: "Write the name of a variable into it.",
  };
}

export function unclosedTag(
  text: string,
  start: number,
  { open, closing }: { open: string; closing: string },
): MustacheProblem {
  const shown = text.slice(start, start + 4 * EXCERPT_LENGTH);
  const ends = [shown.indexOf(open, open.length), shown.indexOf("\n"), shown.length].filter((end) => end >= 0);
  return {
    message: `The tag ${shorten(shown.slice(0, Math.min(...ends)))} is never closed.`,
    offset: start,
    hint: `Close it with ${closing}.`,
  };
}

export function badDelimiters(text: string, tag: Span): MustacheProblem {
  return {
    message: `${excerpt(text, tag)} does not set delimiters.`,
    offset: tag.start,
    hint: "Write two delimiters, separated by a space and without an equals sign: {{=<% %>=}}.",
  };
}

export function unclosedSection(text: string, opening: Named): MustacheProblem {
  return {
    message: `The section ${excerpt(text, opening)} is never closed.`,
    offset: opening.start,
    hint: `Add {{/${opening.name}}} where it ends.`,
  };
}

export function crossedSection(text: string, inner: Named, closing: Named): MustacheProblem {
  return {
    message: `The section ${excerpt(text, inner)} is still open where ${excerpt(text, closing)} closes the one around it.`,
    offset: inner.start,
    hint: `Put {{/${inner.name}}} before ${excerpt(text, closing)}.`,
  };
}

/** Whether a closing tag without an open section is most likely a typo of this one. */
export function isMisspelt(closing: Named, opening: Named): boolean {
  if (isHelper(closing, opening)) return true;
  return closing.name.length <= LONGEST_COMPARED && nearest(closing.name, [opening.name]) !== undefined;
}

/** Handlebars' `{{#if user}} … {{/if}}`. */
function isHelper(closing: Named, opening: Named): boolean {
  return /^\s/.test(opening.name.slice(closing.name.length)) && opening.name.startsWith(closing.name);
}

export function mismatchedClose(text: string, opening: Named, closing: Named): MustacheProblem {
  const hint = isHelper(closing, opening)
    ? `Mustache has no "${closing.name}": both tags contain the same variable name.`
    : `Write {{/${opening.name}}}.`;
  return {
    message: `${excerpt(text, closing)} does not close ${excerpt(text, opening)}.`,
    offset: closing.start,
    hint,
  };
}

export function unopenedSection(text: string, closing: Named): MustacheProblem {
  return {
    message: `${excerpt(text, closing)} closes a section that is not open here.`,
    offset: closing.start,
    hint: `Remove it, or add {{#${closing.name}}} where the section begins.`,
  };
}
