import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX } from "../../api/limits.js";
import { formatNumber } from "../lib/texts.js";
import { documentWith, type DocumentedDiagnostic } from "../rule.js";

/** Diagnostics of compiling templates of every kind. */
export const COMPILING_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "compile-failed",
    severity: "error",
    summary: "The template could not be compiled.",
    why:
      "The compiler of its engine failed with an error, for example because MJML expected a number and got a Mustache tag. " +
      "The other templates are still built.",
    fix:
      "Remove parts of the template until it compiles, to find the part that fails. If the source is right, report a " +
      "bug.",
  },
  {
    id: "inline-styles",
    severity: "error",
    summary:
      'The CSS of `<style data-inline>` or `<mj-style inline="inline">` can\'t be moved into `style` attributes, ' +
      "because its selectors or values depend on the variables.",
    details:
      'The CSS of `<style data-inline>` or `<mj-style inline="inline">` can\'t be moved into `style` attributes, ' +
      "because its selectors or values depend on the variables: there is a section in the CSS, a tag in a `class` or " +
      "an `id`, or a selector that counts elements (`:first-child`, `+`) in a body with sections.",
    why:
      "Styles are inlined once, when the template is compiled. Every repetition of a row would be styled as the " +
      "first row.",
    fix:
      "Put sections around elements instead of inside class names, give elements separate classes, or move such CSS " +
      "rules to a style element without `data-inline` or `inline`.",
    examples: {
      wrong: [
        documentWith({
          head: `<style data-inline>
p { color: ‸{{#late}}#b00020{{/late}} }
</style>`,
        }),
      ],
      right: [
        documentWith({
          head: `<style data-inline>
.late { color: #b00020 }
</style>`,
        }),
      ],
    },
  },
  {
    id: "markup-lost",
    severity: "error",
    summary: "Part of the HTML or MJML would be dropped silently.",
    details:
      "Part of the HTML or MJML would be dropped silently: one end of a section in a comment (`<!-- list: {{#items}} " +
      "-->`), an attribute that the element already has, CDATA, or elements in a comment that only ends where the " +
      "next comment ends.",
    why:
      "Compiling removes comments. If one end of a section is in a comment, the rest of the section would be shown " +
      "exactly once, always. If an element has the same attribute twice, the first one wins. It is an error if the second " +
      "one contains a tag or is in a section, otherwise a warning. HTML has no CDATA: email clients read it as a " +
      "comment. A comment ends at the first `-->`: without its own, `<!-- note` swallows everything up to the end of " +
      "the next comment.",
    fix:
      "Write a section's tags outside comments, or each alone in a comment: `<!-- {{#items}} --> … <!-- {{/items}} " +
      "-->` is read as the bare tags. Put a section around a whole conditional comment, not one end in each of two. " +
      "Remove one of the two attributes. Write `&lt;` and `&amp;` instead of CDATA. End each comment with `-->` " +
      "before the next one begins; to comment out markup that contains comments, use Mustache's own: `{{! … }}`.",
    examples: {
      wrong: [
        `<ul>
<!-- list: ‸{{#items}} -->
<li>{{name}}</li>
{{/items}}
</ul>`,
        '<p style="margin: 0" ‸style="color: {{color}}">Hello</p>',
      ],
      right: [
        `<ul>
<!-- {{#items}} -->
<li>{{name}}</li>
<!-- {{/items}} -->
</ul>`,
      ],
    },
  },
  {
    id: "markup-unbalanced",
    severity: "error",
    summary: "An element is not closed, or a section changes which elements are open around it.",
    details:
      "An element is not closed, or a section changes which elements are open around it: `{{#rows}}<tr>{{/rows}}`. " +
      "The same is reported if a section decides whether what follows is hidden: `<p " +
      "hidden>{{#rows}}<table>…</table>{{/rows}} Total</p>`, because the paragraph ends where the table begins.\n\n" +
      "Elements nested more than 200 deep are reported here, too: usually a closing tag was written as an opening " +
      "tag.\n\n" +
      "An element may begin in one section and end in another if it does so in every case: `{{#url}}<a " +
      'href="{{url}}">{{/url}}…{{#url}}</a>{{/url}}`, or a row that begins with `{{#first}}<tr ' +
      'class="first">{{/first}}{{^first}}<tr>{{/first}}`. Both sections must test the same variable in the same ' +
      "scope, and it must not be a list. Such cells and rows need their end tags.",
    why: "If the section is shown zero or two times, it breaks the table around it, often only in Outlook.",
    fix:
      "Let each section contain whole elements, and close every element. HTML allows cells, rows, row groups, list " +
      "items and paragraphs without end tags; an end tag that looks forgotten is reported by " +
      "[end-tag-missing](end-tag-missing.md).",
    examples: {
      wrong: [
        "<p>Your ‸<b>order</p>",
        `<table>
‸{{#rows}}<tr>{{/rows}}
<td>Tea</td></tr>
</table>`,
      ],
      right: [
        `<table>
{{#rows}}<tr><td>{{name}}</td></tr>{{/rows}}
</table>`,
        '{{#url}}<a href="{{url}}">{{/url}}Your order{{#url}}</a>{{/url}}',
      ],
    },
  },
  {
    id: "markup-unclosed",
    severity: "error",
    summary: "A tag, a comment or a quoted attribute value is never closed.",
    why: "It swallows everything after it: the email arrives empty or cut off, and no tool reports it.",
    fix: "Close it at the reported place.",
    examples: { wrong: ['<p title=‸"Tea>Hello</p>', "<p>Hello</p>‸<!-- end"], right: ['<p title="Tea">Hello</p>'] },
  },
  {
    id: "mustache-name",
    severity: "error",
    summary: "A tag's name is not a dotted name or `.`.",
    details:
      "A tag's name is not a dotted name or `.`: it is `else`, `this`, `@index` or `length`, or contains a pipe, " +
      "spaces or other delimiters; or a section tests a condition that sections don't support.",
    why: "Other template languages have these; Mustache reads them as variable names and prints nothing.",
    fix:
      "Write it as the hint shows, or compute it in `derive`. The conditions that a section can test (`{{#items " +
      'has-items}}`, `{{#status equals "paid"}}`) are in [the guide on conditions](../guides/conditions.md).',
    examples: {
      wrong: ["<p>{{#isPaid}}Paid‸{{else}}Open{{/isPaid}}</p>", "<p>‸{{name | upper}}</p>"],
      right: ["<p>{{#isPaid}}Paid{{/isPaid}}{{^isPaid}}Open{{/isPaid}}</p>"],
    },
  },
  {
    id: "mustache-syntax",
    severity: "error",
    summary: "A tag is not valid Mustache.",
    details:
      "A tag is not valid Mustache: not closed, closed in the wrong order, or empty; or the source contains one of " +
      "the two characters that the compiler reserves.",
    why: "The service refuses such a template, or prints something unintended.",
    fix: "Close the tag or section at the reported place.",
    examples: {
      wrong: ["<p>‸{{#isPaid}}Paid‸{{/paid}}</p>", "<p>Hello ‸{{name</p>"],
      right: ["<p>{{#isPaid}}Paid{{/isPaid}}</p>"],
    },
  },
  {
    id: "output-residue",
    severity: "error",
    summary: "A compiled body contains what only a mistake leaves there.",
    details:
      "A compiled body contains what only a mistake leaves there: `NaN`, `undefined`, `[object Object]`, or half a " +
      "section.",
    why: "Customers would see it, or Outlook would misplace parts of the email.",
    fix: "Look at the element that the message names; usually it computes with a value that it doesn't have.",
  },
  {
    id: "tag-lost",
    severity: "error",
    summary: "A tag of the source is missing from the compiled HTML.",
    why: "Whatever contained it was dropped during compilation; the email would lack it without any error.",
    fix: "Move the tag to a place where text or an attribute is printed.",
  },
  {
    id: "tag-moved",
    severity: "error",
    summary:
      "Compiling moved a tag into or out of a section, for example a colour of `mj-attributes` into a loop whose " +
      "items have a variable of the same name.",
    why: "Inside a section, its name may refer to a different value.",
    fix: "Write the tag where it should be printed, or rename the variable.",
  },
  {
    id: "text-tag-lost",
    severity: "error",
    summary: "A tag of the HTML body is missing from the derived text body, or is in different sections there.",
    why: "The two bodies would say different things.",
    fix: "Write the text body by hand: `NAME.txt`.",
  },
  {
    id: "too-long",
    severity: "error",
    summary: "A field has more characters than the service accepts.",
    details:
      `A field has more characters than the service accepts: name ${NAME_MAX}, subject ${SUBJECT_MAX}, ` +
      `description ${DESCRIPTION_MAX}, each body ${formatNumber(BODY_MAX)}.`,
    why: "The service refuses templates over these limits.",
    fix:
      "Shorten it. In a subject, the tags and every branch of its sections count: choose in `derive`, and print the result. " +
      "Large bodies usually repeat inline styles: use fewer columns, or a loop.",
  },
];

