import { TEMPLATE_NAME } from "../api/limits.js";
import type { Diagnostic } from "../diagnostic.js";
import { nearest } from "../text/nearest.js";
import { jsonPosition, parseJson } from "./json.js";
import type { Metadata, SourceFile } from "./template.js";

interface Member {
  /** Completes "expected …" in messages. */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

const text: Member = { expected: "a string", fits: (value) => typeof value === "string" };

/*
 * Checked by hand: importing a schema library would take longer than everything else that a command does when nothing
 * has changed.
 */
const members: Readonly<Record<keyof Metadata | "$schema", Member>> = {
  /** For editors. */
  $schema: text,
  subject: text,
  description: text,
  renamedFrom: matching(TEMPLATE_NAME, "a template's name"),
  locale: { expected: "a language tag such as en-US", fits: (value) => typeof value === "string" && isLocale(value) },
  direction: oneOf("ltr", "rtl"),
  priority: oneOf("high", "normal"),
  expiresAfter: matching(/^[1-9]\d*[smhd]$/, "a duration such as 90s, 10m, 2h or 1d"),
  onUnknown: oneOf("park", "resend"),
  verbatim: { expected: "true or false", fits: (value) => typeof value === "boolean" },
};

/** Reads `template.json`. `metadata` is empty if there are diagnostics. */
export function readMetadata(source: SourceFile): { metadata: Metadata; diagnostics: Diagnostic[] } {
  const { value, problem } = parseJson(source);
  if (problem !== undefined) {
    return { metadata: {}, diagnostics: [{ rule: "metadata-json", severity: "error", ...problem }] };
  }
  if (!isObject(value)) return { metadata: {}, diagnostics: [invalidValue(source, [], "an object", value)] };
  const diagnostics = Object.entries(value).flatMap(([key, each]) => {
    if (!isMember(key)) return [unknownKey(key, source)];
    const { expected, fits } = members[key];
    return fits(each) ? [] : [invalidValue(source, [key], expected, each)];
  });
  if (diagnostics.length > 0) return { metadata: {}, diagnostics };
  const { $schema: _, ...metadata } = value;
  return { metadata, diagnostics };
}

function invalidValue(source: SourceFile, path: readonly string[], expected: string, value: unknown): Diagnostic {
  const message = `${path[0] ?? "template.json"}: expected ${expected}, found ${JSON.stringify(value)}.`;
  return { rule: "metadata-value", severity: "error", message, at: jsonPosition(source, path) };
}

function unknownKey(key: string, source: SourceFile): Diagnostic {
  const known = Object.keys(members).filter((each) => each !== "$schema");
  const near = nearest(key, known);
  return {
    rule: "metadata-unknown-key",
    severity: "error",
    message: `template.json has an unknown key "${key}".`,
    at: jsonPosition(source, [key], "name"),
    hint: near === undefined ? `Use one of: ${known.join(", ")}.` : `Did you mean ${near}?`,
  };
}

function matching(pattern: RegExp, expected: string): Member {
  return { expected, fits: (value) => typeof value === "string" && pattern.test(value) };
}

function oneOf(...values: readonly string[]): Member {
  const expected = values.map((value) => `"${value}"`).join(" or ");
  return { expected, fits: (value) => typeof value === "string" && values.includes(value) };
}

/** The standard allows languages of four to eight letters, but none is registered: `english` is not a language tag. */
function isLocale(tag: string): boolean {
  if (/^[a-z]{4,}/i.test(tag)) return false;
  try {
    Intl.getCanonicalLocales(tag);
    return true;
  } catch {
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMember(key: string): key is keyof typeof members {
  return Object.hasOwn(members, key);
}
