import path from "node:path";
import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../project/template.js";
import { deduplicate } from "./check-templates.js";
import { applySeverities, isOff, unknownRule, type SeverityConfig } from "./severities.js";
import { currentRule, formerRule } from "./catalogue.js";
import { nearest } from "../text/nearest.js";
import { positionsIn, offsetAt, type Position } from "../text/position.js";
import { readTag } from "./document/written-tag.js";

interface SettleOptions {
  /** The templates that were checked. */
  readonly results: readonly CompileResult[];
  /** Diagnostics of loading. */
  readonly loading: readonly Diagnostic[];
  readonly config: SeverityConfig;
  /** The ids of all rules. */
  readonly known: readonly string[];
  /** The text of a source with normalised line endings; undefined if it can't be read. */
  readonly read: (file: string) => string | undefined;
  /** Rules that were not run, or not everywhere. */
  readonly notRun?: ReadonlySet<string>;
  /** Only some of the project's templates were checked. */
  readonly isPartial?: boolean;
  /** The only rules to report. What keeps a template from compiling is reported anyway. */
  readonly only?: ReadonlySet<string>;
}

/** Applies silencing comments and the configuration's levels to all diagnostics. */
export function settle(found: readonly Diagnostic[], options: SettleOptions): Diagnostic[] {
  const { results, loading, config, known, read, only } = options;
  const binding = new Set(
    [...loading, ...results.flatMap(({ compiled, diagnostics }) => (compiled ? [] : diagnostics))].filter(
      ({ severity }) => severity === "error",
    ),
  );
  const wanted = only ? found.filter((each) => only.has(each.rule) || binding.has(each)) : found;
  const silences = filesWithComments(results, found).flatMap((file): Silence[] => {
    const text = read(file);
    return text === undefined ? [] : readSilences(file, text);
  });
  const settled = applySilences(wanted, { silences, binding, known, isDecidable: createIsDecidable(found, options) });
  const reported =
    only && !only.has("unused-silence") ? settled.filter(({ rule }) => rule !== "unused-silence") : settled;
  return applySeverities(deduplicate(reported.map((each) => withTemplate(each, results))), config, binding);
}

/** The files that may contain silencing comments. */
function filesWithComments(results: readonly CompileResult[], found: readonly Diagnostic[]): string[] {
  const own = results.flatMap(({ template: { body, text }, compiled }) => [
    body.file,
    ...(text ? [text.file] : []),
    ...(compiled?.sources ?? []),
  ]);
  const files = new Set([...own, ...found.flatMap(({ at }) => at?.file ?? [])]);
  return [...files].filter((file) => commentsIn(file) && !IN_PACKAGE.test(file)).toSorted();
}

const IN_PACKAGE = /[\\/]node_modules[\\/]/;

/** Decides whether a comment is certainly unused: every check it could silence has run. */
function createIsDecidable(found: readonly Diagnostic[], { results, config, notRun, isPartial, only }: SettleOptions) {
  const hasFailed = found.some(({ rule }) => rule === "rule-failed");
  const areAllCompiled = results.every(({ compiled }) => compiled);
  return (file: string, rule: string): boolean => {
    if (hasFailed || isOff(rule, config) || notRun?.has(rule) || (only && !only.has(rule))) return false;
    const owner = results.find(({ template }) => belongsTo(file, template));
    return owner ? owner.compiled !== undefined : areAllCompiled && !isPartial;
  };
}

/** Whether a file belongs to one template only. */
function belongsTo(file: string, { body, folder, root }: Template): boolean {
  return file === body.file || (folder !== root && file.startsWith(`${folder}${path.sep}`));
}

/** Adds the template to findings about comments in its own files. */
function withTemplate(diagnostic: Diagnostic, results: readonly CompileResult[]): Diagnostic {
  if (diagnostic.rule !== "unused-silence") return diagnostic;
  const owner = results.find(({ template }) => belongsTo(diagnostic.at?.file ?? "", template));
  return owner ? { ...diagnostic, template: owner.name } : diagnostic;
}

interface SilencingOptions {
  readonly silences: readonly Silence[];
  /** Errors that keep a template from compiling, which can't be silenced. */
  readonly binding: ReadonlySet<Diagnostic>;
  /** The ids of all rules. */
  readonly known: readonly string[];
  /** Whether everything was checked that a comment in this file could silence for this rule. */
  readonly isDecidable: (file: string, rule: string) => boolean;
}

/** Drops what comments silence, and adds a finding for each comment that silences nothing. */
export function applySilences(diagnostics: readonly Diagnostic[], options: SilencingOptions): Diagnostic[] {
  const { silences, binding } = options;
  const used = new Set<Silence>();
  const refused = new Set<Silence>();
  const kept = diagnostics.filter((diagnostic) => {
    const reaching = silences.filter((each) => reaches(each, diagnostic));
    const isBinding = binding.has(diagnostic);
    for (const each of reaching) (isBinding ? refused : used).add(each);
    return isBinding || reaching.length === 0;
  });
  const unused = silences.flatMap((silence): Diagnostic[] => {
    const former = formerRule(silence.rule);
    const note = former ?? (used.has(silence) ? undefined : whyUnused(silence, refused.has(silence), options));
    if (!note) return [];
    const at = { file: silence.file, ...silence.at };
    return [{ rule: "unused-silence", severity: former ? "info" : "warning", at, ...note }];
  });
  return [...kept, ...unused];
}

function reaches({ file, rule, from, to, isFirst }: Silence, { rule: found, at }: Diagnostic): boolean {
  if (currentRule(rule) !== found || file !== at?.file) return false;
  return at.line === undefined ? isFirst : from <= at.line && at.line <= to;
}

