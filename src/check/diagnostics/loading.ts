import { NAME_MAX } from "../../api/limits.js";
import type { DocumentedDiagnostic } from "../rule.js";

/** Diagnostics of loading templates, their fixtures and their variables. */
export const LOADING_DIAGNOSTICS: readonly DocumentedDiagnostic[] = [
  {
    id: "asset-missing",
    severity: "error",
    summary: "An image in an `_assets` folder doesn't exist.",
    why: "Every recipient would see a broken image.",
    fix: "Put the file into an `_assets` folder next to the template or above it, or correct the path.",
    examples: {
      wrong: ['<img src="‸./_assets/logo.png" alt="Fernhill">'],
      right: ['<img src="https://shop.example/logo.png" alt="Fernhill">'],
    },
  },
  {
    id: "fixture-json",
    severity: "error",
    summary: "A fixture is not valid JSON.",
    why: "Its values can't be filled in.",
    fix: "Fix it at the reported line and column.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada"‸, }' }],
      right: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
    },
  },
  {
    id: "fixture-kinds",
    severity: "error",
    summary:
      "A variable has different types in different fixtures, for example a list and an object, or a number and a " +
      "string.",
    why:
      "Without a schema, the types of variables come from the fixtures. It is unclear which of two types is meant, " +
      "and a tag can't suit both. A number and a string can both be printed, so that mix is only a warning: `4` and " +
      '`"4.00"` look different in the email, and the generated types accept both. Empty strings, words next to numbers in ' +
      "one list, `true`, `false` and `null` are not reported.",
    fix:
      "Use the same type in all fixtures. If both types are meant, declare them in `variables.ts`: " +
      "`z.union([z.string(), z.array(z.string())])`.",
    examples: {
      wrong: [
        {
          "order/order.html": "{{#items}}<p>Tea</p>{{/items}}",
          "order/fixtures/none.json": '{ "items": {} }',
          "order/fixtures/two.json": '{ "items": ‸[1, 2] }',
        },
      ],
      right: [
        {
          "order/order.html": "{{#items}}<p>Tea</p>{{/items}}",
          "order/fixtures/none.json": '{ "items": [] }',
          "order/fixtures/two.json": '{ "items": [1, 2] }',
        },
      ],
    },
  },
  {
    id: "fixture-object",
    severity: "error",
    summary: "A fixture is not an object.",
    why: "A fixture is what an application passes: an object with the variables.",
    fix: "Write `{ … }`.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '‸["Ada"]' }],
      right: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
    },
  },
  {
    id: "fixture-schema",
    severity: "error",
    summary:
      "A fixture does not match the template's schema or the type of the component's props, or has a name that they " +
      "don't have.",
    why:
      "A fixture is an example of what the application passes; a fixture that could never be sent tests nothing. zod " +
      "drops unknown names silently, so a misspelt optional name would go unnoticed. An unknown name is an error at " +
      "the top level and wherever it looks misspelt; elsewhere it is a warning.",
    fix:
      "Correct the fixture at the reported line, the schema in `variables.ts`, or the type at the place that the " +
      "message names. `templates types --explain NAME` shows where each type comes from. `PreviewProps` that don't " +
      "match the type are a warning: the type of that variable is then inferred from them. Write dates in fixtures " +
      'as strings: `"2026-03-14T09:30:00Z"`.',
    examples: {
      wrong: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": ‸36 }',
        },
      ],
      right: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
    },
  },
  {
    id: "metadata-json",
    severity: "error",
    summary: "`template.json` is not valid JSON.",
    why: "None of its settings can be used.",
    fix: "Fix it at the reported line and column.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order"‸, }' }],
      right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order" }' }],
    },
  },
  {
    id: "metadata-unknown-key",
    severity: "error",
    summary: "`template.json` has an unknown key.",
    why: "A misspelt key would be ignored silently.",
    fix: "Use the suggested name, or remove the key.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ ‸"subjct": "Your order" }' }],
      right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order" }' }],
    },
  },
  {
    id: "metadata-value",
    severity: "error",
    summary: "A value in `template.json` has the wrong type for its key.",
    why: "It can't be used.",
    fix: "Write a value of the type that the message names.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": ‸1 }' }],
      right: [{ "order/order.html": "<p>Hello</p>", "order/template.json": '{ "subject": "Your order" }' }],
    },
  },
  {
    id: "module",
    severity: "error",
    summary: "A module of the project can't be loaded.",
    why: "Templates that depend on it can't be compiled.",
    fix: "Fix it at the reported place.",
  },
  {
    id: "part-cycle",
    severity: "error",
    summary: "Files include each other in a circle.",
    why: "Expanding the includes would never end.",
    fix: "Remove one of the includes that the message lists.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>{{> ../_end}}", "_end.html": "‸{{> _end}}" }],
      right: [{ "order/order.html": "<p>Hello</p>{{> ../_end}}", "_end.html": "<p>Goodbye</p>" }],
    },
  },
  {
    id: "part-missing",
    severity: "error",
    summary: "An include or a partial names a file that doesn't exist or is not a text file.",
    why: "MJML would silently replace it with a comment.",
    fix:
      "Correct the path. A partial's path is relative to the templates root, or to the file that contains it if the " +
      "path begins with a dot; the path of an `mj-include` is relative to its file.",
    examples: {
      wrong: ["<p>Hello</p>‸{{> _shared/end}}"],
      right: [{ "order/order.html": "<p>Hello</p>{{> _shared/end}}", "_shared/end.html": "<p>Goodbye</p>" }],
    },
  },
  {
    id: "part-outside",
    severity: "error",
    summary: "An include or a partial points outside the templates root.",
    why: "Compiling must not read files outside the project's templates.",
    fix: "Move the file into the root, for example into `_shared/`.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>‸{{> ../../secret}}" }],
      right: [{ "order/order.html": "<p>Hello</p>{{> ../_end}}", "_end.html": "<p>Goodbye</p>" }],
    },
  },
  {
    id: "template-duplicate",
    severity: "error",
    summary: "Two templates have the same name, in two roots, or as a folder and as a file.",
    why: "Names are unique on the service: one would overwrite the other.",
    fix: "Rename one of them.",
    examples: {
      wrong: [{ "order.html": "<p>Hello</p>", "order/order.html": "<p>Hello</p>" }],
      right: [{ "order.html": "<p>Hello</p>", "receipt/receipt.html": "<p>Hello</p>" }],
    },
  },
  {
    id: "template-file",
    severity: "error",
    summary: "A file of a template can't be read as text.",
    why:
      "It is missing, unreadable, not UTF-8, or larger than 4 MB, which is too large for any body that the service " +
      "accepts.",
    fix: "Make it readable, and save it as UTF-8. Shorten a file that is too large.",
  },
  {
    id: "template-flat",
    severity: "warning",
    summary: "A file next to a single-file template is named as if it belonged to that template.",
    why: "A single-file template consists of its body alone; the other file is not read.",
    fix: "Move both into a folder of the template's name.",
    examples: {
      wrong: [{ "order.html": "<p>Hello</p>", "order.txt": "Hello" }],
      right: [{ "order/order.html": "<p>Hello</p>", "order/order.txt": "Hello" }],
    },
  },
  {
    id: "template-link",
    severity: "error",
    summary: "A symbolic link points outside the templates root, or to nothing.",
    why: "Compiling must not read files outside the project's templates.",
    fix: "Put the file itself there, or point the link to a place within the root.",
  },
  {
    id: "template-name",
    severity: "error",
    summary: "The service does not accept the template's name.",
    why:
      "Names consist of lower-case letters, digits, `-` and `_`, begin with a letter or digit, and have at most " +
      `${NAME_MAX} characters; \`__\` is reserved for locales.`,
    fix: "Rename the folder or file. Begin the name with `_` if it contains parts that templates share.",
    examples: { wrong: [{ "Your Order.html": "<p>Hello</p>" }], right: [{ "your-order.html": "<p>Hello</p>" }] },
  },
  {
    id: "template-no-body",
    severity: "error",
    summary: "A folder in the templates root has no body.",
    details:
      "A folder in the templates root has no body: no `NAME.mjml`, `NAME.tsx` or `NAME.html`, where `NAME` is the " +
      "folder's name.",
    why: "Every template needs a body; a folder without one is usually misnamed.",
    fix: "Name the body after its folder. If the folder is not a template, begin its name with `_`.",
    examples: { wrong: [{ "order/body.html": "<p>Hello</p>" }], right: [{ "order/order.html": "<p>Hello</p>" }] },
  },
  {
    id: "template-two-bodies",
    severity: "error",
    summary: "A template has more than one body.",
    why: "Only one of them could be compiled, and it is unclear which.",
    fix: "Keep one of them, and remove the others.",
    examples: {
      wrong: [{ "order/order.html": "<p>Hello</p>", "order/order.mjml": "<mjml><mj-body></mj-body></mjml>" }],
      right: [{ "order/order.html": "<p>Hello</p>" }],
    },
  },
  {
    id: "templates-root",
    severity: "error",
    summary: "A templates folder that the configuration names does not exist.",
    why: "Without it there is nothing to compile, and a mistyped path must not look like an empty project.",
    fix: "Create the folder, or correct `templates` in `lettershop.config.ts`.",
  },
  {
    id: "unknown-variable",
    severity: "error",
    summary: "A tag uses a variable that is not in the schema, or prints a list or an object as a whole.",
    why: "Every email would have nothing, or `[object Object]`, in its place.",
    fix: "Correct the name, add the variable to `variables.ts`, or use a section over it.",
    examples: {
      wrong: [
        {
          "order/order.html": "<p>Hello ‸{{nmae}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
      right: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
    },
  },
  {
    id: "variables-derive",
    severity: "error",
    summary: "`derive` threw or returned something that can't be filled in, or no fixture shows what it returns.",
    why:
      "Tags print what `derive` adds: it must be JSON, and the same for the same variables. The fixtures show what " +
      "it adds, so that tags can be checked against it, and so that a missing derived variable is never looked up " +
      "outside its section.",
    fix:
      "Return strings, numbers, booleans, and lists and objects of them. Don't return a promise, and use nothing but " +
      "the arguments. Return dates and amounts as formatted strings. Add a fixture if there is none.",
    examples: {
      wrong: [
        {
          "order/order.html": "<p>Total: {{total}}</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ price: z.number() });
export const derive = async ({ price }: { price: number }) => ({ total: price.toFixed(2) });`,
          "order/fixtures/default.json": '{ "price": 10 }',
        },
      ],
      right: [
        {
          "order/order.html": "<p>Total: {{total}}</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ price: z.number() });
export const derive = ({ price }: { price: number }) => ({ total: price.toFixed(2) });`,
          "order/fixtures/default.json": '{ "price": 10 }',
        },
      ],
    },
  },
  {
    id: "variables-module",
    severity: "error",
    summary: "`variables.ts` can't be loaded, or does not export what it must.",
    why:
      "Its default export describes the variables: a zod object schema. `derive` is a pure, synchronous function " +
      "that returns JSON.",
    fix: "Correct it as the message describes.",
    examples: {
      wrong: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `‸import { name } from "./_name";
import { z } from "zod";
export default z.object({ name });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
      right: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
    },
  },
  {
    id: "variables-schema",
    severity: "error",
    summary: "The default export of `variables.ts` is not a zod 4 object schema.",
    why:
      "The schema describes what the application passes: the generated types, the checks before sending and the " +
      "checks of tags are based on it.",
    fix: '`import { z } from "zod"; export default z.object({ … });` If you have zod 3, install zod 4.',
    examples: {
      wrong: [
        {
          "order/order.html": "<p>Hello</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.string();`,
        },
      ],
      right: [
        {
          "order/order.html": "<p>Hello {{name}},</p>",
          "order/variables.ts": `import { z } from "zod";
export default z.object({ name: z.string() });`,
          "order/fixtures/default.json": '{ "name": "Ada" }',
        },
      ],
    },
  },
];
