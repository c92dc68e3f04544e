import { TOKEN } from "../../../mustache/tokens.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { htmlTags, type TagInPlace, withinOf } from "../../variables/tags.js";
import { valuesOf } from "../../variables/values.js";
import { onceEach } from "../../once-each.js";

const ADDRESSES: readonly string[] = ["href", "src", "background", "action"];
const BEGINS_WITH_SCHEME = /^\s*(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i;

export const variableInAddress: Rule = {
  id: "variable-in-address",
  summary: "A variable makes an address that leads nowhere, because it has no scheme or is not encoded.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      htmlTags(checked).flatMap((tag) => [
        ...withoutScheme(tag, checked),
        ...notEncoded(tag, checked),
        ...schemeTwice(tag, checked),
        ...refusedIn(tag, checked),
        ...emptyIn(tag, checked),
      ]),
    ),
};

/** What is before a tag in an address: with tokens as they are, but for those of sections. */
function prefixOf(tag: TagInPlace, { document }: CheckedTemplate): string | undefined {
  const { kind, where, text } = tag;
  if ((kind !== "variable" && kind !== "unescaped") || where?.kind !== "attribute") return undefined;
  if (!ADDRESSES.includes(where.attribute)) return undefined;
  const value = where.element.tokenised.get(where.attribute) ?? "";
  const { tags } = document.input;
  const token = [...value.matchAll(TOKEN)].find(([, number]) => tags[Number(number)]?.text === text);
  const before = value.slice(0, token?.index ?? 0);
  return before.replace(TOKEN, (all, number: string) =>
    /^\{\{\s*[#^/]/.test(tags[Number(number)]?.text ?? "") ? "" : all,
  );
}

function withoutScheme(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  if (prefixOf(tag, checked)?.trim() !== "" || isAddress(tag)) return [];
  const [shown] = withoutSchemeInFixtures(tag, checked);
  if (shown) return [shown];
  return isAnyText(tag, checked)
    ? [
        {
          severity: "info",
          message: `The address begins with ${tag.text}, and the schema takes any text for it, also one without https://.`,
          at: tag.at(),
          hint: "Let the schema see to it: z.url({ protocol: /^https?$/ }).",
        },
      ]
    : [];
}

/** What somebody wrote a schema for, and left open. */
function isAnyText({ found }: TagInPlace, { template, compiled }: CheckedTemplate): boolean {
  if (template.variablesFile === undefined || !found?.shape.isKnown) return false;
  const [first = ""] = found.path.split(/[.[]/);
  if (Object.hasOwn(compiled.contract.derived?.properties ?? {}, first)) return false;
  return found.shape.kinds.some((kind) => kind.type === "string" && !kind.enum && kind.const === undefined);
}

function withoutSchemeInFixtures(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  return examplesOf(tag, checked)
    .flatMap(({ fixture, value }) => {
      if (value === "" || BEGINS_WITH_SCHEME.test(value)) return [];
      const path = tag.found?.path ?? tag.name;
      return [
        {
          message: `With ${inWords({ [path]: value })} of the fixture "${fixture}" the address leads nowhere: it begins with ${tag.text}, which has no scheme.`,
          at: tag.at(),
          hint: `Write \`https://\` before it, or pass whole addresses: \`z.url()\` in the schema.`,
        },
      ];
    })
    .slice(0, 1);
}

/** A space ends an address, and in a query `&` and `#` begin something else. */
function notEncoded(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const prefix = prefixOf(tag, checked);
  if (prefix === undefined || !/^\s*https?:/i.test(prefix)) return [];
  const misread = prefix.includes("?") ? /[\s&#+"<>]/ : /[\s"<>]/;
  return examplesOf(tag, checked)
    .flatMap(({ fixture, value }) => {
      const [character] = misread.exec(value) ?? [];
      if (character === undefined) return [];
      const path = tag.found?.path ?? tag.name;
      return [
        {
          message: `With ${inWords({ [path]: value })} of the fixture "${fixture}" the address is another one than meant: ${JSON.stringify(character)} is not encoded in it.`,
          at: tag.at(),
          hint: "Encode it in derive (variables.ts), with encodeURIComponent.",
        },
      ];
    })
    .slice(0, 1);
}

/** `https://{{url}}` with an address that has its own. */
function schemeTwice(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const prefix = prefixOf(tag, checked)?.trim() ?? "";
  if (!/^(?:https?:\/\/|mailto:|tel:|sms:)$/i.test(prefix)) return [];
  const shown = examplesOf(tag, checked).find(({ value }) => /^\s*(?:https?:\/\/|mailto:|tel:|sms:)/i.test(value));
  if (!shown) return [];
  const path = tag.found?.path ?? tag.name;
  return [
    {
      message: `With ${inWords({ [path]: shown.value })} of the fixture "${shown.fixture}" the address leads nowhere: it has a scheme of its own, and ${prefix} stands before it.`,
      at: tag.at(),
      hint: `Write \`${tag.text}\` alone.`,
    },
  ];
}

/** A whole address that mail clients take away. */
function refusedIn(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  if (prefixOf(tag, checked)?.trim() !== "") return [];
  const shown = examplesOf(tag, checked).find(({ value }) => /^\s*(?:javascript|vbscript|file):/i.test(value));
  if (!shown) return [];
  const path = tag.found?.path ?? tag.name;
  return [
    {
      message: `With ${inWords({ [path]: shown.value })} of the fixture "${shown.fixture}" the address does nothing: mail clients take it away.`,
      at: tag.at(),
      hint: "Pass an address that begins with https://, and let the schema see to it: z.url({ protocol: /^https?$/ }).",
    },
  ];
}

/** An address that is nothing but an empty text, where nobody asks whether it is one. */
function emptyIn(tag: TagInPlace, checked: CheckedTemplate): Finding[] {
  const { where } = tag;
  if (where?.kind !== "attribute" || where.element.attribute(where.attribute)?.trim() !== tag.text) return [];
  if (prefixOf(tag, checked)?.trim() !== "" || tag.around.length > 0) return [];
  const shown = examplesOf(tag, checked).find(({ value }) => value.trim() === "");
  if (!shown) return [];
  return [
    {
      message: `With the fixture "${shown.fixture}" the address is empty and leads nowhere: ${tag.text} is an empty text.`,
      at: tag.at(),
      hint: `Put the whole element into \`{{#${tag.name} is-truthy}} … {{/${tag.name}}}\`, or let the schema refuse an empty text.`,
    },
  ];
}

function isAddress({ found }: TagInPlace): boolean {
  return found?.shape.kinds.some(({ format }) => format === "uri") ?? false;
}

function examplesOf(tag: TagInPlace, { compiled }: CheckedTemplate): { fixture: string; value: string }[] {
  return compiled.fixtures.flatMap(({ name, variables }) =>
    valuesOf(variables, { within: withinOf(tag), name: tag.name }).flatMap((value) =>
      typeof value === "string" ? [{ fixture: name, value }] : [],
    ),
  );
}
