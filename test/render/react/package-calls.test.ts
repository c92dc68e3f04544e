import { describe, expect, test } from "vitest";
import type { Variables } from "../../../src/mustache/variables.js";
import { bundleModule } from "../../../src/process/bundle.js";
import type { Task } from "../../../src/process/host.js";
import type { compileComponent } from "../../../src/render/react/compile-task.js";
import { rewriteModule } from "../../../src/render/react/rewrite/rewrite.js";
import type { Expression } from "../../../src/render/react/runtime/expression.js";
import { component, Project } from "./project.js";

const project = await Project.make([
  "react",
  "react-dom",
  "clsx",
  "date-fns",
  "dayjs",
  "lodash",
  "numeral",
  "pluralize",
]);

const COMPILE: Task<typeof compileComponent> = {
  module: new URL("../../../dist/render/react/compile-task.js", import.meta.url),
  name: "compileComponent",
};

/** What a component computes with packages, as short code, then what is refused. */
async function computed(markup: string, before: string, example: Variables): Promise<string[]> {
  const template = await project.template(component(`<p>${markup}</p>`, before));
  const bundle = await bundleModule(template.body.file, { transform: rewriteModule });
  const output = await project.context.host.run(COMPILE, { bundle, examples: [example] });
  if (output === "no component") throw new Error(output);
  const refused = output.findings.map(({ problem }) => `refused: ${problem}`);
  const codes = output.computed.map(({ expression }) => codeOf(expression));
  return [...codes.filter((code) => code.includes("<")), ...refused];
}

function codeOf(expression: Expression): string {
  const all = (expressions: readonly Expression[]): string => expressions.map(codeOf).join(", ");
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- others are shown by their kind
  switch (expression.kind) {
    case "variable":
      return expression.names.join(".");
    case "value":
      return JSON.stringify(expression.value);
    case "package":
      return `<${expression.module} ${expression.name}>`;
    case "member":
      return `${codeOf(expression.of)}.${typeof expression.name === "object" ? "…" : expression.name}`;
    case "call":
      return `${codeOf(expression.callee)}(${all(expression.args)})`;
    case "object":
      return `{${expression.members.map(memberCode).join(", ")}}`;
    case "function":
      return `(${expression.parameters.join(", ")}) => ${codeOf(expression.body)}`;
    case "binary":
      return `${codeOf(expression.left)} ${expression.operator} ${codeOf(expression.right)}`;
    case "name":
    case "parameter":
      return expression.name;
    default:
      return expression.kind;
  }
}

function memberCode(member: Extract<Expression, { kind: "object" }>["members"][number]): string {
  if ("kind" in member) return `...${codeOf(member.of)}`;
  const [name, value] = member;
  return `${typeof name === "string" ? name : "…"}: ${codeOf(value)}`;
}

const DAY = { day: "2024-02-03", other: "2024-01-01T12:00:00Z" };
const ITEMS = {
  items: [
    { name: "tea", price: 4 },
    { name: "jam", price: 3 },
  ],
};

