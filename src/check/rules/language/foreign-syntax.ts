import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { showsCode, withoutTags, wordingsOf, type Wording } from "../../lib/texts.js";

export const foreignSyntax: BuiltInRule = {
  id: "foreign-syntax",
  severity: "error",
  summary: "Text has the syntax of another template engine, which is never filled.",
  details:
    "Text or a URL has the syntax of another template engine: `{name}`, `${name}`, `%NAME%`, `<%= name %>`, `{% if " +
    "%}`, `*|NAME|*`, `[[name]]`, `<#if name??>`, `@Model.Name`, `$first_name`, `%%=v(@name)=%%`, `«first_name»`, " +
    "`{# note #}`, `{/* note */}`.\n\n" +
    "If a variable has the name, also `((name))`, `%name%` and `props.name`; and `{{name}}}` with an extra brace.",
  why:
    "The service only fills Mustache tags, so recipients see it as written. It is often left over from moving a " +
    "template from another service. Text in `<code>` or `<pre>` is not checked.",
  fix: "Write a Mustache tag: `{{name}}`, `{{#items}}…{{/items}}`.",
  examples: {
    wrong: ["<p>Hello ‸${name},</p>", "<p>Hello ‸*|FNAME|*,</p>", "<p>‸{% if paid %}Thank you.{% endif %}</p>"],
    right: [
      { "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' },
      "<p>Write <code>${name}</code>.</p>",
    ],
  },
  *checkTemplate(checked): Generator<Finding> {
    const syntaxes = [...SYNTAXES, ...tagsOfKnownNames(checked)];
    for (const { words, text = words, element, at } of readableIn(checked)) {
      if (!MAY_BE_SYNTAX.test(text) || (element && showsCode(element))) continue;
      const brace = /(?<!\{)\{\{[\w.]+\}\}\}/.exec(text)?.[0];
      const [pattern, engine] = syntaxes.find(([each]) => each.test(words)) ?? [];
      const syntax = pattern?.exec(words)?.[0];
      if (brace !== undefined) {
        const hint = `Write \`${brace.slice(0, -1)}\`.`;
        yield { message: `${brace} prints an extra brace after the value.`, at: at(brace), hint };
      } else if (syntax !== undefined)
        yield {
          message: `${syntax} is the syntax of ${engine}, which is never filled: recipients see it as written.`,
          cause: `A text has the syntax of ${engine}, which is never filled: recipients see it as written.`,
          at: at(syntax),
          hint: "Write a Mustache tag, `{{name}}`.",
          // A word in braces may be intended.
          ...(element && /^\{[a-z]\w*\}$/i.test(syntax) && { severity: "warning" }),
        };
    }
  },
};

type Readable = Pick<Wording, "words" | "at"> & Partial<Wording>;

/** What recipients read, and URLs. */
function readableIn(checked: CheckedTemplate): Readable[] {
  const { document } = checked;
  const addresses = document.elements.flatMap((element) =>
    ADDRESSES.flatMap((attribute): Readable[] => {
      const written = withoutTags(element.attribute(attribute) ?? "").replace(/%[0-9a-f]{2}/gi, "-");
      return written === "" ? [] : [{ words: written, at: () => element.at(attribute) }];
    }),
  );
  // HTML parsers drop what is between <? and >.
  const php = /<\?(?:php|=)[^>]{0,80}\?>/.exec(document.input.html)?.[0];
  const instructions: Readable[] = php === undefined ? [] : [{ words: php, at: () => document.positionOf(php) }];
  return [...wordingsOf(checked), ...addresses, ...instructions];
}

const ADDRESSES: readonly string[] = ["href", "src", "background", "content"];

type Syntax = readonly [pattern: RegExp, engine: string];

/** Rules out most strings quickly. */
const MAY_BE_SYNTAX = /[{}%$#@*[«]|__|<.|\(\(|props/;

const ANOTHER = "another template engine";

const SYNTAXES: readonly Syntax[] = [
  [/<%[=#-]?[^%]{0,80}%>|<\?(?:php|=)[^?]{0,80}\?>/, "ERB, EJS or PHP"],
  [/\{%-?\s*\/?\w[^%{}]{0,80}%\}|\{#[^{}#]{0,80}#\}/, "Liquid, Jinja or Twig"],
  [/\*\|[\w:.-]+\|\*/, "Mailchimp"],
  [/%%[\w.=-]+%%|%%=[^%\n]{1,80}=%%|%%\[[^%]{0,200}\]%%|\{![\w.]+\}/, "Salesforce"],
  [/\{\/\*[^]{0,80}?\*\/\}/, "JSX"],
  [/%recipient[._][\w.]+%/i, "Mailgun"],
  [/\[\[\s*[A-Za-z_][\w.:]*\s*\]\]/, ANOTHER],
  [/[$#%@!]\{\s*\(?\s*[A-Za-z_][^{}\n]{0,60}\}/, "a template literal or another template engine"],
  [/<\/?[#@][a-z]\w*\b[^<>]{0,80}>/, "FreeMarker"],
  [/#(?:if|elseif|foreach|set)\s*\(\s*[$!]/, "Velocity"],
  [/(?<![\w.])@(?:Model|ViewBag)\.\w+/, "Razor"],
  [/\[%-?\s*\w[^%[\]]{0,80}%\]/, "Template Toolkit"],
  [/\[\w+,\s*fallback=[^\]]*\]/, "Campaign Monitor"],
  [/\{\$[A-Za-z_][\w.>|-]*\}/, "Smarty or Latte"],
  [/(?<![\w%])%(?:[A-Z][A-Z0-9_]{2,}|[a-z]+(?:_[a-z]+)+|(?:first|last|user|full)?name|email)%(?!\w)/, ANOTHER],
  [/(?<![\w$\\])\$(?:[a-z]+(?:_[a-z]+)+|(?:first|last|user|full)?[nN]ame)\b/, "PHP or another template engine"],
  // French and Russian use these quotation marks, but not around names of fields.
  [/<<\s*[A-Za-z_][\w .]{0,40}>>|«\s*(?:[A-Za-z]+_\w+|[a-z]{2,}[A-Z]\w*|(?:[A-Z]\w+)?[nN]ame)\s*»/, "a mail merge"],
  [/\b__[A-Z][A-Z0-9_]*__\b|(?<!\w)##[A-Za-z_]\w*##(?!\w)/, ANOTHER],
  [/(?<![\w%])%(?:\d\$)?[sd](?!\w)|%\(\w+\)[sd]\b/, "printf"],
  [/\{\{?\s*[A-Za-z_][\w.]*\s*\}?\}/, ANOTHER],
  [/(?<![\w{])\{\d(?::[^{}\s]{0,20})?\}(?!\})/, "a format string"],
];

/** Syntax that is only certain around the name of a variable. */
function tagsOfKnownNames({ compiled }: CheckedTemplate): Syntax[] {
  const names = Object.keys(compiled.contract.input.properties ?? {}).filter((name) => /^[a-z]\w+$/i.test(name));
  if (names.length === 0) return [];
  const any = `(?:${names.join("|")})`;
  return [[new RegExp(`\\(\\(\\s*${any}\\s*\\)\\)|%${any}%|(?<![\\w./@-])props\\.${any}(?!\\w)`), ANOTHER]];
}
