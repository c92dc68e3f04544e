import { readQuestion, subjectOf } from "./condition-forms.js";
import { meantQuestion } from "./meant-question.js";
import type { MustacheNode } from "./tree.js";

export type NamedNode = Extract<MustacheNode, { name: string }>;

/** A kind of name that engines disagree on or that belongs to another template language, and what to write instead. */
export interface NameRule {
  readonly fits: (name: string, node: NamedNode) => boolean;
  readonly says: (name: string) => string;
  /** `write` gives the tag with another name in it. */
  readonly hint: (name: string, write: (name: string) => string) => string;
}

const PART = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_-]*`;
const SOUND = new RegExp(`^(?:\\.|${PART}(?:\\.${PART})*)$`, "u");
const HELPER = /^(if|unless|each|with)\s+(\S.*?)(?:\s+as\s.*)?$/s;
/** The same without a sign that a section begins, as Go and Mailjet write it. */
const STATEMENT = /^(if|unless|each|with|range|foreach|for|elseif|elsif)\s+(\S.*)$/s;
const ENDING = /^end(?:if|for|foreach|each|range|unless|with)$/;
const ENTITY = /&?#?\w+;/g;
/** What a person can't see: format characters, and joiners where they join nothing. */
const INVISIBLE = /[\p{Cf}\u034F\u115F\u3164]/gu;
/** What `ConditionNames` ends its names with. */
const RESERVED = /__(?:is|has|all|item)_|__(?:first|last|items?|value|length)(?:_\d+)?$/;
const LENGTH = /\.length\b.*/s;
const LOOPS: readonly string[] = ["each", "with", "range", "foreach", "for"];
const MAILJET = /^(var|data):\s*([\p{L}_][\p{L}\p{M}\p{N}_.-]*)/u;
const DEFAULT = /^\w+:[^:]+:/;
const DERIVE_DEFAULT = "A default belongs into the variables' schema (variables.ts).";
const DERIVE = "Compute it in derive (variables.ts), and use the result here.";

/** The first rule that fits a name is the one to report; the last fits whatever is not a sound name. */
export const NAME_RULES: readonly NameRule[] = [
  {
    fits: (_, node) => node.kind === "partial",
    says: () => "no partial can be taken in here",
    hint: () => "Partials such as {{> _shared/footer}} work in HTML bodies, with a file below the templates root.",
  },
  {
    fits: (name) => /^else(?:\s|$)/.test(name),
    says: () => 'Mustache has no "else"',
    hint: () => "Close the section, and put the other case into {{^name}} … {{/name}}.",
  },
  {
    fits: (name, node) => node.kind === "section" && HELPER.test(name),
    says: (name) => `Mustache has no "${HELPER.exec(name)?.[1]}"`,
    hint: (name, write) => {
      const [, helper = "", subject = ""] = HELPER.exec(name) ?? [];
      return insteadOf(helper, subject, isInverted(write));
    },
  },
  {
    fits: (name, node) => node.kind === "variable" && STATEMENT.test(name) && readQuestion(name) === undefined,
    says: (name) => `Mustache has no "${STATEMENT.exec(name)?.[1]}"`,
    hint: (name) => {
      const [, helper = "", subject = ""] = STATEMENT.exec(name) ?? [];
      return insteadOf(helper, subject.replace(/^[.$#]+/, ""));
    },
  },
  {
    fits: (name, node) => node.kind === "variable" && ENDING.test(name),
    says: (name) => `Mustache has no "${name}"`,
    hint: () => "Close a section with its own name: {{#name}} … {{/name}}.",
  },
  {
    fits: (name) => name.search(INVISIBLE) >= 0 && SOUND.test(name.replace(INVISIBLE, "")),
    says: (name) => `there is an invisible character (${codeOf(INVISIBLE, name)}) in this name`,
    hint: (name, write) => `Type it again: ${write(name.replace(INVISIBLE, ""))}.`,
  },
  {
    fits: (name) => SOUND.test(bare(name)) && name.search(ENTITY) >= 0,
    says: (name) => `${name.match(ENTITY)?.[0]} is html, and part of this name`,
    hint: (name, write) => `Write ${write(bare(name))}.`,
  },
  {
    fits: (name) => /^~|~$/.test(name),
    says: () => 'Mustache has no "~", and takes away no white space around a tag',
    hint: (name, write) => `Write ${write(name.replace(/^~\s*|\s*~$/g, ""))}.`,
  },
  {
    fits: (name) => MAILJET.test(name),
    says: (name) => `"${MAILJET.exec(name)?.[1]}:" belongs to Mailjet's template language`,
    hint: (name, write) =>
      `Write ${write(MAILJET.exec(name)?.[2] ?? "")}.${DEFAULT.test(name) ? ` ${DERIVE_DEFAULT}` : ""}`,
  },
  {
    fits: (name, node) => node.kind === "variable" && readQuestion(name) !== undefined,
    says: () => "only a section can ask something, and this prints",
    hint: (name) => `Write ${section(name)}.`,
  },
  {
    fits: (name, node) => name === "." && readQuestion(node.name) !== undefined,
    says: () => "a section can ask something of a name, not of the item itself",
    hint: () => "Make it a list of objects, and ask about one of their members.",
  },
  {
    fits: (name) => /^this(?:[./\s]|$)/.test(name),
    says: () => 'Mustache has no "this"',
    hint: (name, write) => `Write ${write(name.replace(/^this[./]?/, "") || ".")}.`,
  },
  {
    fits: (name) => name.startsWith("../"),
    says: () => 'Mustache has no "../"',
    hint: (name, write) =>
      `Write ${write(name.replace(/^(?:\.\.\/)+/, ""))}: a name that the section's item lacks is looked for outside.`,
  },
  {
    fits: (name) => name.startsWith("@"),
    says: () => 'Mustache has no variables that begin with "@"',
    hint: () => "Give each item what it needs in derive (variables.ts): its number, or whether it is the last.",
  },
  {
    fits: (name, node) => node.kind === "section" && meantQuestion(name) !== undefined,
    says: (name) => (LENGTH.test(name) ? 'engines disagree on "length"' : "this is not how a section asks something"),
    hint: (name, write) => `Write ${meantSection(name, isInverted(write)) ?? ""}.`,
  },
  {
    fits: (name) => /[<>=!?()+*/%,:;&]|\|\|/.test(name),
    says: () => "Mustache has no expressions and no calls",
    hint: () => DERIVE,
  },
  {
    fits: (name) => name.includes("|"),
    says: () => "Mustache has no filters",
    hint: () => DERIVE,
  },
  {
    fits: (name) => /[[\]]|(?:^|\.)\d/.test(name),
    says: () => "not every engine takes an item of a list by its number",
    hint: () => "Use a section over the list, or give the item a name of its own in derive (variables.ts).",
  },
  {
    fits: (name) => /^[\w.-]+\s.*["'`“”‘’]/s.test(name),
    says: () => "Mustache has no expressions and no calls",
    hint: () => DERIVE,
  },
  {
    fits: (name) => /["'`“”‘’]/.test(name),
    says: () => "a name has no quotation marks",
    hint: () => "Write the text itself, without a tag.",
  },
  {
    fits: (name) => /\s/.test(name),
    says: () => "a name has no spaces",
    hint: () => "Print one variable with each tag; what a function would format belongs into derive (variables.ts).",
  },
  {
    fits: (name) => name !== "." && /^\.|\.$|\.\./.test(name),
    says: () => "a dot stands between two names, or alone for the item itself",
    hint: (name, write) => `Write ${write(name.split(".").filter(Boolean).join(".") || ".")}.`,
  },
  {
    fits: (name) => name.split(".").includes("length"),
    says: () => 'engines disagree on "length"',
    hint: (name) =>
      `To ask whether a list has items, write ${section(`${name.replace(LENGTH, "")} has-items`)}; to print how many, count them in derive (variables.ts).`,
  },
  {
    fits: (name) => RESERVED.test(name),
    says: () => "names with two underscores like this are given to conditions when a template is compiled",
    hint: () => 'Write what it asks, as in {{#status equals "paid"}} … {{/status}}, or choose another name.',
  },
  {
    fits: (name) => inherited(name) !== undefined,
    says: (name) => `some engines find "${inherited(name)}" on every object`,
    hint: () => "Choose another name for this variable.",
  },
  {
    fits: (name) => !SOUND.test(name),
    says: () => "a name is made of letters, digits, _ and -, and begins with a letter or _; dots stand between names",
    hint: () => "Choose another name, or remove what is left here of another template language.",
  },
];

/** A whole section with this name in its tags. */
function section(name: string, inverted = false): string {
  return `{{${inverted ? "^" : "#"}${name}}} … {{/${subjectOf(name)}}}`;
}

function meantSection(written: string, inverted = false): string | undefined {
  const meant = meantQuestion(written);
  return meant && SOUND.test(subjectOf(meant.name)) ? section(meant.name, meant.negated !== inverted) : undefined;
}

function isInverted(write: (name: string) => string): boolean {
  return write("").startsWith("{{^");
}

/** Without what an editor has put around the name, or into it. */
function bare(name: string): string {
  return name.replace(ENTITY, "").trim();
}

function codeOf(character: RegExp, name: string): string {
  const found = name.match(character)?.[0]?.codePointAt(0) ?? 0;
  return `U+${found.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** What to write instead of `{{#if …}}` and its like, and where the section is inverted, instead of `{{^if …}}`. */
function insteadOf(helper: string, written: string, isInverse = false): string {
  const subject = written.replace(/^this[./](?=.)/, "");
  const inverted = (helper === "unless") !== isInverse;
  const question = meantSection(subject, inverted);
  if (question !== undefined) return `Write ${question}.`;
  if (!SOUND.test(subject)) return DERIVE;
  if (LOOPS.includes(helper) && !isInverse) return `Write ${section(subject)}.`;
  return `Write ${section(subject, inverted)}, or ${section(`${subject} has-items`, inverted)} where it is a list.`;
}

function inherited(name: string): string | undefined {
  return name.split(".").find((part) => part in Object.prototype);
}
