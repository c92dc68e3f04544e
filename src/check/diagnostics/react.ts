import type { DocumentedDiagnostic } from "../rule.js";

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
      "With the values of an example, or with these and longer lists, React renders something else than the filled " +
      "compiled body.",
    why: "The email would differ from what the component renders; usually a decision was made at compile time.",
    fix: "Compute the deciding value in `derive`, or write the component so that Mustache can decide.",
  },
  {
    id: "react-preview-props",
    severity: "error",
    summary: "`PreviewProps` can't be used as a fixture.",
    why: "`PreviewProps` is an example of the component's props, as JSON.",
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
    summary: "The component does something with a variable that Mustache can't do.",
    details:
      "The component does something with a variable that Mustache can't do: arithmetic, formatting, filtering. Or it " +
      "passes the variable to a package that computes with it.",
    why: "The result would be computed at compile time and be the same for every customer.",
    fix:
      "Compute it in `derive` in `variables.ts`. One of the errors contains the code for everything the template " +
      "computes, ready to paste into `variables.ts`, and the lines of the component that change with it. The others " +
      "say, each at its line, what to write there instead. Print a variable outside package components that compute " +
      "with it, and choose between whole class names where Tailwind turns them into styles.",
    examples: {
      wrong: [
        `export default function Order({ price }) {
  return <p>Total: {‸price * 1.2}</p>;
}
Order.PreviewProps = { price: 10 };`,
      ],
      right: [
        `export default function Order({ price }) {
  return <p>Total: {price}</p>;
}
Order.PreviewProps = { price: "€ 10" };`,
      ],
    },
  },
];
