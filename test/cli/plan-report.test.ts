import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanDocument } from "../../src/cli/report/plan/document.js";
import { errorsMarkdown, planMarkdown } from "../../src/cli/report/plan/markdown.js";
import { planDocument, withResult } from "../../src/cli/report/plan/plan-document.js";
import { planText } from "../../src/cli/report/plan/terminal.js";
import type { Content, ContentField } from "../../src/sync/content.js";
import type { FieldChange, Held, Operation, Plan, UpdateOperation } from "../../src/sync/plan/plan.js";

const schema = fileURLToPath(new URL("../../docs/sync-output.schema.json", import.meta.url));
const validate = new Ajv2020().compile(JSON.parse(readFileSync(schema, "utf8")) as object);
const screen = { columns: 80, style: (_format: unknown, text: string): string => text };
const environment = { name: "production", domain: "example.com" };
const base = { updatedAt: "2026-01-01T00:00:00.000Z", hash: "u0Yw3kq_Zb" };
const nothing: Plan = {
  steps: [],
  held: [],
  unchanged: [],
  unmanaged: [],
  retired: [],
  proposals: [],
  obstacles: [],
  requests: [],
};

function contentOf(name: string): Content {
  return { subject: `For ${name}`, description: "", html_body: "<p>Hi</p>", text_body: "Hi" };
}

function update(name: string, ...changes: readonly FieldChange[]): UpdateOperation {
  return { kind: "update", name, target: { content: contentOf(name), hash: "h" }, changes, base };
}

function change(from: string, to: string, field: ContentField = "text_body"): FieldChange {
  return { field, from, to };
}

function documentOf(plan: Partial<Plan>): PlanDocument {
  return planDocument({ ...nothing, ...plan }, { environment, local: [] });
}

function markdownOf(document: PlanDocument, bytes = 65_536): string {
  return planMarkdown(document, { bytes, seeAll: "templates diff --env production" });
}

/** Markdown as rendered text. */
function rendered(markdown: string): string {
  return markdown.replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
}

/** Joins wrapped rows. */
function flat(text: string): string {
  return text.replace(/\s+/g, " ");
}

/** Text that imitates markup and commands. */
const wild = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "```",
        "</details>",
        "\u001b[2J",
        "\u202e",
        "@everyone",
        "/close\n",
        "| a |",
        "<b>",
        "\r\n",
        "~~~~",
        "&amp;",
        "[x](y)",
        "{{name}}",
        "日本",
        "😀",
      ),
      fc.string({ maxLength: 12 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,30}$/), { minLength: 12, maxLength: 40 });

const changes = fc
  .uniqueArray(fc.constantFrom<ContentField>("subject", "description", "text_body", "html_body"), { minLength: 1 })
  .chain((fields) =>
    fc.tuple(...fields.map((field) => fc.record({ field: fc.constant(field), from: wild, to: wild }))),
  );

/** Plans in which each name occurs only once, like real ones. */
const plans: fc.Arbitrary<Plan> = names.chain((all) =>
  fc
    .tuple(
      fc.array(fc.nat(9), { minLength: all.length, maxLength: all.length }),
      fc.array(changes, { minLength: all.length, maxLength: all.length }),
      wild,
    )
    .map(([parts, differences, text]) => {
      const of = (part: number): string[] => all.filter((_name, index) => parts[index] === part);
      const changesOf = (name: string): FieldChange[] => differences[all.indexOf(name)] ?? [];
      const heldAs =
        (kind: Held["kind"], more: Partial<Held> = {}) =>
        (name: string): Held => ({
          kind,
          name,
          changes: changesOf(name),
          ...more,
        });
      const operations: Operation[] = [
        ...of(0).map((name): Operation => ({ kind: "create", name, target: { content: contentOf(name), hash: "h" } })),
        ...of(1).map((name) => update(name, ...changesOf(name))),
        ...of(2).map((name) => update(name)),
        ...of(3).map((name): Operation => ({ ...update(name, ...changesOf(name)), kind: "rename", to: `${name}-now` })),
        ...of(4).map((name): Operation => ({ kind: "delete", name, base })),
      ];
      return {
        ...nothing,
        steps: [operations],
        held: [
          ...of(5).map(heldAs("drifted")),
          ...of(6).map(heldAs("foreign", { owner: text })),
          ...of(7).map(heldAs("breaking", { breaking: [{ variable: "order.total", effect: "would be blank" }] })),
        ],
        retired: of(8),
        unchanged: of(9),
        proposals: of(0)
          .slice(0, 1)
          .map((to) => ({ from: `${to}-once`, to })),
        obstacles: text === "" ? [] : [{ message: text }],
        requests: [{ endpoint: "PUT /domains/:domain/templates/:name", count: operations.length, limit: 30 }],
      };
    }),
);