/** The markup of a component, its imports, an example, and what is computed. */
const CALLS: readonly (readonly [markup: string, before: string, example: Variables, expected: readonly string[]])[] = [
  ['{format(props.day, "d MMM")}', 'import { format } from "date-fns";', DAY, ['<date-fns format>(day, "d MMM")']],
  [
    '{write(new Date(props.day), "PP", { locale: de })}',
    'import { format } from "date-fns"; import { de } from "date-fns/locale"; const write = format;',
    DAY,
    ['<date-fns format>(Date(day), "PP", {locale: <date-fns/locale de>})'],
  ],
  [
    '{dates.format(dates.addDays(props.day, 3), "d MMM")}',
    'import * as dates from "date-fns";',
    DAY,
    ['<date-fns format>(<date-fns addDays>(day, 3), "d MMM")'],
  ],
  [
    '{dayjs(props.day).add(1, "day").format("D MMM")}',
    'import dayjs from "dayjs";',
    DAY,
    ['<dayjs default>(day).add(1, "day").format("D MMM")'],
  ],
  [
    '{dayjs(props.day, "DD.MM.YYYY").format("D MMM YYYY")}',
    'import dayjs from "dayjs"; import customParseFormat from "dayjs/plugin/customParseFormat"; dayjs.extend(customParseFormat);',
    { day: "01.02.2026" },
    ['<dayjs default>(day, "DD.MM.YYYY").format("D MMM YYYY")'],
  ],
  [
    '{numeral(props.n).format("0,0.00")}',
    'import numeral from "numeral";',
    { n: 1234 },
    ['<numeral default>(n).format("0,0.00")'],
  ],
  [
    "{pluralize(props.word, props.n)}",
    'import pluralize from "pluralize";',
    { n: 2, word: "box" },
    ["<pluralize default>(word, n)"],
  ],
  ["{_.capitalize(props.word)}", 'import _ from "lodash";', { word: "item" }, ["<lodash default.capitalize>(word)"]],
  [
    "{upper(props.word)}",
    'import { upperCase as upper } from "lodash";',
    { word: "item" },
    ["<lodash upperCase>(word)"],
  ],
  [
    "{sumBy(props.items, (item) => item.price * 2)}",
    'import sumBy from "lodash/sumBy";',
    ITEMS,
    ["<lodash/sumBy default>(items, (value) => value.price * 2)"],
  ],
  [
    '{_.sortBy(props.items, "price").map((item) => <b key={item.name}>{item.name}</b>)}',
    'import _ from "lodash";',
    ITEMS,
    ['<lodash default.sortBy>(items, "price")'],
  ],
  [
    '{_.chain(props.items).map("price").sum().value()}',
    'import _ from "lodash";',
    ITEMS,
    ['<lodash default.chain>(items).map("price").sum().value()'],
  ],
  [
    "{props.items.map((item) => item.name).map(_.capitalize).join(', ')}",
    'import _ from "lodash";',
    ITEMS,
    ["<lodash default.capitalize>(name, position, map)"],
  ],
  [
    "{differenceInDays(props.day, props.other) > 3 ? 'long' : 'short'}",
    'import { differenceInDays } from "date-fns";',
    DAY,
    ["<date-fns differenceInDays>(day, other)"],
  ],
  [
    "{isAfter(props.day, props.other) ? 'after' : 'before'}",
    'import { isAfter } from "date-fns";',
    DAY,
    ["<date-fns isAfter>(day, other)"],
  ],
];

describe("a call of a package is recorded by the names of its functions", () => {
  test.each(CALLS)("%s", async (markup, before, example, expected) => {
    expect(await computed(markup, before, example)).toEqual(expected);
  });
});

test.each<[markup: string, before: string, example: Variables]>([
  [
    '<b className={clsx("a", props.n > 2 && "b", { c: props.word })}>x</b>',
    'import clsx from "clsx";',
    { n: 1, word: "x" },
  ],
  ['{pluralize("item", props.n, true)}', 'import pluralize from "pluralize";', { n: 2 }],
  ['{_.get(props, "order.total")}', 'import _ from "lodash";', { order: { total: 1 } }],
])("a function that only prints its arguments computes nothing: %s", async (markup, before, example) => {
  expect(await computed(markup, before, example)).toEqual([]);
});

const PARSING = `import dayjs from "dayjs";
import customParseFormat from "dayjs/plugin/customParseFormat";
import { format, isValid, parse } from "date-fns";
dayjs.extend(customParseFormat);
const due = (text) => {
  const day = parse(text + " 9:00 AM", "MMMM do, yyyy h:mm a", new Date(2000, 0, 1));
  if (isNaN(day.getTime())) throw new Error("Invalid date " + text);
  return day.toISOString();
};
const shortDay = (text) => {
  const day = parse(text, "MMMM do, yyyy", new Date(0));
  return isValid(day) ? format(day, "d MMM") : "soon";
};`;

describe("a date in a format of its own is parsed when an email is filled", () => {
  test.each([
    '{format(parse(props.day, "MMMM do, yyyy", new Date(0)), "yyyy-MM-dd")}',
    "{due(props.day)}",
    "{shortDay(props.day)}",
    "{props.day === 'soon' ? 'Soon' : due(props.day)}",
    '{dayjs(props.day.replace("th", ""), "MMMM D, YYYY").format("D/M")}',
    '{props.days.map((day) => <b>{format(parse(day, "dd.MM.yyyy", new Date(0)), "d MMM")}</b>)}',
  ])("%s", async (markup) => {
    const fixture = { day: "March 14th, 2026", days: ["04.05.2026"] };
    const compiled = await project.prove(component(`<p>${markup}</p>`, PARSING), { fixtures: { one: fixture } });
    expect(compiled.diagnostics).toEqual([]);
    const others = [
      { day: "June 30th, 1999", days: [] },
      { day: "May 5th, 2031", days: ["29.02.2024", "01.01.2000"] },
    ];
    const failures = await project.failures(compiled, [...others, { ...fixture, day: "soon" }]);
    expect(failures.filter(({ kind }) => kind !== "throws")).toEqual([]);
  });
});

