import { HTML_ELEMENTS, textsIn } from "../../../text/markup/scan.js";
import { restore } from "../../../mustache/tokens.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { showsCode } from "../../lib/texts.js";

export const tagAsText: BuiltInRule = {
  id: "tag-as-text",
  severity: "error",
  summary: "A tag is shown as text because of a space after its `<`, or because its `<` is escaped.",
  details:
    'A tag is shown as text because of a space after its `<`: `< p style="margin:0">`. Or markup was escaped ' +
    'once too often: `&lt;b&gt;all&lt;/b&gt;`, in a component `{"<b>all</b>"}` (a warning).',
  why:
    "A tag begins with `<` and a letter ([the HTML standard on " +
    "tags](https://html.spec.whatwg.org/multipage/syntax.html#start-tags)). Any other `<` is shown as text, " +
    "together with what follows.",
  fix: "Remove the space. To show a `<`, write `&lt;`. Put code that is meant to be seen in `<code>` or `<pre>`.",
  examples: {
    wrong: ['<div>Hello ‸< p style="margin:0">Ada</div>', "<p>‸&lt;b&gt;All&lt;/b&gt; of it</p>"],
    right: ["<p>1 < 2</p>", "<p>Write <code>&lt;b&gt;All&lt;/b&gt;</code>.</p>"],
  },
  checkTemplate: ({ document }) => [...spaced(document), ...escaped(document)],
};

function* spaced(document: EmailDocument): Generator<Finding> {
  const { html, tags } = document.input;
  for (const { start, end } of SPACED.test(html) ? textsIn(html) : []) {
    const text = document.nodeAt(start);
    if (text?.kind !== "text" || showsCode(text.parent)) continue;
    for (const [found, name = ""] of html.slice(start, end).matchAll(TAG)) {
      if (!HTML_ELEMENTS.has(name.toLowerCase())) continue;
      const written = restore(found, tags, "html");
      yield {
        message: `${written.replaceAll(/\s+/g, " ")} is shown as text because of the space after <.`,
        at: text.at(written),
        hint: "Remove the space. To show a `<`, write `&lt;`.",
      };
    }
  }
}

/** Markup that was escaped once too often: an element, or a line break. */
function* escaped({ texts }: EmailDocument): Generator<Finding> {
  for (const text of texts) {
    const found = text.tokenised.includes("<") ? ESCAPED.exec(text.text)?.[0] : undefined;
    if (found === undefined || RAW.has(text.parent.name) || showsCode(text.parent)) continue;
    yield {
      severity: "warning",
      message: `${found.replaceAll(/\s+/g, " ").slice(0, 60)} is shown as text because its < is escaped.`,
      at: text.at(found),
      hint: "Write it as markup. Put code that is meant to be seen in `<code>`.",
    };
  }
}

const ESCAPED = /<(b|strong|i|em|u|p|span|a|li|h[1-6])(?:\s[^<>]*)?>[^<>]*<\/\1\s*>|<br\s*\/?>/i;
const RAW: ReadonlySet<string> = new Set(["style", "script", "title", "textarea", "noscript", "template", "xmp"]);

const SPACED = /<\/?\s/;
/** Requires a closing `>`, because `a < b` is text. */
const TAG = /<\s+\/?([a-z][a-z0-9]*)(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*\/?>/gi;
