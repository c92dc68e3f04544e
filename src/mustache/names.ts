import { readQuestion, subjectOf, suggestQuestion } from "./condition-forms.js";
import { type MustacheProblem, shorten } from "./scan.js";
import type { MustacheNode, MustacheTree } from "./parse.js";

/**
 * Finds names that Mustache engines treat differently, so that templates must not use them: our grammar of names on top of
 * `parse`. Allowed are dotted names, `.`, and conditions in section names (`readQuestion`); partials must have been inlined
 * before.
 *
 * @example
 * checkNames(parse("{{#each items}}{{this.name}}{{/each items}}"));
 * // [{ message: '{{#each items}}: Mustache has no "each".', offset: 0, hint: "Write {{#items}} … {{/items}}." },
 * //  { message: '{{this.name}}: Mustache has no "this".', offset: 15, hint: "Write {{name}}." }]
 *
 * Problems that `parse` reports itself, such as empty tags, are not reported again.
 */
export function checkNames(tree: MustacheTree): MustacheProblem[] {
  return problemsIn(tree.nodes);
}

/** Why some engines can't resolve a member by its name; undefined if all can. */
export function nameProblem(member: string): string | undefined {
  if (member.includes(".")) return "a dot would separate two names";
  const node = { kind: "variable", name: member, escaped: true, start: 0, end: 0 } as const;
  return NAME_RULES.find(({ fits }) => fits(member, node))?.describe(member);
}

function problemsIn(nodes: readonly MustacheNode[]): MustacheProblem[] {
  return nodes.flatMap((node) => {
    if (node.kind === "text" || node.kind === "comment") return [];
    if (node.kind === "delimiters") return [otherDelimiters(node.start)];
    return node.kind === "section" ? [...problemsWith(node), ...problemsIn(node.children)] : problemsWith(node);
  });
}

function otherDelimiters(offset: number): MustacheProblem {
  return {
    message: "A template can't change Mustache's delimiters.",
    offset,
    hint: "Remove this tag, and write all tags with {{ and }}.",
  };
}

function problemsWith(node: NamedNode): MustacheProblem[] {
  const { start: offset } = node;
  const name = (node.kind === "section" && readQuestion(node.name)?.path) || node.name;
  const condition = node.name.slice(name.length);
  const rule = name === "" ? undefined : NAME_RULES.find(({ fits }) => fits(name, node));
  if (!rule) return [];
  const write = (other: string): string => tagWith(other + condition, node);
  return [{ message: `${write(shorten(name))}: ${rule.describe(name)}.`, offset, hint: rule.hint(name, write) }];
}

function tagWith(name: string, node: NamedNode): string {
  if (node.kind === "partial") return `{{> ${name}}}`;
  if (node.kind === "section") return `{{${node.inverted ? "^" : "#"}${name}}}`;
  return node.escaped ? `{{${name}}}` : `{{{${name}}}}`;
}

type NamedNode = Extract<MustacheNode, { name: string }>;

/** A kind of name that engines disagree on or that belongs to another template language, and what to write instead. */
interface NameRule {
  readonly fits: (name: string, node: NamedNode) => boolean;
  readonly describe: (name: string) => string;
  /** `write` returns the tag with another name. */
  readonly hint: (name: string, write: (name: string) => string) => string;
}