test("computed values are equal to those of React, for many variables", async () => {
  const sources = CALLS.map(
    ([markup, before], index) => `${before}\nexport const Part${index} = (props) => <p>${markup}</p>;`,
  );
  for (const [index, source] of sources.entries()) await project.add(`parts/part-${index}.tsx`, source);
  const imports = sources.map((_, index) => `import { Part${index} } from "../parts/part-${index}";`);
  const markup = sources.map((_, index) => `<Part${index} {...props} />`).join("");
  const example = Object.assign({}, ...CALLS.map(([, , each]) => each)) as Variables;
  const compiled = await project.prove(component(markup, imports.join("\n")), { fixtures: { one: example } });
  expect(compiled.diagnostics).toEqual([]);
  const others = [0, 1, 2, 3, 4].map((number) => varied(example, number) as Variables);
  expect(await project.failures(compiled, others)).toEqual([]);
});

const DAYS = ["2024-03-31T01:30:00Z", "2031-12-31", "1999-01-01T23:59:59Z", "2024-02-29", "2024-10-27T00:30:00.000Z"];
const WORDS = ["", "x", "ann lee & co <b>", "UPPER", "person"];
const NUMBERS = [0, 1, 2, -2.5, 1234567.891];

function varied(value: unknown, number: number): unknown {
  if (typeof value === "number") return NUMBERS[number];
  if (typeof value === "string") return /^\d{4}-/.test(value) ? DAYS[number] : WORDS[number];
  if (Array.isArray(value))
    return Array.from({ length: number }, (_, index) => varied(value[0], (index + number) % NUMBERS.length));
  const members = Object.entries(value as Variables).map(([name, each], index) => [
    name,
    varied(each, typeof each === "string" ? (number + index) % DAYS.length : number),
  ]);
  return Object.fromEntries(members);
}

describe("modules of the project between the component and a package", () => {
  test.each<[name: string, files: Readonly<Record<string, string>>, expected: string]>([
    ["pass a function on by name", { "a.ts": 'export { format } from "date-fns";' }, '<date-fns format>(day, "d")'],
    ["pass everything on", { "a.ts": 'export * from "date-fns";' }, '<date-fns format>(day, "d")'],
    [
      "pass a function on under another name",
      { "a.ts": 'import { format as write } from "date-fns"; export const format = write;' },
      '<date-fns format>(day, "d")',
    ],
    [
      "have it in an object",
      {
        "a.ts":
          'import { format as write } from "date-fns"; const all = { write }; export const format = (day, pattern) => all.write(day, pattern);',
      },
      '<date-fns format>(day, "d")',
    ],
    [
      "create it with a package",
      {
        "a.ts":
          'import { partialRight } from "lodash"; import { format as write } from "date-fns"; export const format = partialRight(write, "d");',
      },
      '<lodash partialRight>(<date-fns format>, "d")(day, "d")',
    ],
  ])("%s", async (name, files, expected) => {
    const folder = name.replaceAll(" ", "-");
    for (const [file, text] of Object.entries(files)) await project.add(`templates/${folder}/${file}`, text);
    const before = `import { format } from "./${folder}/a";`;
    expect(await computed('{format(props.day, "d")}', before, DAY)).toEqual([expected]);
  });
});

describe("what a module does to a package when it is loaded", () => {
  const before = [
    'import dayjs from "dayjs";',
    'import utc from "dayjs/plugin/utc";',
    'import "dayjs/locale/de";',
    'dayjs.extend(utc); dayjs.locale("de");',
  ].join("\n");

  test("is part of the expression, and repeated where values are computed", async () => {
    const source = component('<p>{dayjs.utc(props.day).format("D. MMMM HH:mm")}</p>', before);
    const compiled = await project.prove(source, { fixtures: { one: DAY } });
    expect(compiled.diagnostics).toEqual([]);
    expect(JSON.stringify(compiled.output.conditions)).toContain(
      '"setup":[{"kind":"package","module":"dayjs/locale/de"',
    );
    const other = component('<p>{dayjs(props.day).format("D. MMMM")}</p>', 'import dayjs from "dayjs";');
    const { output } = await project.compile(other, { fixtures: { one: DAY } });
    expect(JSON.stringify(output.conditions)).not.toContain("setup");
  });

  test.each([
    ["an assignment", 'numeral.options.currentLocale = "en";'],
    [
      "a function of the project",
      'numeral.register("format", "own", { regexps: {}, format: (value) => String(value) });',
    ],
  ])("is refused if it can't be repeated: %s", async (_what, statement) => {
    const source = component('<p>{numeral(props.n).format("0,0")}</p>', `import numeral from "numeral"; ${statement}`);
    const { diagnostics } = await project.compile(source, { fixtures: { one: { n: 2 } } });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 3 } }]);
    expect(diagnostics[0]?.hint).toContain("can't be repeated when an email is sent");
  });
});

