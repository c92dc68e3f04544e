import type { DocumentedDiagnostic } from "../rule.js";

/** Diagnostics of compiling MJML. */
export const MJML_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "mjml-attribute-tag",
    severity: "error",
    summary: "A Mustache tag is in an attribute whose value MJML needs while compiling.",
    details:
      "A Mustache tag is in an attribute whose value MJML needs while compiling: widths, paddings, modes, " +
      '`mj-class`. A tag in another part of such a value is fine: `border="1px solid {{color}}"`.',
    why:
      "MJML would compute `NaN` with it, or drop it. A button, an image and a social element also need to know " +
      'whether `href` is empty, because they have no `<a>` then. A variable on its own, `href="{{url}}"`, may be ' +
      "empty: the compiled template contains both versions, and a condition decides. A section around the whole " +
      "value is refused.\n\n" +
      "Three cases are warnings:\n\n" +
      "- MJML doesn't use the attribute here, such as the `name` of an image without a link, and does not print the " +
      "tag.\n" +
      '- `css-class="{{theme}}"` on a section or column. For Outlook, MJML repeats each class with `-outlook` ' +
      "appended. The number of class names in a variable is unknown, so it counts as one.\n\n" +
      "- A variable that may be empty, where MJML would then build the element differently and the compiled template " +
      'can\'t: `href="{{.}}"` in a list of strings, `border-radius="{{r}}"` where styles are inlined, or more ' +
      "than three such attributes on one element.",
    fix:
      "Write a fixed value. To vary the look, use `css-class` and `<mj-style>`. Where an attribute may be empty, put " +
      "the section around the whole element. For a class, let the schema allow only single class names " +
      '(`z.enum(["light", "dark"])`), or write the class names in sections: `css-class="{{#vip}}vip ' +
      'gold{{/vip}}"`.',
    examples: {
      wrong: [
        `<mjml>
<mj-body ‸width="{{width}}"></mj-body>
</mjml>`,
      ],
      right: [
        `<mjml>
<mj-body width="600px"></mj-body>
</mjml>`,
      ],
    },
  },
  {
    id: "mjml-attribute-value",
    severity: "warning",
    summary:
      "An attribute's value does not have the type that MJML expects, an `mj-class` is not defined, or a hero with " +
      "fluid height lacks the size of its background image.",
    details:
      "An attribute's value does not have the type that MJML expects, an `mj-class` is not defined, or a hero with " +
      "fluid height lacks the size of its background image.\n\n" +
      'MJML accepts any value for some attributes but supports only a few: `inline="inline"` of `<mj-style>`, the ' +
      '`mode` of `<mj-hero>`, `hamburger="hamburger"` of `<mj-navbar>`, `type` and `css-inline` of `<mj-include>`. ' +
      'Other values, such as `inline="true"`, are reported, too. Values that MJML passes to CSS unchanged, such as ' +
      "`border` and `font-weight`, are reported by [css-value](css-value.md).",
    why:
      'MJML prints the value unchanged, or ignores it. The height of a hero with `mode="fluid-height"` is computed ' +
      "from `background-width` and `background-height`; without them it is `NaN`, and no email client shows it.",
    fix: "Write a value of the type that the message names, with its unit.",
    examples: {
      wrong: [
        mjmlWith('<mj-section><mj-column><mj-text ‸padding="10">Hello</mj-text></mj-column></mj-section>'),
        `<mjml>
<mj-body ‸width="wide"></mj-body>
</mjml>`,
      ],
      right: [
        `<mjml>
<mj-body width="600px"></mj-body>
</mjml>`,
      ],
    },
  },
  {
    id: "mjml-column-width",
    severity: "warning",
    summary:
      "A `<mj-column>` without a width is inside a Mustache section, the columns of a row are wider than the row, or " +
      "a body is wider than any screen.",
    why:
      "MJML divides a row by the columns in the source. A column that is shown three times gets the width of one, " +
      "and if a column is hidden, the others do not grow. Outlook puts all columns of a row next to each other, " +
      "however wide; other clients move what doesn't fit to the next line. Columns in a `<mj-group>` share its " +
      "width; the padding of a section reduces the space for its columns.",
    fix:
      "Let the widths of a section's columns add up to 100%, or omit them. Columns that fill several rows exactly, " +
      "such as four of 50%, are not reported.\n\n" +
      "In a Mustache section, give the column a `width`, or put the Mustache section around a whole `<mj-section>`, " +
      "so that each item is a row.",
    examples: {
      wrong: [
        mjmlWith(`<mj-section>
<mj-column ‸width="60%"></mj-column>
<mj-column width="60%"></mj-column>
</mj-section>`),
      ],
      right: [
        mjmlWith(`<mj-section>
<mj-column width="50%"></mj-column>
<mj-column width="50%"></mj-column>
</mj-section>`),
      ],
    },
  },
  {
    id: "mjml-lost-text",
    severity: "error",
    summary: "There is text or a tag directly inside an element that may only contain elements.",
    why:
      "MJML drops such text silently, and a variable would end up between a table's rows, where browsers move it out " +
      "of the table. Section tags between elements are fine, and so is `{{{html}}}`.",
    fix: "Put text into `<mj-text>` and HTML into `<mj-raw>`.",
    examples: {
      wrong: [mjmlWith("<mj-section><mj-column>‸Hello</mj-column></mj-section>")],
      right: [mjmlWith("<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>")],
    },
  },
  {
    id: "mjml-section",
    severity: "error",
    summary:
      "A section begins in one element and ends in another, or surrounds something that MJML moves or takes apart, " +
      'or decides which element of a `<mj-wrapper gap="…">` comes first.',
    why:
      "MJML adds its own markup around each element, which would cut the section in two.\n\n" +
      "MJML omits the gap above the first element of a wrapper. If sections decide which element is first, the gap " +
      "follows them. A list that repeats the first element can't omit the gap for its first item only: the gap " +
      "stays, with a warning.",
    fix:
      "Begin and end the section in the same place: among the children of one element, in one text, or in one " +
      "attribute.",
    examples: {
      wrong: [
        mjmlWith(
          "<mj-section><mj-column><mj-text>‸{{#note}}Note:</mj-text><mj-text>{{note}}‸{{/note}}</mj-text></mj-column></mj-section>",
        ),
      ],
      right: [
        mjmlWith(
          "<mj-section><mj-column>{{#note}}<mj-text>Note:</mj-text><mj-text>{{note}}</mj-text>{{/note}}</mj-column></mj-section>",
        ),
      ],
    },
  },
  {
    id: "mjml-structure",
    severity: "error",
    summary: "The document's structure is not valid MJML.",
    details:
      "The document's structure is not valid MJML: `mj-body` or `mj-head` is missing or appears twice, an element is " +
      "not allowed where it is, or a closing tag has no opening tag.",
    why: "MJML drops or misplaces such elements.",
    fix: "Move the element to where the message says.",
    examples: {
      wrong: [mjmlWith("‸<mj-text>Hello</mj-text>")],
      right: [mjmlWith("<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>")],
    },
  },
  {
    id: "mjml-unclosed",
    severity: "error",
    summary: "An MJML element is never closed.",
    why: "MJML closes it in an arbitrary place and drops the rest of its content.",
    fix: "Close it where it ends; `<mj-image … />` is self-closing.",
    examples: {
      wrong: [mjmlWith("<mj-section><mj-column>‸<mj-text>Hello</mj-column></mj-section>")],
      right: [mjmlWith("<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>")],
    },
  },
  {
    id: "mjml-unknown-attribute",
    severity: "error",
    summary: "The element has no attribute of this name.",
    details:
      "The element has no attribute of this name. An error if the name looks misspelt or the value contains a tag, " +
      "otherwise a warning.",
    why: "MJML ignores it: a button with a misspelt `href` has no link.",
    fix: "Correct or remove it.",
    examples: {
      wrong: [
        mjmlWith(
          '<mj-section><mj-column><mj-button ‸herf="https://shop.example">Pay</mj-button></mj-column></mj-section>',
        ),
      ],
      right: [
        mjmlWith(
          '<mj-section><mj-column><mj-button href="https://shop.example">Pay</mj-button></mj-column></mj-section>',
        ),
      ],
    },
  },
  {
    id: "mjml-unknown-element",
    severity: "error",
    summary: "MJML has no element of this name.",
    why: "MJML drops it with all its content.",
    fix: "Correct the name; put HTML into `<mj-text>` or `<mj-raw>`.",
    examples: {
      wrong: [mjmlWith("<mj-section><mj-column>‸<mj-txt>Hello</mj-txt></mj-column></mj-section>")],
      right: [mjmlWith("<mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section>")],
    },
  },
];

