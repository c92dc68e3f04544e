import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { expect, test } from "vitest";
import type { Registry } from "../../src/project/registry-types.js";
import { createTestMailer } from "../../src/testing/index.js";
import { TestProject } from "../cli/project.js";

const guide = readFileSync(new URL("../../docs/guides/react.md", import.meta.url), "utf8");
const repository = fileURLToPath(new URL("../..", import.meta.url));

const ORDER = {
  number: "A-7",
  placedAt: "2026-03-14T20:30:00Z",
  items: [
    { name: "Tea", cents: 450, gift: true },
    { name: "Pot", cents: 5550, gift: false },
  ],
};

test("the guide's component compiles, and its values are computed as the guide shows", async () => {
  const [, component = ""] = /^```tsx\n(.*?)^```$/ms.exec(guide) ?? [];
  const [, table = ""] = /^```\n(COMPUTED .*?)^```$/ms.exec(guide) ?? [];
  const project = projectOf({
    "templates/receipt/receipt.tsx": component,
    "templates/receipt/template.json": JSON.stringify({ subject: "Receipt" }),
    "templates/receipt/fixtures/default.json": JSON.stringify({ order: ORDER, note: "Thank you" }),
  });
  const rendered = await project.run(["render", "receipt"]);
  expect(rendered).toMatchObject({ code: 0, stderr: expect.stringContaining(table) });
  expect(table).toContain("14 March");

  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const { code } = await transform("templates.gen.ts", readFileSync(project.path("templates.gen.ts"), "utf8"));
  project.write({ "templates.gen.mjs": code });
  const { templates }: { templates: Registry } = await import(pathToFileURL(project.path("templates.gen.mjs")).href);
  const mailer = createTestMailer({ templates, from: "shop@example.com", locale: "de", timeZone: "Asia/Tokyo" });
  await mailer.send("receipt", { order: ORDER }, { to: "ada@example.com" });
  const sent = Object.values(mailer.sent[0]?.filled ?? {});
  expect(sent).toContain("15 March");
  expect(sent).toContain("4,90\u00A0€");
});

/** The guide's code in its table of what is refused, a component with it, the reported rule, and a component with what to write instead. */
const REFUSED: readonly (readonly [code: string, refused: string, rule: string, instead: string])[] = [
  [
    "formatDistanceToNow(date)",
    "<p>{formatDistanceToNow(date)}</p>",
    "react-unsupported",
    "<p>{formatDistance(date, sentAt)}</p>",
  ],
  ["Date.now()", "<p>{date.getTime() - Date.now()}</p>", "react-unsupported", "<p>{date < sentAt ? 1 : 2}</p>"],
  ["new Date()", "<p>{new Date().getFullYear()}</p>", "time-in-body", "<p>{sentAt.getFullYear()}</p>"],
  ["Math.random()", "<p>{Math.random() * count}</p>", "react-unsupported", "<p>{count}</p>"],
  ["crypto.randomUUID()", "<p>{crypto.randomUUID()}</p>", "not-reproducible", "<p>{text}</p>"],
  ["environment variables", "<p>{process.env.SHOP}</p>", "environment-read", "<p>{text}</p>"],
  [
    "date.setDate(1)",
    "<p>{date.setDate(1)}</p>",
    "react-unsupported",
    "<p>{new Date(date.getFullYear(), date.getMonth(), 1).toDateString()}</p>",
  ],
  [
    "items.push(…)",
    "<p>{items.push({ name: text, cents: 1 })}</p>",
    "react-unsupported",
    "<p>{[...items, { name: text, cents: 1 }].map(({ name }) => <b>{name}</b>)}</p>",
  ],
  [
    "items[0].name = …",
    "<p>{(items[0].name = text)}</p>",
    "react-unsupported",
    "<p>{[...items].sort((a, b) => a.cents - b.cents).map(({ name }) => <b>{name}</b>)}</p>",
  ],
  [
    "break",
    "<p>{(() => { const all = []; for (const { cents, name } of items) { if (cents > 9) break; all.push(<b>{name}</b>); } return all; })()}</p>",
    "react-unsupported",
    "<p>{items.find(({ cents }) => cents > 9)?.name} {items.slice(0, count).map(({ name }) => <b>{name}</b>)}</p>",
  ],
  [
    "while",
    "<p>{(() => { const all = []; let i = 0; while (i < count) { all.push(<b>{i}</b>); i += 1; } return all; })()}</p>",
    "react-unsupported",
    "<p>{(() => { const all = []; for (let i = 0; i < count; i++) all.push(<b>{i}</b>); return all; })()}</p>",
  ],
  [
    "groups[day].push(item)",
    "<p>{(() => { const groups: any = {}; for (const { name, cents } of items) { if (!groups[name]) groups[name] = []; groups[name].push(cents); } return Object.keys(groups).length; })()}</p>",
    "react-unsupported",
    "<p>{(() => { const groups: any = {}; for (const { name, cents } of items) groups[name] = [...(groups[name] ?? []), cents]; return Object.keys(groups).length; })()}</p>",
  ],
  [
    "sums[day].net += …",
    "<p>{(() => { const sums: any = {}; for (const { name, cents } of items) { sums[name] ??= { net: 0 }; sums[name].net += cents; } return JSON.stringify(sums); })()}</p>",
    "react-unsupported",
    "<p>{(() => { const sums: any = {}; for (const { name, cents } of items) sums[name] = { net: (sums[name]?.net ?? 0) + cents }; return JSON.stringify(sums); })()}</p>",
  ],
  [
    "state between the items",
    '<p>{(() => { let last = ""; return items.map((item) => { const is = item.name === last; last = item.name; return is ? null : <b>{item.name}</b>; }); })()}</p>',
    "react-unsupported",
    "<p>{items.map((item, index, list) => index > 0 && list[index - 1].name === item.name ? null : <b>{list.slice(0, index + 1).reduce((sum, { cents }) => sum + cents, 0)}</b>)}</p>",
  ],
  [
    "`try` with what may throw",
    "<p>{(() => { try { return <b>{new Date(text).toISOString()}</b>; } catch { return text; } })()}</p>",
    "react-unsupported",
    "<p>{(() => { try { return new Date(text).toISOString(); } catch { return text; } })()}</p>",
  ],
  [
    "a component that renders itself",
    "<Tree node={tree} />",
    "react-unsupported",
    "<p>{items.map((item) => <b style={{ paddingLeft: item.cents * 8 }}>{item.name}</b>)}</p>",
  ],
  ["as={level}", "<Heading as={text}>Hi</Heading>", "react-unsupported", "<Heading as={level}>Hi</Heading>"],
  [
    "BLOCKS[type]",
    "<p>{(() => { const Block = BLOCKS[text]; return <Block />; })()}</p>",
    "react-unsupported",
    "<p>{(() => { const Block = BLOCKS[level]; return <Block />; })()}</p>",
  ],
  [
    "`p-${size}`",
    "<Tailwind><p className={`p-${count}`}>Hi</p></Tailwind>",
    "react-unsupported",
    '<Tailwind><p className={wide ? "p-8" : "p-4"}>Hi</p></Tailwind>',
  ],
  [
    '<Markdown className="p-4">',
    '<Tailwind><Markdown className="p-4">{text}</Markdown></Tailwind>',
    "react-unsupported",
    "<Tailwind><Markdown markdownContainerStyles={{ padding: 16 }}>{text}</Markdown></Tailwind>",
  ],
];