describe("what depends on the time or on random numbers is refused", () => {
  test.each<[markup: string, before: string, example: Variables]>([
    ["{formatDistanceToNow(props.day)}", 'import { formatDistanceToNow } from "date-fns";', DAY],
    [
      "{dayjs(props.day).fromNow()}",
      'import dayjs from "dayjs"; import relativeTime from "dayjs/plugin/relativeTime"; dayjs.extend(relativeTime);',
      DAY,
    ],
    [
      "{formatDistanceToNow(props.day ?? props.other)}",
      'import { formatDistanceToNow } from "date-fns";',
      { day: null, other: "2024-01-01" },
    ],
    [
      '{dayjs(props.day, "MMMM D").format("YYYY")}',
      'import dayjs from "dayjs"; import customParseFormat from "dayjs/plugin/customParseFormat"; dayjs.extend(customParseFormat);',
      { day: "March 14" },
    ],
    ["{isPast(props.day) ? 'past' : 'soon'}", 'import { isPast } from "date-fns";', DAY],
    ["{_.shuffle(props.items).map((item) => item.name)}", 'import _ from "lodash";', ITEMS],
  ])("%s", async (markup, before, example) => {
    const refusal = "refused: depends on the time or on random numbers";
    expect(await computed(markup, before, example)).toEqual([refusal]);
  });
});

describe("what a package reads from the clock is refused next to a variable", () => {
  const before =
    'import dayjs from "dayjs"; import { differenceInDays, format, getYear, parse, startOfToday } from "date-fns"; const today = startOfToday();';
  const refusal = "refused: is tested with the time or a random number";
  test.each<[markup: string, expected: readonly string[]]>([
    [
      "{dayjs(props.day).isBefore(dayjs()) ? 'past' : 'soon'}",
      ["refused: computes with `new Date()`, which differs each time"],
    ],
    ["{differenceInDays(props.day, startOfToday())}", ["refused: computes with `new Date()`, which differs each time"]],
    [
      "{format(parse(props.day, 'MMMM d', today), 'd MMM yyyy')}",
      ["refused: computes with `new Date()`, which differs each time"],
    ],
    ["{differenceInDays(props.day, today)}", ["refused: computes with `new Date()`, which differs each time"]],
    ["{props.n === dayjs().year() && <b />}", [refusal]],
    ["{props.n > getYear(today) && <b />}", [refusal]],
    ["{props.n === 1 && <b />}© {dayjs().year()} {format(new Date(), 'yyyy')} {getYear(today)}", []],
  ])("%s", async (markup, expected) => {
    const found = await computed(markup, before, { ...DAY, n: 2 });
    expect(found.filter((each) => each.startsWith("refused"))).toEqual(expected);
  });
});

test.each([
  ["dayjs(props.day).format()", ["depends on the time or on random numbers if its argument is absent"]],
  ["props.day && dayjs(props.day).format()", []],
])("a package reads the clock for an absent variable: %s", async (code, messages) => {
  const { diagnostics } = await project.compile(component(`{${code}}`, 'import dayjs from "dayjs";'), {
    schema: { type: "object", properties: { day: { type: "string" } } },
    fixtures: { one: DAY },
  });
  expect(diagnostics.map(({ message }) => message)).toEqual(messages.map((each) => expect.stringContaining(each)));
});

test("imports of types are not read as values", async () => {
  const before =
    'import { format, Locale, type Day } from "date-fns"; const write = (day: string, to?: Locale): string => format(day, "d");';
  expect(await computed("{write(props.day)}", before, DAY)).toEqual(['<date-fns format>(day, "d")']);
});