/** Diagnostics of compiling components. */
export const REACT_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "environment-read",
    severity: "warning",
    summary: "A component's body depends on an environment variable that is read at compile time.",
    details:
      "A component's body depends on an environment variable that is read at compile time. Variables that are read " +
      "without changing the body, for example in a settings module, are not reported.",
    why:
      "A body is compiled once and sent many times, often from a laptop or from CI. Whatever the variable happens to " +
      "be there, set or not, ends up in every email.",
    fix:
      "Write the value into the template, or pass it as a variable. For image URLs, set `assets.baseUrl` and refer " +
      "to the images in `_assets` by relative paths. `NODE_ENV` may be read: it is always `production`.\n\n" +
      "Project code gets only a few environment variables: those that programs need, such as `PATH` and `LANG`, and " +
      "those whose names begin with `TEMPLATES_`, `NEXT_PUBLIC_`, `VITE_`, `PUBLIC_` or `REACT_APP_`, including " +
      "those in a `.env` file that the configuration names. See [environment variables for " +
      "templates](../guides/environments.md#environment-variables-for-templates).",
    examples: {
      wrong: [
        `export default function Order() {
  return <p>Hello from {process.env‸.VITE_SHOP ?? "Fernhill"}</p>;
}`,
      ],
      right: [
        `export default function Order() {
  return <p>Hello from Fernhill</p>;
}`,
      ],
    },
  },
  {
    id: "react-component",
    severity: "error",
    summary: "The component can't be rendered.",
    details: "The component can't be rendered: it is not the default export, or it throws.",
    why: "There is nothing to compile.",
    fix: "Fix it at the reported place.",
    examples: {
      wrong: [
        `export function Order() {
  return <p>Hello</p>;
}`,
      ],
      right: [
        `export default function Order() {
  return <p>Hello</p>;
}`,
      ],
    },
  },
  {
    id: "react-fixture",
    severity: "error",
    summary: "A React template has variables but no fixture.",
    why: "Only rendering with real values can prove that the compiled body is right.",
    fix:
      "Add `fixtures/default.json` or `PreviewProps`: the diagnostic contains an example. The preview shows the " +
      "template with made-up values; replace them there with realistic ones, and save them.",
    examples: {
      wrong: [
        `export default function Order({ name }) {
  return <p>Hello {name},</p>;
}`,
      ],
      right: [
        `export default function Order({ name }) {
  return <p>Hello {name},</p>;
}
Order.PreviewProps = { name: "Ada" };`,
      ],
    },
  },
  {
    id: "react-literal-tag",
    severity: "warning",
    summary: "A string in JSX becomes a Mustache tag, but neither a fixture nor the type has its variable.",
    why:
      'A component is compiled to Mustache, and Mustache tags in its own strings, `{"{{name}}"}`, stay tags. React ' +
      "itself would show the braces: if the variable is unknown, they may have been meant as text.",
    fix:
      "If it is a variable, add it to a fixture, and print it like any other: `{name}`. To show the braces, put " +
      "something between them, such as a space.",
    examples: {
      wrong: [
        `export default function Order({ total }) {
  return <p>{"‸{{name}}"}: {total}</p>;
}
Order.PreviewProps = { total: "€ 10" };`,
      ],
      right: [
        `export default function Order({ name }) {
  return <p>Hello {name},</p>;
}
Order.PreviewProps = { name: "Ada" };`,
      ],
    },
  },
  {
    id: "react-oracle",
    severity: "error",
    summary:
      "With the values of an example, or with longer lists of them, React's output differs from the filled compiled body.",
    why: "The email would differ from what the component renders; usually a decision was made at compile time.",
    fix: "Compute the deciding value in `derive`, or write the component so that Mustache can decide.",
  },
  {
    id: "react-preview-props",
    severity: "error",
    summary: "`PreviewProps` can't be used as a fixture.",
    why: "`PreviewProps` is an example of the component's props: JSON, dates and bigints.",
    fix: "Correct it as the message describes.",
  },
  {
    id: "react-undefined",
    severity: "error",
    summary: 'A string built from a variable contains the word "undefined" or "null" if the variable is missing.',
    why: "JavaScript prints these words, so the compiled body prints them too; customers would read them.",
    fix: 'Provide a fallback, such as `${name ?? ""}`, or make the variable required in the schema.',
    examples: {
      wrong: [
        'export default function Order({ name }: { name?: string }) {\n  return <p title={‸`For ${name}`}>Hello</p>;\n}\nOrder.PreviewProps = { name: "Ada" };',
      ],
      right: [
        'export default function Order({ name }: { name?: string }) {\n  return <p title={`For ${name ?? ""}`}>Hello</p>;\n}\nOrder.PreviewProps = { name: "Ada" };',
      ],
    },
  },
  {
    id: "react-unsupported",
    severity: "error",
    summary: "The component does something with a variable that can't be computed when an email is filled.",
    details:
      "The component does something with a variable that Mustache can't do, and that can't be recorded and computed when " +
      "an email is filled: it changes a variable, ends a loop early, or passes the variable to a component of a package that " +
      "computes with it.",
    why: "The result would be computed at compile time and be the same for every customer.",
    fix:
      "Change a copy instead of the variable, or compute it in `derive` in `variables.ts` and use the result in the component. " +
      "Print a variable outside package components that compute with it, and choose between whole class names where " +
      "Tailwind turns them into styles.",
    examples: {
      wrong: [
        `export default function Order({ items }) {
  return <p>Last: {‸items.pop()}</p>;
}
Order.PreviewProps = { items: ["Tea", "Jam"] };`,
      ],
      right: [
        `export default function Order({ items }) {
  return <p>Last: {items.at(-1)}</p>;
}
Order.PreviewProps = { items: ["Tea", "Jam"] };`,
      ],
    },
  },
];

/** An MJML document, for an example of what is in its body. */
function mjmlWith(body: string): string {
  return `<mjml>
<mj-body>
${body}
</mj-body>
</mjml>`;
}
