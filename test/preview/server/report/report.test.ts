import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem, TemplateReport } from "../../../../src/preview/contract.js";
import { reportOf } from "../../../../src/preview/server/report/report.js";
import { KINDS } from "./kinds.js";
import { useReports } from "./reports.js";

const reported = useReports();
const mjml = KINDS["mjml"] ?? {};
const react = KINDS["react"] ?? {};

function problem({ problems }: TemplateReport, rule: string): Problem {
  const found = problems.find((each) => each.rule === rule);
  if (!found) throw new Error(`No ${rule} among ${problems.map((each) => each.rule).join(", ")}`);
  return found;
}

/** The HTML from the start of an element. */
function elementAt({ report, compiled }: Awaited<ReturnType<typeof reported>>, place: number | undefined): string {
  const at = report.places[place ?? -1];
  return at ? compiled.html_body.slice(at.offset, at.offset + 60) : "";
}

describe("problems", () => {
  it("have the lines around them and the element that they are about, in an included file", async () => {
    const all = await reported(mjml);
    const found = problem(all.report, "insecure-address");
    expect(found.at).toEqual({ file: "_shared/footer.mjml", line: 4, column: 35 });
    expect(found.frame?.map(({ line, isAt }) => [line, isAt])).toEqual([
      [2, false],
      [3, false],
      [4, true],
      [5, false],
      [6, false],
    ]);
    expect(found.frame?.[2]?.text).toContain('<a href="http://teashop.com/about">');
    expect(elementAt(all, found.place)).toMatch(/^<a href="http:\/\/teashop\.com\/about"/);
    expect(found.page).toBe("insecure-address.md");
  });

  it("have the element in a shared component", async () => {
    const all = await reported(react);
    const found = problem(all.report, "suspicious-link");
    expect(found.at?.file).toBe("_shared/footer.tsx");
    expect(elementAt(all, found.place)).toMatch(/^<a href="https:\/\/bit\.ly/);
  });

  it("have no element if they are about none", async () => {
    const { report } = await reported({
      "flex.html":
        '<!doctype html>\n<html lang="en">\n<head><style>.a { display: flex }</style></head>\n<body><p class="a">a</p></body></html>',
    });
    const found = problem(report, "client-unsupported");
    expect([found.at?.line, found.place]).toEqual([3, undefined]);
    expect(problem(report, "subject-missing").place).toBeUndefined();
  });

  it("have no element if the sources are newer than what is shown", async () => {
    const { input } = await reported(mjml);
    const report = reportOf({ ...input, isBroken: true });
    expect(report.problems.every(({ place, frame, at }) => place === undefined && (frame ?? !at?.line))).toBe(true);
    expect(report.links.flatMap(({ problems }) => problems)).toEqual([]);
    expect(report.places.length).toBeGreaterThan(10);
  });

  it("cut lines that no screen has room for", async () => {
    const { input } = await reported(mjml);
    const read = () => `${"a".repeat(5_000)}<b>${"c".repeat(5_000)}`;
    const at = { file: path.join(input.folder, "long.html"), line: 1, column: 5_001 };
    const [found] = reportOf({
      ...input,
      read,
      diagnostics: [{ rule: "x", severity: "error", message: "m", at }],
    }).problems;
    expect(found?.frame?.[0]?.text).toContain("<b>");
    expect(found?.frame?.[0]?.text.length).toBeLessThan(300);
  });

  it("are complete for a template that never compiled", async () => {
    const { input } = await reported(mjml);
    const report = reportOf({ ...input, shown: undefined, sited: undefined });
    expect(report.problems).toHaveLength(input.diagnostics.length);
    expect([report.places, report.links, report.sizes, report.clients.clients]).toEqual([[], [], [], []]);
    expect(report.clients.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

describe("links and images", () => {
  it("are those of the HTML, with their tags and their problems", async () => {
    const all = await reported(mjml);
    const { links, images } = all.report;
    expect(links.map(({ href, text }) => [href, text])).toEqual([
      ["{{url}}", "{{name}}"],
      ["https://teashop.com/{{id}}", "Go"],
      ["http://teashop.com/about", "us"],
    ]);
    expect(links[2]?.problems[0]).toMatchObject({ severity: "warning", message: expect.stringContaining("http:") });
    expect(links[0]?.problems).toEqual([]);
    expect(elementAt(all, links[1]?.place)).toMatch(/^<a href="https:\/\/teashop\.com\/\{\{id\}\}"/);
    expect(images).toMatchObject([{ src: "https://cdn.teashop.com/footer.webp", alt: "", width: "550" }]);
    expect(images[0]?.problems.some(({ message }) => message.includes("alt text"))).toBe(true);
    expect(elementAt(all, images[0]?.place)).toMatch(/^<img /);
  });

  it("keep problems of a link apart from those of the image inside it", async () => {
    const { report } = await reported({
      "a.html":
        '<!doctype html><html lang="en"><body><a href="http://a.teashop.com"><img src="https://a.teashop.com/a.png" width="10" height="10"></a></body></html>',
    });
    expect(report.links[0]?.problems.some(({ message }) => message.includes("http:"))).toBe(true);
    expect(report.links[0]?.problems.some(({ message }) => message.includes("alt text"))).toBe(false);
    expect(report.images[0]?.alt).toBeUndefined();
    expect(report.images[0]?.problems.some(({ message }) => message.includes("alt text"))).toBe(true);
  });

  it("include background images", async () => {
    const { report } = await reported({
      "a.html":
        '<html><body><table><tr><td background="https://a.teashop.com/b.png" style="background:url(https://a.teashop.com/c.png)">a</td></tr></table></body></html>',
    });
    expect(report.images.map(({ src }) => src)).toEqual(["https://a.teashop.com/b.png", "https://a.teashop.com/c.png"]);
  });
});

describe("client support", () => {
  it("has a row for each configured client", async () => {
    const { report } = await reported(mjml, { clients: ["gmail.ios", "outlook.windows", "apple-mail.ios"] });
    const { clients } = report.clients;
    expect(clients.map(({ name }) => name)).toEqual(["Apple Mail (iOS)", "Gmail (iOS)", "Outlook (Windows)"]);
    const [apple, , outlook] = clients.map(({ features }) => features.find(({ name }) => name === "display:grid"));
    expect(apple).toBeUndefined();
    expect(outlook).toMatchObject({
      support: "none",
      loss: "content",
      note: "Use tables for layout: they work everywhere.",
      page: "https://www.caniemail.com/features/css-display-grid/",
      at: { file: "receipt/receipt.mjml", line: 4 },
    });
    const webp = clients[2]?.features.find(({ name }) => name.startsWith("webP"));
    expect(webp).toMatchObject({ support: "none", at: { file: "_shared/footer.mjml" } });
    expect(webp?.place).toBeDefined();
  });
});

describe("sizes", () => {
  it("are counted as the service counts them, and as Gmail does with the largest fixture", async () => {
    const { report, compiled } = await reported(mjml);
    const [filled, html, text, subject] = report.sizes;
    expect(filled).toMatchObject({ fixture: "large", limit: 104_448, unit: "bytes" });
    expect(filled?.value).toBeGreaterThan(compiled.html_body.length);
    expect([html?.value, text?.value, subject?.value]).toEqual([
      compiled.html_body.length,
      compiled.text_body.length,
      compiled.subject.length,
    ]);
    expect(report.sizes.map(({ limit }) => limit).slice(1)).toEqual([100_000, 100_000, 250, 500, 250]);
    expect(report.sizes.every(({ consequence }) => consequence.endsWith("."))).toBe(true);
  });
});

describe("variables", () => {
  const files = {
    "order/order.html":
      '<html><body><p title="{{name}}">{{{note}}}{{#lines}}<b>{{title}}</b>{{/lines}}{{#tags}}<i>{{.}}</i>{{/tags}}{{total}}{{#lines has-items}}<hr>{{/lines}}</p></body></html>',
    "order/template.json": '{ "subject": "Order of {{name}}" }',
    "order/variables.ts": `import { z } from "zod";
export default z.object({
  name: z.string(),
  note: z.string().nullable().optional(),
  status: z.enum(["paid", "open"]),
  at: z.iso.date(),
  lines: z.array(z.object({ title: z.string(), count: z.int() })),
  tags: z.array(z.string()),
});
export function derive() {
  return { total: "4" };
}
`,
    "order/fixtures/default.json": JSON.stringify({
      name: "Ada",
      note: "b",
      status: "paid",
      at: "2026-01-01",
      lines: [{ title: "Tea", count: 1 }],
      tags: ["a"],
    }),
  };

  it("are those of the contract, with their types in words", async () => {
    const { report } = await reported(files);
    const words = report.variables.map(({ path: name, type, isRequired, isDerived }) =>
      [name, type, isRequired ? "required" : "optional", ...(isDerived ? ["derived"] : [])].join(" | "),
    );
    expect(words).toEqual([
      "name | string | required",
      "note | string or nothing | optional",
      'status | "paid" or "open" | required',
      "at | date | required",
      "lines | list of objects | required",
      "lines[].title | string | required",
      "lines[].count | whole number | required",
      "tags | list of strings | required",
      "total | string | required | derived",
    ]);
  });

  it("have each of their uses, including conditions that sections test", async () => {
    const all = await reported(files);
    const uses = (name: string) =>
      all.report.variables
        .find(({ path: each }) => each === name)
        ?.uses.filter(({ part }) => part !== "text")
        .map(({ part, tag, kind, at }) => [part, tag, kind, at && path.basename(at.file)]);
    expect(uses("name")).toEqual([
      ["subject", "{{{name}}}", "raw", "template.json"],
      ["html", "{{name}}", "escaped", "order.html"],
    ]);
    expect(uses("note")).toEqual([["html", "{{{note}}}", "raw", "order.html"]]);
    expect(uses("lines")?.map(([, tag, kind]) => [tag, kind])).toEqual([
      ["{{#lines}}", "section"],
      ["{{#lines__has_items}}", "section"],
    ]);
    expect(uses("tags")?.map(([, tag]) => tag)).toEqual(["{{#tags}}", "{{.}}"]);
    expect(uses("status")).toEqual([]);
    const title = all.report.variables.find(({ path: each }) => each === "lines[].title");
    expect(title?.uses.map(({ part }) => part)).toEqual(["html", "text"]);
    expect(elementAt(all, title?.uses[0]?.place)).toMatch(/^<b>\{\{title\}\}/);
  });

  it("of a hand-written text body are reported at their position", async () => {
    const { report } = await reported({
      ...files,
      "order/order.txt": "Hi\n{{name}}{{#lines}}{{title}}{{/lines}}{{#tags}}{{.}}{{/tags}}{{note}}{{total}}",
    });
    const use = report.variables[0]?.uses.find(({ part }) => part === "text");
    expect(use).toMatchObject({ tag: "{{{name}}}", at: { file: "order/order.txt", line: 2, column: 1 } });
  });
});

describe("a report", () => {
  it("is the same for the same input, and is JSON", async () => {
    const { report, input } = await reported(react);
    expect(reportOf(input)).toEqual(report);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(JSON.stringify(report)).not.toContain(JSON.stringify(input.folder).slice(1, -1));
  });

  it("contains every file with its path in the project", async () => {
    const { report, input } = await reported(mjml);
    const files = new Set([...report.places, ...report.problems.flatMap(({ at }) => at ?? [])].map(({ file }) => file));
    for (const file of files) expect(readFileSync(path.join(input.folder, file), "utf8"), file).not.toBe("");
  });
});
