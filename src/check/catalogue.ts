import { CHECKING_DIAGNOSTICS, COMPILING_DIAGNOSTICS } from "./diagnostics/compiling.js";
import { LOADING_DIAGNOSTICS } from "./diagnostics/loading.js";
import { MJML_DIAGNOSTICS, REACT_DIAGNOSTICS } from "./diagnostics/engines.js";
import {
  extensionOf,
  MARK,
  type BuiltInRule,
  type DocumentedDiagnostic,
  type ExampleTemplate,
  type RuleInfo,
} from "./rule.js";
import { RULES_BY_GROUP } from "./rules/index.js";

/** Every rule, group by group. */
export const RULES: readonly BuiltInRule[] = Object.values(RULES_BY_GROUP).flat();

/** The diagnostics of loading, compiling and rebuilding. */
const OTHERS: readonly DocumentedDiagnostic[] = [
  ...LOADING_DIAGNOSTICS,
  ...COMPILING_DIAGNOSTICS,
  ...MJML_DIAGNOSTICS,
  ...REACT_DIAGNOSTICS,
  ...CHECKING_DIAGNOSTICS,
];

/** Everything that has a page. */
export const DIAGNOSTICS: readonly DocumentedDiagnostic[] = [...RULES, ...OTHERS];

const groupById: ReadonlyMap<string, string> = new Map(
  Object.entries(RULES_BY_GROUP).flatMap(([group, rules]) => rules.map(({ id }) => [id, group] as const)),
);

/** A rule's id with its group, as in the configuration: `links/empty-link`. Ids of compile errors have no group. */
export function idInGroup(id: string): string {
  const group = groupById.get(id);
  return group === undefined ? id : `${group}/${id}`;
}

/** Every id that a diagnostic of `check` can have. */
export function catalogue(rules: readonly RuleInfo[]): RuleInfo[] {
  return [...rules, ...OTHERS].toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

/**
 * A diagnostic's page in Markdown: what it reports, why, how to fix it, and examples. Undefined for an unknown id and for
 * custom rules.
 */
export function rulePage(id: string): string | undefined {
  const current = currentRule(id);
  const rule = RULES.find((each) => each.id === current);
  const diagnostic = rule ?? OTHERS.find((each) => each.id === current);
  if (!diagnostic) return undefined;
  const { summary, details = summary, why, fix, examples, silence = rule && howToSilence(rule) } = diagnostic;
  const sections = [
    `# ${current}\n\n${details}`,
    `## Why\n\n${why}`,
    `## How to fix\n\n${fix}`,
    ...(examples ? [`## Wrong\n\n${inBlocks(examples.wrong)}`, `## Right\n\n${inBlocks(examples.right)}`] : []),
    ...(silence === undefined ? [] : [`## How to silence\n\n${silence}`]),
  ];
  return `${sections.join("\n\n")}\n`;
}

function howToSilence({ id, isOptional, isSilencedByComments }: BuiltInRule): string {
  const comment = `lettershop-ignore ${id}: reason`;
  const inSource =
    `For one line, write a comment on it or on the line before it: \`<!-- ${comment} -->\` in MJML and HTML, ` +
    `\`/* ${comment} */\` in CSS, \`{/* ${comment} */}\` or \`// ${comment}\` in TSX.`;
  const inConfiguration = `set \`check: { rules: { "${id}": "off" } }\` in lettershop.config.ts.`;
  if (isSilencedByComments === false) return `To turn the rule off, ${inConfiguration}`;
  return isOptional ? inSource : `${inSource} To turn the rule off, ${inConfiguration}`;
}

/** Examples as blocks of code, without the marks of what is reported. */
function inBlocks(examples: readonly ExampleTemplate[]): string {
  const blocks = examples.flatMap((example) => {
    if (typeof example === "string") return inBlock(example, extensionOf(example));
    return Object.entries(example).map(([file, text]) => `\`${file}\`:\n\n${inBlock(text, file)}`);
  });
  return blocks.join("\n\n");
}

function inBlock(source: string, file: string): string {
  const language = file.slice(file.lastIndexOf(".") + 1).replace("mjml", "xml");
  return `\`\`\`${language}\n${source.replaceAll(MARK, "")}\n\`\`\``;
}

/** IDs of the previous version, by the rule that replaced them. The next version drops them. */
const MERGED: Readonly<Record<string, readonly string[]>> = {
  "client-unsupported": ["client-partial"],
  headings: ["heading-empty", "heading-order"],
  "language-missing": ["body-language"],
  "marketing-wording": ["list-wording"],
  preheader: ["preheader-length", "preheader-missing", "preheader-repeats", "preheader-wording"],
  "spam-wording": ["spam-phrase", "subject-capitals", "subject-punctuation", "subject-reply", "text-capitals"],
  "stripped-element": ["base-element", "embedded-content", "form-element", "meta-refresh", "script-element"],
  "suspicious-link": ["executable-link", "link-shortener", "link-text-address", "look-alike-domain", "numeric-host"],
  "table-role": ["data-table-role", "layout-table-role"],
  "unknown-html": ["unknown-attribute", "unknown-element"],
  "unused-file": ["unused-asset", "unused-fixture", "unused-part"],
  viewport: ["viewport-missing", "viewport-zoom"],
};

const REMOVED = (
  "charset-missing class-name contrast-forced-dark language-script language-words list-parts list-run-together " +
  "mixed-scripts preheader-padding printed-zero repeated-word same-for-each section-over-value section-twice " +
  "shadowed-variable style-object tap-target template-name-windows unbalanced-marks variable-in-comment"
).split(" ");

const SUCCESSORS: ReadonlyMap<string, string | undefined> = new Map([
  ...REMOVED.map((id) => [id, undefined] as const),
  ...Object.entries(MERGED).flatMap(([successor, ids]) => ids.map((id) => [id, successor] as const)),
]);

/** The rule that replaced an ID of the previous version; any other ID is returned as it is. */
export function currentRule(id: string): string {
  return SUCCESSORS.get(id) ?? id;
}

/** Explains what to write instead of an ID of the previous version; undefined for any other ID. */
export function formerRule(id: string): { readonly message: string; readonly hint: string } | undefined {
  if (!SUCCESSORS.has(id)) return undefined;
  const successor = SUCCESSORS.get(id);
  return successor === undefined
    ? { message: `The rule ${id} was removed.`, hint: `Remove ${id}.` }
    : { message: `${id} is now part of ${successor}.`, hint: `Write ${successor}.` };
}
