import { describe, expect, test } from "vitest";
import { renderMustache } from "../../../src/mustache/fill.js";
import type { Variables } from "../../../src/mustache/variables.js";
import type { CompileResult } from "../../../src/project/template.js";
import { typeInWords } from "../../../src/registry/print-type.js";
import { compiledOf, type Files, useProjects } from "../project.js";

const projects = useProjects();

const TYPE = `interface Props {
  at: Date; due?: Date | undefined; until: Date | null; when: Date | string; days: Date[];
  amount: bigint; tip?: bigint; size: bigint | number; lines: { on: Date; cents: bigint; note?: string }[];
}`;

const FIXTURES: readonly Variables[] = [
  {
    at: "2026-03-29T00:30:00Z",
    due: "2026-04-12",
    until: "2026-12-31T23:59:59.999Z",
    when: "2026-02-03T04:05:06Z",
    days: ["2026-05-02", "2025-05-01T22:30:00+02:00"],
    amount: "12345678901234567890",
    tip: 7,
    size: 3,
    lines: [
      { on: "2026-01-01", cents: "5", note: "x" },
      { on: "2024-02-29T23:59:59Z", cents: "-12" },
    ],
  },
  { at: "1969-07-20T20:17:40Z", until: null, when: "1969", days: [], amount: 0, size: "9007199254740993", lines: [] },
];

function files(body: string, more: Files = {}, imports = ""): Files {
  return {
    "a/a.tsx": `${imports}\n${TYPE}
const format = (date: Date, options = {}) => date.toLocaleDateString("de", { dateStyle: "long", timeZone: "UTC", ...options });
export default function Email(props: Props) { ${body} }`,
    "a/template.json": '{ "subject": "Hi" }',
    ...Object.fromEntries(FIXTURES.map((each, index) => [`a/fixtures/f${index}.json`, JSON.stringify(each)])),
    ...more,
  };
}

function errors({ diagnostics }: CompileResult): string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

/** What is printed for each fixture: compiling compared it with what React renders. */
function printed(result: CompileResult): string[] {
  const { fixtures, html_body } = compiledOf(result);
  return fixtures.map(({ variables }) => {
    const html = renderMustache(html_body, variables, { escape: "html" });
    return /<p>(.*)<\/p>/.exec(html)?.[1] ?? html;
  });
}