const PART = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_-]*`;
const SOUND = new RegExp(`^(?:\\.|${PART}(?:\\.${PART})*)$`, "u");
const HELPER = /^(if|unless|each|with)\s+(\S.*?)(?:\s+as\s.*)?$/s;
/** The same without a section sigil, as in Go and Mailjet. */
const STATEMENT = /^(if|unless|each|with|range|foreach|for|elseif|elsif)\s+(\S.*)$/s;
const ENDING = /^end(?:if|for|foreach|each|range|unless|with)$/;
const ENTITY = /&?#?\w+;/g;
/** Invisible characters: format characters, and joiners that join nothing. */
const INVISIBLE = /[\p{Cf}\u034F\u115F\u3164]/gu;
/** Endings of the names that `ConditionNames` generates. */
const RESERVED = /__(?:is|has|all|item)_|__(?:first|last|items?|value|length)(?:_\d+)?$/;
const LENGTH = /\.length\b.*/s;
const LOOPS: readonly string[] = ["each", "with", "range", "foreach", "for"];
const MAILJET = /^(var|data):\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)/u;
const DEFAULT = /^\w+:[^:]+:/;
const DERIVE_DEFAULT = "Put the default into the variables' schema (variables.ts).";
const DERIVE = "Compute it in derive (variables.ts), and use the result here.";

/** The first matching rule is reported; the last matches every invalid name. */
const NAME_RULES: readonly NameRule[] = [
  {
    fits: (_, node) => node.kind === "partial",
    describe: () => "partials are not supported here",
    hint: () => "Partials such as {{> _shared/footer}} work in HTML bodies, with a file below the templates root.",
  },
  {
    fits: (name) => /^else(?:\s|$)/.test(name),
    describe: () => 'Mustache has no "else"',
    hint: () => "Close the section, and put the other case into {{^name}} … {{/name}}.",
  },
  {
    fits: (name, node) => node.kind === "section" && HELPER.test(name),
    describe: (name) => `Mustache has no "${HELPER.exec(name)?.[1]}"`,
    hint: (name, write) => {
      const [, helper = "", subject = ""] = HELPER.exec(name) ?? [];
      return insteadOf(helper, subject, isInverted(write));
    },
  },
  {
    fits: (name, node) => node.kind === "variable" && STATEMENT.test(name) && readQuestion(name) === undefined,
    describe: (name) => `Mustache has no "${STATEMENT.exec(name)?.[1]}"`,
    hint: (name) => {
      const [, helper = "", subject = ""] = STATEMENT.exec(name) ?? [];
      return insteadOf(helper, subject.replace(/^[.$#]+/, ""));
    },
  },
  {
    fits: (name, node) => node.kind === "variable" && ENDING.test(name),
    describe: (name) => `Mustache has no "${name}"`,
    hint: () => "Close a section with its own name: {{#name}} … {{/name}}.",
  },
  {
    fits: (name) => name.search(INVISIBLE) >= 0 && SOUND.test(name.replace(INVISIBLE, "")),
    describe: (name) => `this name contains an invisible character (${codeOf(INVISIBLE, name)})`,
    hint: (name, write) => `Type it again: ${write(name.replace(INVISIBLE, ""))}.`,
  },
  {
    fits: (name) => SOUND.test(bare(name)) && name.search(ENTITY) >= 0,
    describe: (name) => `${name.match(ENTITY)?.[0]} is HTML, not part of a name`,
    hint: (name, write) => `Write ${write(bare(name))}.`,
  },
  {
    fits: (name) => /^~|~$/.test(name),
    describe: () => 'Mustache has no "~" to trim whitespace around a tag',
    hint: (name, write) => `Write ${write(name.replace(/^~\s*|\s*~$/g, ""))}.`,
  },
  {
    fits: (name) => MAILJET.test(name),
    describe: (name) => `"${MAILJET.exec(name)?.[1]}:" belongs to Mailjet's template language`,
    hint: (name, write) =>
      `Write ${write(MAILJET.exec(name)?.[2] ?? "")}.${DEFAULT.test(name) ? ` ${DERIVE_DEFAULT}` : ""}`,
  },
  {
    fits: (name, node) => node.kind === "variable" && readQuestion(name) !== undefined,
    describe: () => "only a section can test a condition",
    hint: (name) => `Write ${section(name)}.`,
  },
  {
    fits: (name, node) => name === "." && readQuestion(node.name) !== undefined,
    describe: () => "a section can't test a condition on the item itself",
    hint: () => "Make it a list of objects, and test one of their members.",
  },
  {
    fits: (name) => /^this(?:[./\s]|$)/.test(name),
    describe: () => 'Mustache has no "this"',
    hint: (name, write) => `Write ${write(name.replace(/^this[./]?/, "") || ".")}.`,
  },
  {
    fits: (name) => name.startsWith("../"),
    describe: () => 'Mustache has no "../"',
    hint: (name, write) =>
      `Write ${write(name.replace(/^(?:\.\.\/)+/, ""))}: a name that the item doesn't have is looked up outside the section.`,
  },
  {
    fits: (name) => name.startsWith("@"),
    describe: () => 'Mustache has no variables that begin with "@"',
    hint: () => "Give each item what it needs in derive (variables.ts): its number, or whether it is the last.",
  },
  {
    fits: (name, node) => node.kind === "section" && suggestQuestion(name) !== undefined,
    describe: (name) => (LENGTH.test(name) ? 'engines disagree on "length"' : "this is not a valid condition"),
    hint: (name, write) => `Write ${meantSection(name, isInverted(write)) ?? ""}.`,
  },
  {
    fits: (name) => /[<>=!?()+*/%,:;&]|\|\|/.test(name),
    describe: () => "Mustache has no expressions and no calls",
    hint: () => DERIVE,
  },
  {
    fits: (name) => name.includes("|"),
    describe: () => "Mustache has no filters",
    hint: () => DERIVE,
  },
  {
    fits: (name) => /[[\]]|(?:^|\.)\d/.test(name),
    describe: () => "not every engine supports list items by number",
    hint: () => "Use a section over the list, or give the item a name of its own in derive (variables.ts).",
  },
  {
    fits: (name) => /^[\w.-]+\s.*["'`“”‘’]/s.test(name),
    describe: () => "Mustache has no expressions and no calls",
    hint: () => DERIVE,
  },
  {
    fits: (name) => /["'`“”‘’]/.test(name),
    describe: () => "a name can't contain quotation marks",
    hint: () => "To print fixed text, write it without a tag.",
  },
  {
    fits: (name) => /\s/.test(name),
    describe: () => "a name can't contain spaces",
    hint: () => "Print one variable with each tag; format values in derive (variables.ts).",
  },
  {
    fits: (name) => name !== "." && /^\.|\.$|\.\./.test(name),
    describe: () => "a dot must be between two names, or alone for the item itself",
    hint: (name, write) => `Write ${write(name.split(".").filter(Boolean).join(".") || ".")}.`,
  },
  {
    fits: (name) => name.split(".").includes("length"),
    describe: () => 'engines disagree on "length"',
    hint: (name) =>
      `To test whether a list has items, write ${section(`${name.replace(LENGTH, "")} has-items`)}; to print how many, count them in derive (variables.ts).`,
  },
  {
    fits: (name) => RESERVED.test(name),
    describe: () => "such names with two underscores are reserved for compiled conditions",
    hint: () => 'Write the condition itself, as in {{#status equals "paid"}} … {{/status}}, or choose another name.',
  },
  {
    fits: (name) => inherited(name) !== undefined,
    describe: (name) => `some engines find "${inherited(name)}" on every object`,
    hint: () => "Choose another name for this variable.",
  },
  {
    fits: (name) => !SOUND.test(name),
    describe: () => "a name consists of letters, digits, _ and -, and begins with a letter or _; dots separate names",
    hint: () => "Choose another name, or remove leftovers of another template language.",
  },
];

/** A whole section with this name in its tags. */
function section(name: string, inverted = false): string {
  return `{{${inverted ? "^" : "#"}${name}}} … {{/${subjectOf(name)}}}`;
}

function meantSection(written: string, inverted = false): string | undefined {
  const meant = suggestQuestion(written);
  return meant && SOUND.test(subjectOf(meant.name)) ? section(meant.name, meant.negated !== inverted) : undefined;
}

function isInverted(write: (name: string) => string): boolean {
  return write("").startsWith("{{^");
}

/** Without HTML entities that an editor has put around or into the name. */
function bare(name: string): string {
  return name.replace(ENTITY, "").trim();
}

function codeOf(character: RegExp, name: string): string {
  const codePoint = name.match(character)?.[0]?.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The replacement for `{{#if …}}` and similar helpers, or for `{{^if …}}` if the section is inverted. */
function insteadOf(helper: string, written: string, isInverse = false): string {
  const subject = written.replace(/^this[./](?=.)/, "");
  const inverted = (helper === "unless") !== isInverse;
  const question = meantSection(subject, inverted);
  if (question !== undefined) return `Write ${question}.`;
  if (!SOUND.test(subject)) return DERIVE;
  if (LOOPS.includes(helper) && !isInverse) return `Write ${section(subject)}.`;
  return `Write ${section(subject, inverted)}, or ${section(`${subject} has-items`, inverted)} if it is a list.`;
}

function inherited(name: string): string | undefined {
  return name.split(".").find((part) => part in Object.prototype);
}
