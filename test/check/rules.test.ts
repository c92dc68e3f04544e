import { describe, expect, it } from "vitest";
import { checkCompiled, checkTemplates, type Rule } from "../../src/check/index.js";
import type { Diagnostic } from "../../src/diagnostic.js";
import { compileAll } from "../../src/render/compile.js";
import { recompile, tryVariations } from "../../src/render/recompile.js";
import { loadTemplates } from "../../src/template/load.js";
import { type Files, inColumn, useProjects } from "../render/project.js";

const projects = useProjects();

/** What the rules find, as `rule severity line:column`. */
async function findings(files: Files, options = {}): Promise<string[]> {
  const results = await projects.compile(files, options);
  const broken = results.find(({ compiled }) => !compiled);
  if (broken) throw new Error(JSON.stringify(broken.diagnostics));
  return checkCompiled(results).map(({ rule, severity, at }) => {
    const place = at?.line === undefined ? "" : ` ${at.line}:${at.column}`;
    return `${rule} ${severity}${place}`;
  });
}

/** A body that no rule has anything against. */
const page = (body: string) =>
  `<html><head><title>Hi</title></head><body><div style="display:none">Preview</div>\n${body}\n</body></html>`;

function image(attributes: string): string {
  return `<img src="https://a.example/b" ${attributes}>`;
}

function findingsOfLink(address: string): Promise<string[]> {
  return findings({ "x.html": page(`<a href="${address}">x</a>`) });
}

function schemaWith(more = ""): string {
  return `import { z } from "zod"; export default z.object({ name: z.string(), unused: z.string() }); ${more}`;
}

