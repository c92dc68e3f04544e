import type { Diagnostic } from "../../../diagnostic.js";
import type { Dependencies } from "../../../render/dependencies.js";
import type { CompiledTemplate, CompileResult, FilledFixture, UnusableTemplate } from "../../../project/template.js";
import type { BrokenFixture } from "./fixtures.js";
import { fill } from "../../../mustache/fill.js";
import { Parser } from "htmlparser2";
import { padding, seenWords } from "../../filler.js";

/** The state of one template. */
export interface Entry {
  readonly name: string;
  /** The template as it was last loaded. */
  readonly template: UnusableTemplate;
  readonly revision: number;
  /** The result of the newest sources. Undefined until they were compiled for the first time. */
  readonly result?: CompileResult;
  /** The last version that compiled. */
  readonly shown?: ShownBuild;
  readonly made?: Dependencies;
  /** Why the newest sources could not be compiled, if they could not even be loaded. */
  readonly unloadable?: readonly Diagnostic[];
  /** Set while compiling the newest sources takes longer than a moment. */
  readonly isCompiling?: true;
  /** Fixtures that cannot be read or that the schema rejects. Everything else is shown without them. */
  readonly brokenFixtures?: readonly BrokenFixture[] | undefined;
  /** The findings of checking this revision. */
  readonly findings?: readonly Diagnostic[];
}

export interface ShownBuild {
  readonly result: CompileResult & { readonly compiled: CompiledTemplate };
  readonly outline: Outline;
}

/**
 * Why the newest sources are not shown. Errors come before other findings, and findings in the template's own body
 * before those in other files, which may follow from them.
 */
export function failureOf({ result, unloadable, template }: Entry): readonly Diagnostic[] | undefined {
  const failure = unloadable ?? (result && !result.compiled ? result.diagnostics : undefined);
  const rank = ({ severity, at }: Diagnostic): number =>
    (severity === "error" ? 0 : 2) + (at?.file === template.body?.file ? 0 : 1);
  return failure?.toSorted((a, b) => rank(a) - rank(b));
}

/** All findings about the newest sources. */
export function diagnosticsOf(entry: Entry): readonly Diagnostic[] {
  const all = entry.findings ?? failureOf(entry) ?? entry.result?.diagnostics ?? [];
  const broken = (entry.brokenFixtures ?? []).flatMap(({ diagnostics }) => diagnostics);
  // Other findings in these files are consequences.
  const files = new Set(broken.map(({ at }) => at?.file));
  return [...broken, ...all.filter(({ at }) => at === undefined || !files.has(at.file))];
}

/** In the order in which the page offers them: the fixture named `default` comes first. */
export function fixturesOf<Fixture extends FilledFixture>({
  fixtures,
}: {
  readonly fixtures: readonly Fixture[];
}): readonly Fixture[] {
  const first = fixtures.find(({ name }) => name === "default");
  return first ? [first, ...fixtures.filter((fixture) => fixture !== first)] : fixtures;
}

/** A message as a list of emails would show it, and its text. */
interface Outline {
  readonly subject: string;
  readonly preheader: string;
  readonly content: string;
}

/** Filled with the first of the fixtures that are shown. Without one, tags are empty. */
export function outlineOf(compiled: CompiledTemplate, [first]: readonly FilledFixture[]): Outline {
  try {
    const { subject, html, text } = fill(compiled, first?.variables ?? {});
    return { subject, preheader: preview(html), content: text };
  } catch {
    // If filling fails, the reason is shown with the email.
    return { subject: compiled.subject, preheader: "", content: compiled.text_body };
  }
}

/** Maximum length that the widest list of emails shows. */
const LONGEST = 200;

/** Elements whose content is never shown as text. */
const WORDLESS: ReadonlySet<string> = new Set(["head", "style", "script", "title", "template", "textarea"]);

/**
 * The text that an inbox shows after the subject: the beginning of a filled body, including hidden text, up to any
 * padding.
 */
export function preview(html: string): string {
  let words = "";
  const wordless: string[] = [];
  const parser = new Parser({
    onopentagname(name) {
      if (WORDLESS.has(name)) wordless.push(name);
    },
    onclosetag(name) {
      if (wordless.at(-1) === name) wordless.pop();
      if (BLOCKS.has(name)) words += " ";
    },
    ontext(text) {
      if (wordless.length === 0) words += text;
    },
  });
  // Parsed in parts, because the first words are near the beginning.
  for (let from = 0; from < html.length && !isEnough(words); from += PART) parser.write(html.slice(from, from + PART));
  if (!isEnough(words)) parser.end();
  return shownWords(words).slice(0, LONGEST);
}

const PART = 4000;
const BLOCKS: ReadonlySet<string> = new Set("div p td th tr table h1 h2 h3 h4 h5 h6 li br section center".split(" "));

function isEnough(words: string): boolean {
  return padding.test(words.trimStart()) || shownWords(words).length > LONGEST;
}

function shownWords(words: string): string {
  const [before = ""] = words.trimStart().split(padding);
  return seenWords(before);
}