/** Diagnostics of `check` itself, and of building templates a second time. */
export const CHECKING_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "not-reproducible",
    severity: "error",
    summary:
      "Compiling the same files twice gives different bodies, or a component renders differently with the same " +
      "variables.",
    why: "Every sync would upload the template again, and nobody could rely on a review.",
    fix:
      "Remove what depends on random numbers, the time or the machine, or pass it as a variable. The finding " +
      "points to where the template's own code reads it. Output that is the same today but not next year is reported " +
      "by [time-in-body](time-in-body.md).",
    examples: {
      wrong: [
        `export default function Order() {
  return <p>Your lucky number: {Math‸.random()}</p>;
}`,
      ],
      right: [
        `export default function Order({ number }) {
  return <p>Your lucky number: {number}</p>;
}
Order.PreviewProps = { number: 7 };`,
      ],
    },
  },
  {
    id: "rule-failed",
    severity: "error",
    summary: "A rule failed before it had finished.",
    why:
      "It is unknown what the rule would have found. Without this finding, `check` would look clean. The message " +
      "names the rule, the template and the error.",
    fix:
      "If it is your own rule (`check.custom` in the configuration), fix it; the finding points to the line that " +
      "threw. If it is a rule of `lettershop`, please report it, with the template if you can.",
    silence:
      "It can't be silenced. Remove your own rule from `check.custom`; turning the rule off (`check: { rules: { " +
      '"RULE-ID": "off" } }`) hides its findings, but not this one.',
  },
  {
    id: "time-in-body",
    severity: "warning",
    summary: "A body contains the time at which it was built, so a build on another day produces a different body.",
    details:
      "A body contains the time at which it was built, so a build on another day produces a different body. A year " +
      "is a warning at the element that prints it, whose hint names the line that reads the time. A date or a time of " +
      "day is an error at the line that reads it, or at the variable whose default it is.",
    why:
      "A body is compiled once and sent until somebody syncs it again. The year in `© {new Date().getFullYear()}` " +
      "stays the same until then.",
    fix:
      "Let the application pass the date, or the year, as a variable. If it is the default of a variable, remove the " +
      "default, and always pass the variable.",
    examples: {
      wrong: [
        `export default function Order() {
  return ‸<p>© {new Date().getFullYear()} Fernhill</p>;
}`,
      ],
      right: [
        `export default function Order({ year }) {
  return <p>© {year} Fernhill</p>;
}
Order.PreviewProps = { year: "2026" };`,
      ],
    },
  },
  {
    id: "unused-silence",
    severity: "warning",
    summary: "A `lettershop-ignore` comment silences nothing, or an override in the configuration matches no template.",
    details:
      "A `lettershop-ignore` comment silences nothing, or an override in the configuration matches no template. A " +
      "misspelt comment, such as `letershop-ignore` or `lettershop-disable`, silences nothing either.",
    why:
      "What it was for has been fixed or moved, or the comment names a rule that does not exist, or an error that " +
      "keeps the template from compiling, which can't be silenced. A comment that is left behind may one day silence " +
      "a finding that nobody has seen.\n\n" +
      "It is reported only if everything was checked that it could silence: not if a template did not compile, and, " +
      "in a shared part, not if only some of the templates are checked.\n\n" +
      "IDs of rules that were merged or removed since the previous version still work in comments and in the " +
      "configuration, with a note that names the ID to write. The next version drops them.",
    fix:
      "Fix the names in `check.overrides`. Remove the comment, or move it directly above the line it is for. [The " +
      "guide](../guides/check.md#silence-one-finding) says which line that is.",
    silence: 'To turn the rule off, set `check: { rules: { "unused-silence": "off" } }` in `lettershop.config.ts`.',
  },
];