describe("the plan's printers", () => {
  it("contain the same names and counts, without control characters or active markup", () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const document = documentOf(plan);
        const text = planText(document, screen);
        const markdown = markdownOf(document);
        const reports = [flat(text), flat(rendered(markdown))];
        const { unchanged, unmanaged, ...others } = document;
        const all = [
          ...others.operations.flatMap(({ name, to }) => (to === undefined ? [name] : [name, to])),
          ...others.held.map(({ name }) => name),
          ...others.retired,
          ...others.proposals.flatMap(({ from, to, line }) => [from, to, line]),
        ];
        for (const name of all) for (const printed of reports) expect(printed).toContain(name);
        for (const count of Object.values(document.counts).filter((number) => number > 0))
          for (const printed of reports) expect(printed).toMatch(new RegExp(`\\b${count} `));
        for (const { flag } of document.held)
          for (const printed of reports) expect(printed).toContain(flag.split(" ")[0]);
        // oxlint-disable-next-line no-control-regex -- that there are none is what is tested
        expect(text + markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
        expect(outsideFences(markdown)).not.toMatch(/@everyone|^\/|<b>|\[x\]\(y\)/m);
        expect(JSON.parse(JSON.stringify(document))).toEqual(document);
        expect(validate(document) || validate.errors).toBe(true);
        expect([...unchanged, ...unmanaged]).toHaveLength(document.counts.unchanged);
      }),
      { numRuns: 60 },
    );
  });

  it("limit the page to 65,536 bytes, with all names and the summary", () => {
    const long = (salt: string, lines: number): string =>
      Array.from({ length: lines }, (_, index) => `<p>${salt} ${index} 日本語の長い行</p>`).join("\n");
    const many = Array.from({ length: 200 }, (_, index) => `template-with-a-name-${index}`);
    for (const lines of [1, 20, 400]) {
      const steps = [many.map((name) => update(name, change(long("a", lines), long(name, lines), "html_body")))];
      const held: Held[] = [{ kind: "drifted", name: "the-held-one", changes: [change("a", "b")] }];
      const markdown = markdownOf(documentOf({ steps, held }));
      expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(65_536);
      for (const name of [...many, "the-held-one"]) expect(markdown).toContain(`\`${name}\``);
      expect(markdown).toContain("200 to update, 1 held back.");
    }
    const longest = many.map((name) => name.padEnd(250, "x"));
    const steps = [
      [
        ...longest.map((name) => update(name)),
        ...longest.map((name): Operation => ({ kind: "delete", name: `d${name}`, base })),
      ],
    ];
    expect(Buffer.byteLength(markdownOf(documentOf({ steps })))).toBeLessThanOrEqual(65_536);
  });

  it("shorten long diffs on the page, keep short ones, and count the lines that are not shown", () => {
    const numbered = (word: string, lines: number): string =>
      Array.from({ length: lines }, (_, index) => `${word} ${index} of a long text`).join("\n");
    const long = (name: string) => update(name, change(numbered("old", 3000), numbered(`new ${name}`, 3000)));
    const small = Array.from({ length: 20 }, (_, index) => update(`small-${index}`, change("was", `is ${index}`)));
    const held: Held[] = [
      { kind: "drifted", name: "held-small", changes: [change("theirs", "ours")] },
      { kind: "conflict", name: "held-long", changes: [change(numbered("theirs", 3000), numbered("mine", 3000))] },
    ];
    const document = documentOf({ steps: [[long("long-a"), ...small, long("long-b")]], held });
    const markdown = markdownOf(document);
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(30_000);
    for (const { changes: differences } of small) expect(markdown).toContain(`- was\n+ ${differences[0]?.to}\n`);
    expect(markdown).toContain("- theirs\n+ ours\n");

    const shownOf = (name: string): number => markdown.match(new RegExp(`^[-+] ${name} \\d+ of`, "gm"))?.length ?? 0;
    const missing = [...rendered(markdown).matchAll(/^(\d+) changed lines are not shown\. To see all, run: (.*)$/gm)];
    expect(missing.map(([, , seeAll]) => seeAll)).toEqual(Array(3).fill("`templates diff --env production`"));
    expect(missing.reduce((sum, [, lines]) => sum + Number(lines), 0)).toBe(
      3 * 6000 - ["old", "new long-a", "new long-b", "theirs", "mine"].reduce((sum, name) => sum + shownOf(name), 0),
    );
    for (const name of ["theirs", "new long-a", "new long-b"]) expect(shownOf(name)).toBeGreaterThan(20);
    expect(markdownOf(document, 1_048_576)).not.toContain("not shown");
  });

  it("list templates that do not compile, with a limited number of errors", () => {
    const errors = Array.from({ length: 500 }, (_, index) => ({
      message: `Error ${index} <b>${"x".repeat(10_000)}`,
      place: `templates/t${index}.html:1:2`,
      templates: [`t${index}`],
    }));
    const document = { ...documentOf({ unchanged: ["a"] }), errors };
    expect(validate(document) || validate.errors).toBe(true);
    for (const printed of [
      planText(document, screen),
      rendered(markdownOf(document)),
      rendered(errorsMarkdown("production", errors, 65_536)),
    ]) {
      expect(flat(printed)).toContain("500 templates have errors");
      expect(flat(printed)).toContain("templates/t7.html:1:2: Error 7 <b>xxx");
      expect(flat(printed)).toContain("480 more errors");
      for (const { templates } of errors) expect(printed).toContain(templates[0]);
      expect(printed.length).toBeLessThan(30_000);
    }
  });

  it("show a change of a shared part once, with its file, the templates and the requests", () => {
    const many = Array.from({ length: 200 }, (_, index) => `t${String(index).padStart(3, "0")}`);
    const plan: Plan = {
      ...nothing,
      steps: [many.map((name) => update(name, change(`For ${name}\nRow 14`, `For ${name}\nRow 22`)))],
      requests: [{ endpoint: "PUT /domains/:domain/templates/:name", count: 200, limit: 30 }],
    };
    const local = many.map((name) => ({
      name,
      template: name,
      content: contentOf(name),
      sources: ["templates/_shared/footer.txt", `templates/${name}/${name}.html`],
    }));
    const readSource = (file: string): string => (file.endsWith("footer.txt") ? "Row 22" : "<p>Hi</p>");
    const lines = planText(planDocument(plan, { environment, local, readSource }), screen).split("\n");
    expect(lines[0]).toBe("~ 200 templates get the same change, from templates/_shared/footer.txt");
    expect(lines.slice(-6)).toEqual([
      "    text of all 200 from templates/_shared/footer.txt",
      "    - Row 14",
      "    + Row 22",
      "",
      "Plan for production (example.com): 200 to update.",
      "200 requests, at least 6 min because of the rate limits.",
    ]);
    for (const name of many) expect(lines.join("\n").match(new RegExp(`\\b${name}\\b`, "g"))).toHaveLength(1);
  });

  it("say that the documented limits are used if the service reports none", () => {
    const endpoint = "PUT /domains/:domain/templates/:name";
    const timeLine = (limit: { limit?: number }) =>
      flat(planText(documentOf({ requests: [{ endpoint, count: 200, ...limit }] }), screen));
    expect(timeLine({ limit: 30 })).toContain("200 requests, at least 6 min because of the rate limits.");
    expect(timeLine({})).toContain(
      "200 requests, at least 6 min at the documented rate limits; the service reports none.",
    );
  });

  it("name one of many files with the same edit, and their number", () => {
    const many = Array.from({ length: 200 }, (_, index) => `t${String(index).padStart(3, "0")}`);
    const steps = [many.map((name) => update(name, change("Row 14", "Row 22")))];
    const local = many.map((name) => ({
      name,
      template: name,
      content: contentOf(name),
      sources: [`templates/${name}/${name}.txt`],
    }));
    const document = planDocument({ ...nothing, steps }, { environment, local, readSource: () => "Row 22" });
    const lines = planText(document, screen).split("\n");
    expect(lines.slice(0, 2).join("")).toBe(
      "~ 200 templates get the same change, from 200 files such as  templates/t000/t000.txt",
    );
    expect(lines).toContain("    text of all 200 from 200 files such as templates/t000/t000.txt");
    expect(flat(rendered(markdownOf(document)))).not.toContain("t001.txt");
  });

  it("count each rename of a chain", () => {
    const rename = (name: string, to: string): Operation => ({ ...update(name), kind: "rename", to });
    const document = documentOf({ steps: [[rename("c", "d")], [rename("b", "c")], [rename("a", "b")]] });
    expect(document.counts).toMatchObject({ rename: 3 });
    expect(planText(document, screen)).toContain("Plan for production (example.com): 3 to rename.");
  });

  it("don't count requests of a plan that can't be applied", () => {
    const requests = [{ endpoint: "PUT /domains/:domain/templates/:name", count: 1 }];
    const plan = { steps: [[update("a", change("x", "y"))]], requests };
    expect(planText(documentOf(plan), screen)).toContain("1 request, no waiting.");
    expect(planText(documentOf({ ...plan, obstacles: [{ message: "Too long." }] }), screen)).not.toContain("1 request");
  });

  it("show what --prune keeps, and the previous name of a new template", () => {
    const held: Held[] = [{ kind: "drifted", name: "gone", changes: [] }];
    const create: Operation = {
      kind: "create",
      name: "order-paid",
      target: { content: contentOf("order-paid"), hash: "h" },
      renamedFrom: "receipt",
    };
    const text = flat(planText(documentOf({ held, steps: [[create]] }), screen));
    expect(text).toContain("gone: no longer in the project, but edited on the service, so --prune does not delete it");
    expect(text).toContain("order-paid For order-paid, renamed from receipt, which stays until --prune");
  });

  it("fold long diffs and show text before HTML, on rows that fit", () => {
    const numbered = (word: string): string => Array.from({ length: 40 }, (_, index) => `${word} ${index}`).join("\n");
    const html = `<p style="${"color: red; ".repeat(60)}">Old end of a long line</p>`;
    const operation = update(
      "receipt",
      change(html, html.replace("Old", "New"), "html_body"),
      change(numbered("old"), numbered("new")),
    );
    const text = planText(documentOf({ steps: [[operation]] }), screen);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text).toContain("    - … 34 more lines\n    + new 0\n");
    const whole = planText(documentOf({ steps: [[operation]] }), { ...screen, isWhole: true });
    expect(whole).toContain("    + new 39\n");
    expect(text.indexOf("text\n")).toBeLessThan(text.indexOf("html\n"));
    expect(text).toContain("    - …Old end of a long line");
  });

  it("suggest a rename with names in the project", () => {
    const local = [{ name: "stg-order-x", template: "order", content: contentOf("order"), sources: [] }];
    const plan = { ...nothing, proposals: [{ from: "stg-receipt-x", to: "stg-order-x" }] };
    expect(planDocument(plan, { environment, local }).proposals).toEqual([
      { from: "stg-receipt-x", to: "stg-order-x", template: "order", line: '"renamedFrom": "receipt"' },
    ]);
  });
});