function findingsOfMany(count: number): Promise<string[]> {
  return findings(
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}.html`, page("<p>a</p>")])),
  );
}

describe("the rules", () => {
  it("have nothing against a good template", async () => {
    const body = page(
      '<p>{{name}}</p><img src="https://a.example/b" alt=""><a href="{{url}}">x</a><a href="#top">y</a>',
    );
    const files = { "x/x.html": body, "x/fixtures/default.json": '{ "name": "Ada", "url": "https://a.example" }' };
    expect(await findings(files)).toEqual([]);
  });

  it("subject-missing", async () => {
    expect(await findings({ "x.html": page("<p>a</p>").replace("<title>Hi</title>", "") })).toEqual([
      "subject-missing warning",
    ]);
  });

  it("preheader-missing", async () => {
    expect(await findings({ "x.html": "<title>Hi</title><p>a</p>" })).toEqual(["preheader-missing warning"]);
    const mjml = inColumn("<mj-text>a</mj-text>");
    const head = (elements: string) =>
      mjml.replace("<mjml>", `<mjml><mj-head><mj-title>Hi</mj-title>${elements}</mj-head>`);
    expect(await findings({ "x.mjml": head("") })).toEqual(["preheader-missing warning"]);
    expect(await findings({ "x.mjml": head("<mj-preview>Preview</mj-preview>") })).toEqual([]);
  });

  it("image-alt", async () => {
    expect(await findings({ "x.html": page(image("")) })).toEqual(["image-alt warning 2:11"]);
    expect(await findings({ "x.html": page(`<a href="https://a.example">${image('alt=""')}</a>`) })).toEqual([
      "image-alt warning 2:39",
    ]);
    expect(await findings({ "x.html": page(`<a href="https://a.example">${image('alt=""')} Home</a>`) })).toEqual([]);
  });

  it("unreachable-address", async () => {
    const found = ["unreachable-address error 2:10"];
    expect(await findingsOfLink("/pay")).toEqual(found);
    expect(await findingsOfLink("http://localhost:3000/pay")).toEqual(found);
    expect(await findingsOfLink("//127.0.0.1/pay")).toEqual(found);
    expect(await findingsOfLink("file:///pay")).toEqual(found);
    expect(await findingsOfLink("mailto:a@b.example")).toEqual([]);
    expect(await findingsOfLink("HTTPS://a.example")).toEqual([]);
  });

  it("unreachable-address, for images that have no address yet", async () => {
    const files = { "x.html": page('<img src="_assets/a.png" alt="">'), "_assets/a.png": "" };
    expect(await findings(files)).toEqual(["unreachable-address info 2:19"]);
    expect(await findings(files, { assets: { baseUrl: "https://cdn.example" } })).toEqual([]);
  });

  it("length-near-limit", async () => {
    const files = { "x/x.html": page("<p>a</p>"), "x/template.json": JSON.stringify({ subject: "s".repeat(226) }) };
    expect(await findings(files)).toEqual(["length-near-limit warning"]);
  });

  it("unused-variable", async () => {
    const files = {
      "x/x.html": page("<p>{{name}}</p>"),
      "x/fixtures/default.json": '{ "name": "Ada", "unused": "x" }',
    };
    expect(await findings({ ...files, "x/variables.ts": schemaWith() })).toEqual(["unused-variable warning"]);
    const derive = "export const derive = ({ unused }) => ({ more: unused });";
    const derived = { ...files, "x/x.html": page("<p>{{name}}{{more}}</p>"), "x/variables.ts": schemaWith(derive) };
    expect(await findings(derived)).toEqual([]);
  });

  it("variable-without-example", async () => {
    const files = { "x/x.html": page("<p>{{name}}{{#vip}}x{{/vip}}</p>") };
    expect(await findings(files)).toEqual(["variable-without-example warning"]);
    const example = { ...files, "x/fixtures/default.json": '{ "name": "Ada" }' };
    expect(await findings(example)).toEqual(["variable-without-example warning 2:12"]);
  });

  it("template-count", async () => {
    expect(await findingsOfMany(189)).toEqual([]);
    expect(await findingsOfMany(190)).toEqual(["template-count warning"]);
    expect(await findingsOfMany(201)).toEqual(["template-count error"]);
  });
});

/** What `check` finds in these files, by the rules of the package but for those about each template. */
async function check(files: Files, rules?: readonly Rule[]): Promise<readonly Diagnostic[]> {
  const root = await projects.write(files);
  const { templates } = loadTemplates([root]);
  const context = projects.context();
  return checkTemplates({
    templates,
    compile: (all) => compileAll(all, context),
    recompile: (all, clock) => recompile(all, context, clock),
    tryVariations: (result) => tryVariations(result, context),
    ...(rules && { rules }),
  });
}

describe("checkTemplates", () => {
  it("reports what compiling finds and what the rules find, broken templates hiding no other", async () => {
    const found = await check({ "a.html": "<b>", "b.html": page("<p>a</p>").replace("Hi", "") });
    expect(found.map(({ rule, template }) => [rule, template])).toEqual([
      ["markup-unbalanced", "a"],
      ["subject-missing", "b"],
    ]);
  });

  it("finds a template that is different in every build, and where", async () => {
    const component = `import { number } from "./_number";\nexport default () => <p>{number}</p>;\nexport const subject = "Hi";`;
    const number = `const now = 1;\nexport const number =\n  Math.random() + now;`;
    const found = await check({ "x.tsx": component, "_number.ts": number }, []);
    expect(found).toMatchObject([{ rule: "not-reproducible", severity: "error", at: { line: 3 } }]);
    expect(found[0]?.at?.file).toMatch(/_number\.ts$/);
    expect(found[0]?.message).toMatch(
      /^Two builds give a different html_body: `.*<p>1\.\d+.*`, then `.*<p>1\.\d+.*`\.$/,
    );
  });

  it("warns of the time in a body, though every build of today is the same", async () => {
    const component = `export default function Email() {\n  return <p>© {new Date().getFullYear()} Acme</p>;\n}\nexport const subject = "Hi";`;
    const found = await check({ "x.tsx": component }, []);
    expect(found).toMatchObject([{ rule: "time-in-body", severity: "warning", at: { line: 2, column: 16 } }]);
    expect(found[0]?.message).toMatch(/has `.*© 20\d\d Acme.*`, and in a year `.*© 20\d\d Acme.*`/);
  });

  it("is silent about a time that reaches no body", async () => {
    const component = `export default function Email({ name }) { return <p>{name}</p>; }\nEmail.PreviewProps = { name: new Date().toISOString() };\nexport const subject = "Hi";`;
    expect(await check({ "x.tsx": component }, [])).toEqual([]);
  });

  it("finds what differs with variables that no fixture has, and where", async () => {
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