function whyUnused(
  { file, rule, problem }: Silence,
  isRefused: boolean,
  { known, isDecidable }: SilencingOptions,
): Pick<Diagnostic, "message" | "hint"> | undefined {
  if (problem !== undefined) return { message: problem, hint: "Write: lettershop-ignore RULE-ID: reason." };
  if (!known.includes(rule)) {
    const message = `This comment names "${rule}": ${unknownRule(rule, known)}`.replace(/(?<!\?)$/, ".");
    const hint = "Write a colon before the reason: lettershop-ignore RULE-ID: reason.";
    return /\s/.test(rule) ? { message, hint } : { message };
  }
  if (isRefused)
    return {
      message: `A comment can't silence ${rule} here, because nothing else can be checked until it is fixed.`,
      hint: "Fix it, and remove the comment.",
    };
  if (!isDecidable(file, rule)) return undefined;
  return {
    message: `This comment silences ${rule}, but there is nothing to silence.`,
    hint: `Remove it, or move it directly above the line it is for.`,
  };
}

/** A silencing comment; one entry for each rule that it names. */
interface Silence {
  readonly file: string;
  /** Where the comment begins. */
  readonly at: Position;
  /** As written; empty where `problem` is given. */
  readonly rule: string;
  /** What is wrong with the comment itself, so that it silences nothing. */
  readonly problem?: string;
  /** The lines that it applies to. */
  readonly from: number;
  readonly to: number;
  /** Whether the file begins with it, so that it also applies to findings about the whole file. */
  readonly isFirst: boolean;
}

const WORD = String.raw`\s*lettershop-ignore(?![\w-])`;
const IN_MARKUP = new RegExp(
  [`<!--${WORD}([^]*?)-->`, `\\{\\{!(?:--)?${WORD}([^]*?)(?:--)?\\}\\}`, `/\\*${WORD}([^]*?)\\*/`].join("|"),
  "g",
);
const IN_SCRIPT = new RegExp(
  [`\\{\\s*/\\*${WORD}([^]*?)\\*/\\s*\\}`, `/\\*${WORD}([^]*?)\\*/`, `//${WORD}(.*)`].join("|"),
  "g",
);

/** Matches silencing comments in a file; undefined for files without comments, such as JSON and images. */
function commentsIn(file: string): RegExp | undefined {
  if (/\.(?:html?|mjml|txt|svg)$/i.test(file)) return IN_MARKUP;
  return /\.(?:[cm]?[jt]sx?|css)$/i.test(file) ? IN_SCRIPT : undefined;
}

/**
 * Reads the silencing comments of a source. A comment on its own line applies to the next line that is neither empty nor
 * such a comment, and if an element begins there, to all lines of its opening tag. Any other comment applies to its own
 * line.
 */
export function readSilences(file: string, text: string): Silence[] {
  const comments = commentsIn(file);
  if (!comments) return [];
  const positionOf = positionsIn(text);
  const blank = text.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, " "));
  const lines = blank.split("\n");
  const isEmpty = (line: number): boolean => (lines[line - 1] ?? "").trim() === "";
  const silences = Array.from(text.matchAll(comments)).flatMap(({ index, 0: comment, ...groups }): Silence[] => {
    const at = positionOf(index);
    const last = positionOf(index + comment.length).line;
    const own = [at.line, last].find((line) => !isEmpty(line));
    let next = last + 1;
    while (next <= lines.length && isEmpty(next)) next += 1;
    const common = {
      file,
      at,
      from: own ?? next,
      to: own ?? lastLineOfTag(text, next),
      isFirst: blank.slice(0, index).trim() === "",
    };
    const rules = namesIn(groups[1] ?? groups[2] ?? groups[3] ?? "");
    if (rules.length === 0) return [{ ...common, rule: "", problem: "This comment names no rule." }];
    return rules.map((rule) => ({ ...common, rule }));
  });
  const misspelt = Array.from(text.matchAll(FIRST_WORDS)).flatMap(
    ({ index, 1: word = "", 2: rest = "" }): Silence[] => {
      if (word + rest === "lettershop-ignore" || nearest(word, MEANT, 2) === undefined) return [];
      const at = positionOf(index);
      const problem = `This comment says "${word + rest}", which silences nothing.`;
      return [{ file, at, rule: "", problem, from: at.line, to: at.line, isFirst: false }];
    },
  );
  return [...silences, ...misspelt];
}

/** The first word of a comment. `//` in a URL does not begin one. */
const FIRST_WORDS =
  /(?:<!--|\{\{!(?:--)?|\/\*|(?<!:)\/\/)[ \t]*([A-Za-z]+(?:[-_][A-Za-z]+| (?:ignore|disable|silence|skip|off)\b)?)([\w-]*)/g;

/** What a misspelt comment may stand for, including terms of other tools. */
const MEANT = ["lettershop-ignore", "lettershop-disable", "lettershop-silence", "lettershop-skip", "lettershop-off"];

/** `a, b: reason` */
function namesIn(comment: string): string[] {
  const [names = ""] = comment.split(":");
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The `<` of an opening tag in markup or JSX, but not of type arguments, as in `Array<string>`. */
const OPENING = /(?<![\w)\]])<(?=[a-z])/gi;

/** The last line of the opening tags that begin on a line: the line itself unless a tag continues on the next. */
export function lastLineOfTag(text: string, line: number): number {
  const start = offsetAt(text, { line, column: 1 }) ?? text.length;
  const [written = ""] = text.slice(start).split("\n", 1);
  let end = start;
  for (const { index } of written.matchAll(OPENING))
    if (start + index >= end) end = readTag(text, start + index)?.end ?? end;
  return line + text.slice(start + written.length, end).split("\n").length - 1;
}
