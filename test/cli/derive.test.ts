import { execFile } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { TestProject } from "./project.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

const MONEY = `export const money = (cents: number, currency: string) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
`;

const RECEIPT = `import { money } from "../_shared/money";

interface Props {
  /** As the customer wrote it. */
  name: string;
  order: { cents: number; currency: string };
  items: { title: string; quantity: number }[];
}

export default function Receipt({ name, order, items }: Props) {
  return (
    <div>
      <p>Hi {name.trim()}, your total is {money(order.cents, order.currency)}.</p>
      {items.map((item) => (
        <p key={item.title}>
          {item.quantity * 2} {item.title}
        </p>
      ))}
    </div>
  );
}
`;

const VARIABLES = {
  name: " Ada ",
  order: { cents: 123450, currency: "EUR" },
  items: [{ title: "Tea", quantity: 2 }],
};

function receipt(files: Readonly<Record<string, string>> = {}): TestProject {
  return new TestProject({
    "templates/_shared/money.ts": MONEY,
    "templates/receipt/receipt.tsx": RECEIPT,
    "templates/receipt/template.json": JSON.stringify({ subject: "Your receipt" }),
    "templates/receipt/fixtures/default.json": JSON.stringify(VARIABLES),
    ...files,
  });
}

describe("templates derive", () => {
  it("writes derive and reads its results in the component, which prints the same", async () => {
    const project = receipt();
    const before = await project.run(["render", "receipt", "--part", "html"]);
    expect(before.stdout).toContain("€1,234.50");
    expect(await project.run(["derive", "receipt"])).toEqual({
      code: 0,
      stdout: "  templates/receipt/receipt.tsx\n  templates/receipt/variables.ts\n",
      stderr: "",
    });
    expect(read(project, "templates/receipt/variables.ts")).toBe(`import { z } from "zod";

const schema = z.object({
  name: z.string().describe("As the customer wrote it."),
  order: z.object({
    cents: z.number(),
    currency: z.string(),
  }),
  items: z.array(z.object({
    title: z.string(),
    quantity: z.number(),
  })),
});

export default schema;

export function derive(variables: z.output<typeof schema>) {
  return {
    nameText: variables.name.trim(),
    orderCentsText: new Intl.NumberFormat("en-US", { style: "currency", currency: variables.order.currency }).format(variables.order.cents / 100),
    items: variables.items.map((item) => ({
      ...item,
      quantityValue: item.quantity * 2,
    })),
  };
}

export type Derived = ReturnType<typeof derive>;
`);
    const component = read(project, "templates/receipt/receipt.tsx");
    expect(component).toContain(
      `import { money } from "../_shared/money";\nimport type { Derived } from "./variables";\n\ninterface Props {`,
    );
    expect(component).toContain(
      "Receipt({ name, order, items, nameText, orderCentsText }: Omit<Props, keyof Derived> & Derived) {",
    );
    expect(component).toContain("<p>Hi {nameText}, your total is {orderCentsText}.</p>");
    expect(component).toContain("{item.quantityValue} {item.title}");
    expect(await project.run(["render", "receipt", "--part", "html"])).toEqual(before);
    expect(await project.run(["check", "receipt"])).toMatchObject({ code: 0 });

    expect(await project.run(["derive", "receipt"])).toEqual({
      code: 0,
      stdout: '"receipt" has no computed values.\n',
      stderr: "",
    });
    expect(JSON.parse((await project.run(["derive", "receipt", "--json"])).stdout)).toEqual({
      name: "receipt",
      names: [],
      files: [],
      unnamed: [],
    });
    expect(read(project, "templates/receipt/receipt.tsx")).toBe(component);
  });

  it("extends an existing derive, in files that compile under strict TypeScript", async () => {
    const project = receipt({ "templates/receipt/receipt.tsx": EXTENDED, "templates/receipt/variables.ts": EXISTING });
    expect(await project.run(["derive", "receipt"])).toMatchObject({ code: 0, stderr: "" });
    expect(read(project, "templates/receipt/variables.ts")).toBe(
      EXISTING.replace(
        "length\n  };",
        `length,
    nameText: variables.name.trim(),
    orderCentsText: new Intl.NumberFormat("en-US", { style: "currency", currency: variables.order.currency }).format(variables.order.cents / 100),
    items: variables.items.map((item) => ({
      ...item,
      quantityValue: item.quantity * 2,
    })),
  };`,
      ),
    );
    expect(await project.run(["derive", "receipt"])).toMatchObject({ stdout: '"receipt" has no computed values.\n' });
    expect(await typeErrors(project)).toBe("");
  });

  it("prints code to copy if derive is exported in another form, and changes nothing", async () => {
    const variables = `import { z } from "zod";
export { derive } from "./derived";
export default z.object({ name: z.string(), order: z.any(), items: z.array(z.any()) });
`;
    const project = receipt({
      "templates/receipt/variables.ts": variables,
      "templates/receipt/derived.ts": "export const derive = () => ({ today: 1 });\n",
    });
    const { code, stdout, stderr } = await project.run(["derive", "receipt"]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "The code of this variables.ts can't be extended automatically. Nothing was written. Make these changes by hand:\n\n",
    );
    expect(stdout).toContain(
      "Add to the object that derive returns in templates/receipt/variables.ts:\n\n    nameText: variables.name.trim(),\n",
    );
    expect(stdout).toContain(
      "Change templates/receipt/receipt.tsx (current line numbers):\n\nLine 2:\nimport type { Derived } from",
    );
    expect(stdout).toContain("Line 13:\n      <p>Hi {nameText}, your total is {orderCentsText}.</p>\n");
    expect(read(project, "templates/receipt/receipt.tsx")).toBe(RECEIPT);
    expect(read(project, "templates/receipt/variables.ts")).toBe(variables);
    const json = JSON.parse((await project.run(["derive", "receipt", "--json"])).stdout);
    expect(json).toMatchObject({
      files: [],
      names: ["nameText", "orderCentsText", "items"],
      instructions: stdout.trimEnd(),
    });
  });

  it("leaves computed what has no place in derive, and says why", async () => {
    const project = receipt({
      "templates/_shared/total.tsx":
        "export const Total = ({ of }: { of: number }) => <b>{(of / 100).toFixed(2)}</b>;\n",
      "templates/receipt/receipt.tsx": `import { Markdown } from "@react-email/components"; import { Total } from "../_shared/total";
export default function Receipt({ placedAt, cents }: { placedAt: string; cents: number }) {
  return <div><p>{new Date(placedAt).getFullYear()} {cents * 2} <Total of={cents} /></p><Markdown>{placedAt}</Markdown></div>;
}
`,
      "templates/receipt/fixtures/default.json": JSON.stringify({ placedAt: "2026-03-01T12:00:00Z", cents: 450 }),
    });
    const { code, stderr } = await project.run(["derive", "receipt"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `templates/receipt/receipt.tsx:3:19  new Date(placedAt).getFullYear() stays a computed value: derive would compute it in the time zone of the machine.
templates/_shared/total.tsx:1:54  (of / 100).toFixed(2) stays a computed value: other templates may use the module that it is in.
templates/receipt/receipt.tsx:3:89  <Markdown> stays a computed value: it is HTML, of which the text body has the text.
`,
    });
    expect(read(project, "templates/receipt/variables.ts")).toContain("    centsValue: variables.cents * 2,\n  };");
    expect(await project.run(["derive", "receipt"])).toMatchObject({
      code: 0,
      stdout: '"receipt" has no computed values that can get names.\n',
    });
  });

  it("uses the email's locale and time zone where the component names none", async () => {
    const project = receipt({
      "lettershop.config.json": JSON.stringify({ locale: "de-DE", timeZone: "Asia/Tokyo" }),
      "templates/receipt/receipt.tsx": `export default function Receipt({ placedAt, cents }: { placedAt: string; cents: number }) {
  return <p>{new Date(placedAt).toLocaleDateString(undefined, { month: "long", day: "numeric" })} {cents.toLocaleString()}</p>;
}
`,
      "templates/receipt/fixtures/default.json": JSON.stringify({ placedAt: "2026-03-01T22:00:00Z", cents: 123450 }),
    });
    expect(await project.run(["derive", "receipt"])).toMatchObject({ code: 0, stderr: "" });
    expect(read(project, "templates/receipt/variables.ts")).toContain(
      `derive(variables: z.output<typeof schema>, { locale, timeZone }: { locale: string; timeZone: string }) {
  return {
    placedAtText: new Date(variables.placedAt).toLocaleDateString(locale, { month: "long", day: "numeric", timeZone }),
    centsText: variables.cents.toLocaleString(locale),
  };
}`,
    );
    expect((await project.run(["render", "receipt", "--part", "text"])).stdout).toContain("2. März 123.450");
  });

  it("writes PreviewProps to a fixture, which derive needs, and keeps line ends and the byte order mark", async () => {
    const props = `Receipt.PreviewProps = ${JSON.stringify(VARIABLES)} satisfies Props;\n`;
    const project = receipt({ "templates/receipt/receipt.tsx": `\uFEFF${RECEIPT}${props}`.replaceAll("\n", "\r\n") });
    project.remove("templates/receipt/fixtures");
    expect(await project.run(["derive", "receipt"])).toMatchObject({
      code: 0,
      stdout:
        "  templates/receipt/receipt.tsx\n  templates/receipt/variables.ts\n  templates/receipt/fixtures/default.json\n",
    });
    expect(JSON.parse(read(project, "templates/receipt/fixtures/default.json"))).toEqual(VARIABLES);
    const component = read(project, "templates/receipt/receipt.tsx");
    expect(component.startsWith("\uFEFFimport { money }")).toBe(true);
    expect(component.replaceAll("\r\n", "")).not.toContain("\n");
    expect(component).toContain("      <p>Hi {nameText}, your total is {orderCentsText}.</p>\r\n");
  });

  it("restores the files if the template would print something else", async () => {
    const component = `import { Count } from "../_shared/count";
export default function Receipt({ items }: { items: { title: string }[] }) {
  return <div>{items.map((item) => <p key={item.title}>{item.title.trim()} <Count of={item} /></p>)}</div>;
}
`;
    const project = receipt({
      "templates/_shared/count.tsx":
        "export const Count = ({ of }: { of: object }) => <b>{Object.keys(of).length}</b>;\n",
      "templates/receipt/receipt.tsx": component,
      "templates/receipt/fixtures/default.json": JSON.stringify({ items: [{ title: "Tea" }] }),
    });
    const { code, stdout, stderr } = await project.run(["derive", "receipt"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The changed template prints something else\. Nothing was written\./),
    });
    expect(stdout).toContain("titleText: item.title.trim(),");
    expect(read(project, "templates/receipt/receipt.tsx")).toBe(component);
    expect(existsSync(project.path("templates/receipt/variables.ts"))).toBe(false);
  });

  it("restores the files if one can't be written", async () => {
    const props = `Receipt.PreviewProps = ${JSON.stringify(VARIABLES)};\n`;
    const project = receipt({ "templates/receipt/receipt.tsx": RECEIPT + props });
    project.remove("templates/receipt/fixtures");
    project.write({ "templates/receipt/fixtures/.keep": "" });
    project.remove("templates/receipt/fixtures");
    project.write({ "templates/receipt/fixtures": "not a folder" });
    expect(await project.run(["derive", "receipt"])).not.toMatchObject({ code: 0 });
    expect(read(project, "templates/receipt/receipt.tsx")).toBe(RECEIPT + props);
    expect(existsSync(project.path("templates/receipt/variables.ts"))).toBe(false);
  });

  it("refuses templates that have no computed values of their own, and names close ones", async () => {
    const project = receipt({
      "templates/plain.html": "<p>{{name}}</p>",
      "templates/flat.tsx": "export default function Flat() { return <p>Hi</p>; }\n",
      "templates/broken/broken.tsx": "export default 1;\n",
    });
    expect(await project.run(["derive", "recept"])).toMatchObject({
      code: 2,
      stderr: 'There is no template "recept" in templates.\nDid you mean receipt?\n',
    });
    expect(await project.run(["derive", "plain"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^"plain" is written in HTML\.\n/),
    });
    expect(await project.run(["derive", "flat"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^templates\/flat\.tsx is a single file, .*\nMove it to templates\/flat\/flat\.tsx, /,
      ),
    });
    expect(await project.run(["derive", "broken"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining('"broken" does not compile: 1 error.'),
    });
  });
});