test.each<[printed: string, values: readonly [string, string]]>([
  ["props.at.getTime()", ["1774744200000", "-14182940000"]],
  ["format(props.at)", ["29. März 2026", "20. Juli 1969"]],
  ['props.at.toISOString().slice(0, 10).replaceAll("-", ".")', ["2026.03.29", "1969.07.20"]],
  ["`${props.at}`.length > 20 && String(props.at).length", ["x", "x"]],
  ['("" + props.at).slice(4, 7)', ["Mar", "Jul"]],
  ['props.at instanceof Date ? "date" : "text"', ["date", "date"]],
  ["typeof props.at", ["object", "object"]],
  ["props.at && <b>there</b>", ["<b>there</b>", "<b>there</b>"]],
  ['props.due ? format(props.due) : "none"', ["12. April 2026", "none"]],
  ['props.due?.toISOString() ?? "none"', ["2026-04-12T00:00:00.000Z", "none"]],
  ['props.due instanceof Date ? "due" : "not due"', ["due", "not due"]],
  ['props.until === null ? "open" : props.until.getUTCFullYear()', ["2026", "open"]],
  ["props.due ? Math.round((Number(props.due) - +props.at) / 86400000) : 0", ["14", "0"]],
  ['props.at > new Date("2000-01-01") ? "late" : "early"', ["late", "early"]],
  ['props.at.getTime() < 0 ? "before" : "after"', ["after", "before"]],
  ['props.at < props.until! ? "sooner" : "later"', ["sooner", "sooner"]],
  ["(props.when instanceof Date ? props.when : new Date(props.when)).getUTCFullYear()", ["2026", "1969"]],
  ["new Date(props.when).toISOString().slice(0, 4)", ["2026", "1969"]],
  ["format(new Date(props.at.getTime() + 86400000))", ["30. März 2026", "21. Juli 1969"]],
  ["props.days.map((day) => <i key={+day}>{day.getUTCDate()}</i>)", ["<i>2</i><i>1</i>", ""]],
  ["[...props.days].sort((a, b) => +a - +b).map((day) => day.getUTCFullYear()).join()", ["2025,2026", ""]],
  [
    "[...props.days].sort((a, b) => +a - +b).map((day) => <i key={+day}>{format(day)}</i>)",
    ["<i>1. Mai 2025</i><i>2. Mai 2026</i>", ""],
  ],
  ["props.days.filter((day) => day > props.at).map((day) => <i key={+day}>{+day}</i>)", ["<i>1777680000000</i>", ""]],
  [
    "props.lines.filter(({ cents }) => cents > 0n).map(({ on }) => <i key={+on}>{format(on)}</i>)",
    ["<i>1. Januar 2026</i>", ""],
  ],
  ['props.days[0]?.toISOString().slice(0, 4) ?? "none"', ["2026", "none"]],
  [
    "[props.at, ...props.days].map((day) => <i key={+day}>{day.getUTCFullYear()}</i>)",
    ["<i>2026</i><i>2026</i><i>2025</i>", "<i>1969</i>"],
  ],
  [
    "Object.entries({ from: props.at }).map(([name, day]) => <i key={name}>{name} {format(day)}</i>)",
    ["<i>from 29. März 2026</i>", "<i>from 20. Juli 1969</i>"],
  ],
  [
    '<time dateTime={props.at.toISOString()}>{new Intl.DateTimeFormat("en", { timeZone: "UTC", month: "long" }).format(props.at)}</time>',
    ['<time dateTime="2026-03-29T00:30:00.000Z">March</time>', '<time dateTime="1969-07-20T20:17:40.000Z">July</time>'],
  ],
  [
    "props.lines.map((line) => <i key={+line.on}>{format(line.on)}: {line.cents}{line.note}</i>)",
    ["<i>1. Januar 2026: 5x</i><i>29. Februar 2024: -12</i>", ""],
  ],
  ["props.amount", ["12345678901234567890", "0"]],
  ["props.amount + 1n", ["12345678901234567891", "1"]],
  ["`${props.amount / 100n} and ${props.amount}`", ["123456789012345678 and 12345678901234567890", "0 and 0"]],
  ['props.amount === 0n ? "zero" : "some"', ["some", "zero"]],
  ['props.amount ? "some" : "zero"', ["some", "zero"]],
  ['props.amount > 5 ? "large" : "small"', ["large", "small"]],
  ["props.amount && <b>there</b>", ["<b>there</b>", "0"]],
  ['props.amount.toLocaleString("de")', ["12.345.678.901.234.567.890", "0"]],
  ["-props.amount * 2n", ["-24691357802469135780", "0"]],
  ["(Number(props.amount) / 100).toFixed(2)", ["123456789012345664.00", "0.00"]],
  ["props.tip ?? 5n", ["7", "5"]],
  ["typeof props.amount", ["bigint", "bigint"]],
  ["String(props.size)", ["3", "9007199254740993"]],
  ["props.lines.reduce((sum, { cents }) => sum + cents, 0n)", ["-7", "0"]],
])("compiles to what React renders: %s", async (expression, values) => {
  const result = await projects.compileOne(files(`return <p>{${expression}}</p>;`));
  expect(errors(result)).toEqual([]);
  if (values[0] !== "x") expect(printed(result)).toEqual(values);
});

test.each([
  ["<p>{props.at}</p>", "`props.at` prints a Date, which React can't print"],
  ["<p>{props.when}</p>", "`props.when` prints a Date, which React can't print"],
  ["<p>{props.days}</p>", "prints a Date, which React can't print"],
  ["<p>{new Date(props.at)}</p>", "prints a Date, which React can't print"],
  ["<p title={props.at as never}>x</p>", "converts a Date to a string"],
  ["<p>{props.at.setDate(1)}</p>", "`props.at.setDate(1)` calls .setDate() on a variable"],
])("refuses what React can't print, and changes: %s", async (markup, message) => {
  const result = await projects.compileOne(files(`return ${markup};`));
  expect(errors(result)).toEqual([expect.stringContaining(message)]);
});

describe("a formatter formats the current time for an absent date", () => {
  const compile = (expression: string) =>
    projects.compileOne(
      files(
        `const { at, due, until, lines } = props; return <p>{${expression}}</p>;`,
        {},
        'const dates = new Intl.DateTimeFormat("en", { timeZone: "UTC" });',
      ),
    );

  test.each([
    "dates.format(due)",
    "((day: Date) => dates.format(day))(due!)",
    'dates.formatToParts(due).map(({ value }) => value).join("")',
    "new Intl.DateTimeFormat(String(props.size)).format(due)",
    "dates.format(until === null ? due : at)",
    "dates.format(lines.find(({ note }) => note)?.on)",
  ])("refused if it may be absent: %s", async (expression) => {
    expect(errors(await compile(expression))).toEqual([
      expect.stringContaining("formats the current time if the date is absent"),
    ]);
  });

  test.each([
    "due && dates.format(due)",
    "due !== undefined && dates.format(due)",
    "(() => { if (!due) return null; return dates.format(due); })()",
    "dates.format(due ?? at)",
    "dates.format(until!)",
    "due ? dates.format(new Date(due)) : 0",
    "lines.map(({ on }) => dates.format(on)).join()",
    "lines[0] && dates.format(lines[0].on)",
    "lines.filter(({ on }) => on > at).map(({ on }) => <i key={+on}>{dates.format(on)}</i>)",
  ])("computed if it is there: %s", async (expression) => {
    expect(errors(await compile(expression))).toEqual([]);
  });
});