describe("the result's printers", () => {
  it("report what was and wasn't applied, the backups, and how to continue", () => {
    const [a, b, c, d, e, f, g] = Array.from("abcdefg", (name) => update(name, change("x", "y"))) as [
      UpdateOperation,
      UpdateOperation,
      UpdateOperation,
      UpdateOperation,
      UpdateOperation,
      UpdateOperation,
      UpdateOperation,
    ];
    const document = withResult(
      documentOf({ steps: [[a, b, c, d, e, f, g]] }),
      {
        outcomes: [
          {
            operation: a,
            result: "applied",
            differs: [{ field: "text_body", sent: "", stored: "", at: 0 }],
            touched: ["subject"],
          },
          { operation: b, result: "failed", error: new Error("The moon is wrong.") },
          { operation: c, result: "unknown", error: new Error("No answer.") },
          { operation: d, result: "moved" },
          { operation: e, result: "notAttempted" },
          { operation: f, result: "overtaken" },
          { operation: g, result: "applied", differs: [], touched: [], unwritten: true },
        ],
        stopped: new Error("Out of reach."),
        unseen: new Error("The list is gone."),
      },
      { backups: ".lettershop/before", interrupted: false, again: "templates sync --env production" },
    );
    expect(document.result).toEqual({
      applied: [
        { kind: "update", name: "a" },
        { kind: "update", name: "g" },
      ],
      unwritten: [{ kind: "update", name: "g" }],
      differs: [{ name: "a", fields: ["text_body"] }],
      unmarked: [],
      touched: [{ name: "a", fields: ["subject"] }],
      failed: [{ kind: "update", name: "b", message: "The moon is wrong." }],
      unknown: [{ kind: "update", name: "c", message: "No answer." }],
      moved: [{ kind: "update", name: "d" }],
      overtaken: [{ kind: "update", name: "f" }],
      notAttempted: [{ kind: "update", name: "e" }],
      stopped: "Out of reach.",
      unseen: "The list is gone.",
      backups: ".lettershop/before",
      interrupted: false,
      next: "templates sync --env production",
    });
    expect(validate(document) || validate.errors).toBe(true);
    const markdown = rendered(markdownOf(document));
    for (const expected of [
      "The moon is wrong.",
      "during the write",
      "then changed by someone else",
      "overwritten what was applied: The list is gone.",
      "No answer.",
      ".lettershop/before",
      "Out of reach.",
      "1 of 7 applied, 1 already there",
      "templates sync --env production",
    ])
      expect(markdown).toContain(expected);
  });

  it("list operations that were not started together", () => {
    const operations = ["a", "b", "c"].map((name) => update(name, change("x", "y")));
    const document = withResult(
      documentOf({ steps: [operations] }),
      { outcomes: operations.map((operation) => ({ operation, result: "notAttempted" })) },
      { interrupted: true, again: "templates promote staging production" },
    );
    const markdown = rendered(markdownOf(document));
    expect(markdown).toContain("- update a, b, c");
    expect(markdown).toContain("To continue: templates promote staging production");
  });
});

function outsideFences(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split("\n").filter((line) => {
    const ticks = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined && ticks !== undefined) fence = ticks;
    else if (fence !== undefined) {
      if (line === fence) fence = undefined;
    } else return true;
    return false;
  });
  return lines.join("\n").replace(/(`+)[^`].*?\1/g, "");
}