/** The same component after an earlier run, with new values. */
const EXTENDED = RECEIPT.replace(
  /interface Props \{.*?\n\}\n/s,
  `import type { z } from "zod";
import type schema from "./variables";
import type { Derived } from "./variables";

type Props = Omit<z.output<typeof schema>, keyof Derived> & Derived;
`,
)
  .replace("({ name,", "({ count, name,")
  .replace("Hi {name", "{count} things for {name");

const EXISTING = `import { z } from "zod";

// What the shop passes.
const schema = z.object({
  name: z.string(), // as written
  order: z.object({ cents: z.number(), currency: z.string() }),
  items: z.array(z.object({ title: z.string(), quantity: z.number() })),
});
export default schema;

export function derive(variables: z.output<typeof schema>) {
  return {
    // Without duplicates.
    count: [...new Set(variables.items.map(({ title }) => title))].length
  };
}

export type Derived = ReturnType<typeof derive>;
`;

function read(project: TestProject, file: string): string {
  return readFileSync(project.path(file), "utf8");
}

async function typeErrors(project: TestProject): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2023",
    lib: ["es2023", "dom"],
    jsx: "react-jsx",
    types: [],
  };
  symlinkSync(path.join(repository, "node_modules/@types"), project.path("node_modules/@types"), "junction");
  project.write({ "tsconfig.json": JSON.stringify({ compilerOptions, include: ["templates"] }) });
  const compiler = path.join(repository, "node_modules", "typescript", "bin", "tsc");
  const run = promisify(execFile)(process.execPath, [compiler, "-p", ".", "--pretty", "false"], {
    cwd: project.folder,
  });
  return run.then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
}