test("a date that is changed is reported where it is changed, and not where it is used afterwards", async () => {
  const result = await projects.compileOne(
    files(
      "const end = props.at; end.setDate(end.getDate() + 7); return <p>{format(end)} {+end > 9 ? +end : end.getDay()}</p>;",
    ),
  );
  expect(result.diagnostics).toMatchObject([
    {
      message: expect.stringContaining("`end.setDate(end.getDate() + 7)` calls .setDate() on a variable"),
      hint: expect.stringContaining("Copy it first, and change the copy"),
    },
  ]);
});

test("functions of packages receive dates", async () => {
  const result = await projects.compileOne(
    files(
      `const { at, due } = props;
      return <p>{year(at)} {add(at, 2).toISOString()} {due && year(due)} {year(due ?? at)}</p>;`,
      {
        "../node_modules/datelib/package.json": '{ "name": "datelib", "main": "index.js" }',
        "../node_modules/datelib/index.js": `
          exports.year = (date) => { if (!(date instanceof Date)) throw new TypeError("not a date"); return String(date.getUTCFullYear()); };
          exports.add = (date, days) => { const sum = new Date(date); sum.setUTCDate(sum.getUTCDate() + days); return sum; };`,
      },
      'import { add, year } from "datelib";',
    ),
  );
  expect(errors(result)).toEqual([]);
  expect(printed(result)).toEqual(["2026 2026-03-31T00:30:00.000Z 2026 2026", "1969 1969-07-22T20:17:40.000Z  1969"]);
});

describe("PreviewProps with dates and bigints", () => {
  const preview = `Email.PreviewProps = { at: new Date("2026-03-14T09:30:00Z"), list: [{ cents: 5n, day: new Date(0) }] };`;
  const body = `return <p>{props.at.getUTCFullYear()}{props.list.map(({ cents, day }) => <i key="x">{cents * 2n} {day.toISOString()}</i>)}</p>;`;
  const json = { at: "2026-03-14T09:30:00.000Z", list: [{ cents: "5", day: "1970-01-01T00:00:00.000Z" }] };

  test.each([
    ["any", "{ at: Date | string; list: readonly { cents: bigint | number | string; day: Date | string; }[]; }"],
    [
      "{ at: Date; list: { cents: bigint; day: Date; note?: string }[] }",
      "{ at: Date | string; list: readonly { cents: bigint | number | string; day: Date | string; note?: string | undefined; }[]; }",
    ],
  ])("are a fixture as JSON, and their types are known: %s", async (type, words) => {
    const result = await projects.compileOne({
      "a/a.tsx": `export default function Email(props: ${type}) { ${body} }\n${preview}`,
      "a/template.json": '{ "subject": "Hi" }',
    });
    expect(result.diagnostics).toEqual([]);
    const { fixtures, contract } = compiledOf(result);
    expect(fixtures).toMatchObject([{ name: "preview", input: json, variables: json }]);
    expect(typeInWords(contract.input)).toBe(words);
    expect(printed(result)).toEqual(["2026<i>10 1970-01-01T00:00:00.000Z</i>"]);
  });

  test("that don't match the type are reported", async () => {
    const { diagnostics } = await projects.compileOne({
      "a/a.tsx": `export default function Email(props: { at: string; to: Date }) { return <p>{props.to.getTime()}</p>; }
        Email.PreviewProps = { at: new Date(0), to: "2026-03-14" };`,
      "a/template.json": '{ "subject": "Hi" }',
    });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "PreviewProps don't match the type of the component's props: at: expected a string, found a Date.",
    ]);
  });
});

test.each([
  ["z.date()", "2026-03-14"],
  ["z.coerce.date()", "2026-03-14"],
  ["z.date().nullable()", "2026-03-14"],
  ["z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: String })", "2026-03-14"],
  ["z.string().transform((text) => new Date(text))", "2026-03-14"],
  ["z.iso.date().pipe(z.coerce.date())", "2026-03-14"],
])("variables.ts: a component receives what the schema returns: %s", async (schema, at) => {
  const result = await projects.compileOne({
    "a/a.tsx": `export default function Email({ at, cents }) { return <p>{at?.getUTCFullYear()} {cents / 2n}</p>; }`,
    "a/template.json": '{ "subject": "{{at}}" }',
    "a/variables.ts": `import { z } from "zod"; export default z.object({ at: ${schema}, cents: z.coerce.bigint() });`,
    "a/fixtures/f.json": JSON.stringify({ at, cents: "5" }),
  });
  expect(result.diagnostics).toEqual([]);
  expect(printed(result)).toEqual(["2026 2"]);
  expect(compiledOf(result).fixtures).toMatchObject([
    { input: { at, cents: "5" }, variables: { at: `${at}T00:00:00.000Z`, cents: "5" } },
  ]);
});
