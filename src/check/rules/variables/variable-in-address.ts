import { TOKEN } from "../../../mustache/tokens.js";
import { onceEach } from "../../once-each.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { examplesOf, isDerived, prints } from "./examples.js";

export const variableInAddress: Rule = {
  id: "variable-in-address",
  summary: "A variable makes an address that leads nowhere, because it has no scheme or is not encoded.",
  severity: "warning",
  checkTemplate: (checked) => onceEach(htmlTags(checked).flatMap((tag) => check(tag, checked))),
};

function check(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const prefix = prefixOf(tag, checked);
  if (prefix === undefined) return [];
  const path = tag.found?.path ?? tag.name;
  for (const { fixture, value } of examplesOf(tag, checked)) {
    const mistake = typeof value === "string" ? mistakeIn(value, prefix, tag) : undefined;
    if (!mistake) continue;
    const [effect, hint] = mistake;
    const shown = inWords({ [path]: value });
    return [{ message: `With ${shown} of the fixture "${fixture}" the address ${effect}.`, at: tag.at(), hint }];
  }
  if (prefix !== "" || !isAnyText(tag, checked)) return [];
  const message = `The address begins with ${tag.text}, and the schema takes any text for it, also one without https://.`;
  return [
    { severity: "info", message, at: tag.at(), hint: "Let the schema see to it: z.url({ protocol: /^https?$/ })." },
  ];
}

const ADDRESSES: readonly string[] = ["href", "src", "background", "action"];

/** What is before a tag in an address: with tokens as they are, but for those of sections. */
function prefixOf(tag: TagInPlace, { document }: CheckedTemplate): string | undefined {
  const { where, text } = tag;
  if (!prints(tag) || where?.kind !== "attribute" || !ADDRESSES.includes(where.attribute)) return undefined;
  const value = where.element.tokenised.get(where.attribute) ?? "";
  const { tags } = document.input;
  const token = [...value.matchAll(TOKEN)].find(([, number]) => tags[Number(number)]?.text === text);
  const isSection = (number: string) => /^\{\{\s*[#^/]/.test(tags[Number(number)]?.text ?? "");
  return value
    .slice(0, token?.index ?? 0)
    .replace(TOKEN, (all, number: string) => (isSection(number) ? "" : all))
    .trim();
}

const SCHEME = /^\s*(?:https?:\/\/|mailto:|tel:|sms:)/i;

/** What becomes of an address with a value, and what to do; undefined where it is good. */
function mistakeIn(
  value: string,
  prefix: string,
  tag: TagInPlace,
): readonly [effect: string, hint: string] | undefined {
  if (prefix === "" && value.trim() === "") {
    const { where, around, name } = tag;
    const isAll = where?.kind === "attribute" && where.element.attribute(where.attribute)?.trim() === tag.text;
    const hint = `Put the whole element into \`{{#${name} is-truthy}} … {{/${name}}}\`, or let the schema refuse an empty text.`;
    return isAll && around.length === 0 ? ["is empty and leads nowhere", hint] : undefined;
  }
  if (prefix === "" && /^\s*(?:javascript|vbscript|file):/i.test(value)) {
    const hint =
      "Pass an address that begins with https://, and let the schema see to it: z.url({ protocol: /^https?$/ }).";
    return ["does nothing: mail clients take it away", hint];
  }
  if (prefix === "" && !/^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(value) && !isAddress(tag)) {
    const hint = "Write `https://` before it, or pass whole addresses: `z.url()` in the schema.";
    return [`leads nowhere: it begins with ${tag.text}, which has no scheme`, hint];
  }
  if (SCHEME.exec(prefix)?.[0] === prefix && SCHEME.test(value))
    return [
      `leads nowhere: it has a scheme of its own, and ${prefix} stands before it`,
      `Write \`${tag.text}\` alone.`,
    ];
  // A space ends an address, and in a query `&` and `#` begin something else.
  const misread = prefix.includes("?") ? /[\s&#+"<>]/ : /[\s"<>]/;
  const [character] = /^https?:/i.test(prefix) ? (misread.exec(value) ?? []) : [];
  if (character === undefined) return undefined;
  const effect = `is another one than meant: ${JSON.stringify(character)} is not encoded in it`;
  return [effect, "Encode it in derive (variables.ts), with encodeURIComponent."];
}

function isAddress({ found }: TagInPlace): boolean {
  return found?.shape.kinds.some(({ format }) => format === "uri") ?? false;
}

/** What somebody wrote a schema for, and left open. */
function isAnyText(tag: TagInPlace, checked: CheckedTemplate): boolean {
  const { shape } = tag.found ?? {};
  if (checked.template.variablesFile === undefined || !shape?.isKnown || isDerived(tag, checked)) return false;
  return (
    !isAddress(tag) && shape.kinds.some((kind) => kind.type === "string" && !kind.enum && kind.const === undefined)
  );
}
