import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { showsCode, withoutTags } from "./plain.js";
import { wordingsOf } from "./wordings.js";

export const foreignSyntax: Rule = {
  id: "foreign-syntax",
  summary: "A text has the syntax of another template engine, which nothing fills.",
  severity: "error",
  checkTemplate: (checked) =>
    onceEach([
      ...ofKnownNames(checked),
      ...textsOf(checked).flatMap(({ text, element, at }): Finding[] => {
        const [found, engine] = syntaxIn(withoutTags(text)) ?? [];
        if (found === undefined || (element && showsCode(element))) return [];
        return [
          {
            message: `${found} is the syntax of ${engine}: nothing fills it, and readers see it as it is.`,
            cause: `A text has the syntax of ${engine}: nothing fills it, and readers see it as it is.`,
            at: at(found),
            hint: "Write a Mustache tag, `{{name}}`.",
            // A word in braces may be meant as it is.
            ...(element && /^\{[a-z]\w*\}$/i.test(found) && { severity: "warning" }),
          },
        ];
      }),
    ]),
};

/** What is certain only where a variable has the name, or where a tag stands right beside. */
function ofKnownNames(checked: CheckedTemplate): Finding[] {
  const names = Object.keys(checked.compiled.contract.input.properties ?? {}).filter((name) =>
    /^[a-z]\w+$/i.test(name),
  );
  const any = names.length === 0 ? "(?!)" : names.join("|");
  const asTag = new RegExp(`\\(\\(\\s*(?:${any})\\s*\\)\\)|%(?:${any})%|(?<![\\w./@-])props\\.(?:${any})(?!\\w)`);
  return wordingsOf(checked).flatMap(({ text, element, at }): Finding[] => {
    if (element && showsCode(element)) return [];
    const brace = /(?<!\{)\{\{[\w.]+\}\}\}/.exec(text)?.[0];
    if (brace !== undefined)
      return [
        {
          message: `${brace} prints a brace behind its value.`,
          at: at(brace),
          hint: `Write \`${brace.slice(0, -1)}\`.`,
        },
      ];
    const found = asTag.exec(withoutTags(text))?.[0];
    if (found === undefined || syntaxIn(found)) return [];
    const name = /\w+(?=\W*$)/.exec(found)?.[0] ?? "";
    const tag = found.startsWith("props.") ? `{${found}}` : `{{${name}}}`;
    return [
      {
        message: `${found} is read as it is, and there is a variable ${name}.`,
        at: at(found),
        hint: `Write \`${tag}\`.`,
      },
    ];
  });
}

interface Place {
  readonly text: string;
  /** What it is read in. */
  readonly element?: EmailElement;
  readonly at: (part: string) => SourcePosition;
}

/** What is read and what is opened; among what is read, what shows code is meant as it is. */
function textsOf(checked: CheckedTemplate): Place[] {
  const addresses: Place[] = [];
  for (const element of checked.document.elements) {
    for (const attribute of ADDRESSES) {
      const text = element.attribute(attribute);
      if (text) addresses.push({ text: text.replace(/%[0-9a-f]{2}/gi, "_"), at: () => element.at(attribute) });
    }
  }
  // A parser takes what is between <? and > for an instruction to itself, and no client shows it.
  const php = /<\?(?:php|=)[^>]{0,80}\?>/.exec(checked.document.input.html)?.[0];
  const instructions: Place[] = php === undefined ? [] : [{ text: php, at: () => checked.document.positionOf(php) }];
  return [...wordingsOf(checked), ...addresses, ...instructions];
}

const ADDRESSES: readonly string[] = ["href", "src", "background", "content"];

const SYNTAXES: readonly (readonly [RegExp, string])[] = [
  [/<%[=#-]?[^%]{0,80}%>|<\?(?:php|=)[^?]{0,80}\?>/, "ERB, EJS or PHP"],
  [/\{%-?\s*\/?\w[^%{}]{0,80}%\}/, "Liquid, Jinja or Twig"],
  [/\*\|[\w:.-]+\|\*/, "Mailchimp"],
  [/\{#[^{}#]{0,80}#\}/, "Liquid, Jinja or Twig"],
  [/%%[\w.=-]+%%|%%=[^%\n]{1,80}=%%|%%\[[^%]{0,200}\]%%/, "Salesforce Marketing Cloud"],
  [/\{\/\*[^]{0,80}?\*\/\}/, "JSX"],
  [/\{![\w.]+\}/, "Salesforce"],
  [/%recipient[._][\w.]+%/i, "Mailgun"],
  [/\[\[\s*[A-Za-z_][\w.:]*\s*\]\]/, "another template engine"],
  [/[$#%@!]\{\s*\(?\s*[A-Za-z_][^{}\n]{0,60}\}/, "a template literal or another template engine"],
  [/<\/?[#@][a-z]\w*\b[^<>]{0,80}>/, "FreeMarker"],
  [/#(?:if|elseif|foreach|set)\s*\(\s*[$!]/, "Velocity"],
  [/(?<![\w.])@(?:Model|ViewBag)\.\w+/, "Razor"],
  [/\[%-?\s*\w[^%[\]]{0,80}%\]/, "Template Toolkit"],
  [/\[\w+,\s*fallback=[^\]]*\]/, "Campaign Monitor"],
  [/\{\$[A-Za-z_][\w.>|-]*\}/, "Smarty or Latte"],
  [
    /(?<![\w%])%(?:[A-Z][A-Z0-9_]{2,}|[a-z]+(?:_[a-z]+)+|(?:first|last|user|full)?name|email)%(?!\w)/,
    "another template engine",
  ],
  [/(?<![\w$\\])\$(?:[a-z]+(?:_[a-z]+)+|(?:first|last|user|full)?[nN]ame)\b/, "PHP or another template engine"],
  [/(?<!\w)##[A-Za-z_]\w*##(?!\w)/, "another template engine"],
  [/<<\s*[A-Za-z_][\w .]{0,40}>>/, "a mail merge"],
  // French and Russian quote with these marks, too, but no names of fields.
  [
    /«\s*(?:[A-Za-z]+_\w+|[a-z]{2,}[A-Z]\w*|(?:first|last|full|user)?name|(?:[A-Z][a-z]+)*(?:Name|Email|Number|Amount))\s*»/,
    "a mail merge",
  ],
  [/\b__[A-Z][A-Z0-9_]*__\b/, "another template engine"],
  [/(?<![\w%])%(?:\d\$)?[sd](?!\w)|%\(\w+\)[sd]\b/, "printf"],
  [/\{\{?\s*[A-Za-z_][\w.]*\s*\}?\}/, "another template engine"],
  [/(?<![\w{])\{\d(?::[^{}\s]{0,20})?\}(?!\})/, "a format string"],
];

/** Any of them, and a little more: most texts have none. */
const ANY = new RegExp(SYNTAXES.map(([{ source }]) => source).join("|"), "i");

function syntaxIn(text: string): readonly [found: string, engine: string] | undefined {
  if (!ANY.test(text)) return undefined;
  for (const [pattern, engine] of SYNTAXES) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return [found, engine];
  }
  return undefined;
}
