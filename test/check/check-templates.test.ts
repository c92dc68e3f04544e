import { describe, expect, it } from "vitest";
import { checkTemplates, type Rule } from "../../src/check/index.js";
import { subjectMissing } from "../../src/check/rules/subject/subject-missing.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { type Files, rebuilding, useProjects } from "../render/project.js";

const projects = useProjects();

/** What `check` finds in these files, by the rules of the package but for those about each template. */
async function check(files: Files, rules?: readonly Rule[]): Promise<readonly Diagnostic[]> {
  const root = await projects.write(files);
  const { templates } = loadTemplates([root]);
  const context = rebuilding(projects.context());
  const { diagnostics } = await checkTemplates({
    templates,
    context,
    ...(rules && { rules }),
  });
  return diagnostics;
}

describe("checkTemplates", () => {
  it("reports the findings of compiling and of rules, for broken templates and others", async () => {
    const found = await check({ "a.html": "<b>", "b.html": "<p>a</p>" }, [subjectMissing]);
    expect(found.map(({ rule, template }) => [rule, template])).toEqual([
      ["markup-unbalanced", "a"],
      ["subject-missing", "b"],
    ]);
  });

  it("reports a template that differs in every build, and where", async () => {
    const component = `import { number } from "./_number";\nexport default () => <p>{number}</p>;\nexport const subject = "Hi";`;
    const number = `const now = 1;\nexport const number =\n  Math.random() + now;`;
    const found = await check({ "x.tsx": component, "_number.ts": number }, []);
    expect(found).toMatchObject([{ rule: "not-reproducible", severity: "error", at: { line: 3 } }]);
    expect(found[0]?.at?.file).toMatch(/_number\.ts$/);
    expect(found[0]?.message).toMatch(/^The html_body differs between two builds: `1\.\d+`, then `1\.\d+`\.$/);
  });

  it("reports a value that exceeds the limits for computing at its line, and goes on with other templates", async () => {
    const component = `export const subject = "Hi";\nexport default ({ count }: { count: number }) => (\n  <p>{"ab".repeat(count).trim()}</p>\n);`;
    const found = await check({
      "a/a.tsx": component,
      "a/fixtures/default.json": '{"count": 1000000}',
      "b.html": "<b>",
    });
    expect(found.filter(({ severity }) => severity === "error")).toMatchObject([
      { rule: "react-unsupported", template: "a", at: { line: 3 } },
      { rule: "markup-unbalanced", template: "b" },
    ]);
    expect(found[0]?.message).toBe(
      '`"ab".repeat(count).trim()` can\'t be computed: A value is larger than an expression may use.',
    );
  });

  it("warns about the time in a body, although all builds of today are the same", async () => {
    const component = `export default function Email() {\n  return <p>© {new Date().getFullYear()} Acme</p>;\n}\nexport const subject = "Hi";`;
    const found = await check({ "x.tsx": component }, []);
    expect(found).toMatchObject([{ rule: "time-in-body", severity: "warning", at: { line: 2, column: 10 } }]);
    expect(found[0]?.message).toMatch(/: `© 20\d\d Acme` today, `© 20\d\d Acme` in a later build\.$/);
  });

  it("names the element that prints the time, and where else the time is read", async () => {
    const component = `import { shown } from "./_date";
export default function Email({
  name,
  year = new Date().getFullYear(),
}) {
  return (
    <div>
      <p>Hello {name}</p>
      <p>© {year} Acme, {shown()}</p>
    </div>
  );
}
Email.PreviewProps = { name: "Ada" };
export const subject = "Hi";`;
    const date = "export const shown = () =>\n  new Date().getFullYear();";
    const [found] = await check({ "x.tsx": component, "_date.ts": date }, []);
    expect(found).toMatchObject({ rule: "time-in-body", at: { line: 9, column: 7 } });
    expect(found?.hint).toBe(
      "Let the application pass it as a variable, such as sentAt. The code reads the time or a random value in line 4, _date.ts:2.",
    );
  });

  it("accepts a time that is never printed", async () => {
    const component = `export default function Email({ name }) { return <p>{name}</p>; }\nEmail.PreviewProps = { name: new Date().toISOString() };\nexport const subject = "Hi";`;
    expect(await check({ "x.tsx": component }, [])).toEqual([]);
  });

  it("tries variables that no fixture has", async () => {
    const component = `import { createElement } from "react";
import { isValidElement, Children } from "react";
export default function Email({ name, status }) {
  return <p>{name}</p>;
}
Email.PreviewProps = { name: "Ada", status: "x" };
export const subject = "Hi";`;
    expect(await check({ "x.tsx": component }, [])).toEqual([]);
  });
});