test("what the guide lists is reported at its line, and what to write instead compiles", async () => {
  const [, section = ""] = guide.split("## What is refused");
  const project = projectOf(
    Object.assign(
      {},
      ...REFUSED.flatMap(([, refused, , instead], index) => [
        templateOf(`refused-${index}`, refused),
        templateOf(`instead-${index}`, instead),
      ]),
    ),
  );
  const { stdout } = await project.run(["check", "--json"]);
  const { diagnostics }: { diagnostics: readonly Reported[] } = JSON.parse(stdout);
  const reportedIn = (name: string) => diagnostics.filter(({ templates }) => templates.includes(name));
  for (const [index, [code, refused, rule, instead]] of REFUSED.entries()) {
    expect(section).toContain(code);
    const reported = reportedIn(`refused-${index}`).filter((each) => each.rule === rule);
    expect(
      reported.map(({ at }) => at.line !== undefined),
      refused,
    ).toContain(true);
    const errors = reportedIn(`instead-${index}`).filter(({ severity }) => severity === "error");
    expect(errors, instead).toEqual([]);
  }
});

interface Reported {
  readonly rule: string;
  readonly severity: string;
  readonly templates: readonly string[];
  readonly at: { readonly line?: number };
}

function templateOf(name: string, markup: string): Record<string, string> {
  return {
    [`templates/${name}/${name}.tsx`]: `${HEAD}  return <Html lang="en"><Body>${markup}</Body></Html>;\n}\n`,
    [`templates/${name}/template.json`]: JSON.stringify({ subject: "Hello" }),
    [`templates/${name}/fixtures/default.json`]: JSON.stringify(VARIABLES),
  };
}

const VARIABLES = {
  date: "2026-03-14T09:30:00Z",
  sentAt: "2026-03-15T09:30:00Z",
  count: 2,
  text: "h2",
  level: "h2",
  wide: true,
  items: [
    { name: "Tea", cents: 4 },
    { name: "Pot", cents: 55 },
  ],
  tree: { name: "a", nodes: [{ name: "b", nodes: [] }] },
};

const HEAD = `import { formatDistance, formatDistanceToNow } from "date-fns";
import { Body, Heading, Html, Markdown, Tailwind } from "@react-email/components";
interface Node { name: string; nodes: { name: string; nodes: unknown[] }[] }
interface Props {
  date: Date; sentAt: Date; count: number; text: string; level: "h1" | "h2"; wide: boolean;
  items: { name: string; cents: number }[]; tree: any;
}
const BLOCKS: any = { h1: () => <b>1</b>, h2: () => <i>2</i> };
const Tree = ({ node }: any) => <ul>{node.name}{node.nodes.map((each: any) => <Tree node={each} />)}</ul>;
export default function Email({ date, sentAt, count, text, level, wide, items, tree }: Props) {
`;

function projectOf(files: Readonly<Record<string, string>>): TestProject {
  const project = new TestProject(files);
  const link = project.path("node_modules", "date-fns");
  symlinkSync(path.join(repository, "node_modules", "date-fns"), link, "junction");
  return project;
}
