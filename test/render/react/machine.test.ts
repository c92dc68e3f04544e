import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { RenderedExample } from "../../../src/render/react/react-html.js";
import { Project } from "./project.js";

const run = promisify(execFile);
const project = await Project.make();

/** Formats without naming a locale or a time zone, in the component and in a package. */
const COMPONENT = `
import { describe } from "described-dates";
export default function Email({ at }: { at: string }) {
  const date = new Date(at);
  const lines = {
    date: date.toLocaleDateString(),
    style: date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" }),
    named: date.toLocaleTimeString("en-GB", { timeZone: "Asia/Kolkata" }),
    text: String(date),
    hours: date.getHours(),
    offset: date.getTimezoneOffset(),
    cloned: structuredClone(date).getHours(),
    parts: new Date(2024, 1, 3).toISOString(),
    parsed: new Date("2024-02-03T04:05").toISOString(),
    read: Date.parse("Feb 3, 2024"),
    number: (1234.5).toLocaleString(),
    bigint: 12345n.toLocaleString(),
    list: [1234.5, date].toLocaleString(),
    currency: new Intl.NumberFormat(undefined, { style: "currency", currency: "EUR" }).format(1234.5),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    upper: "istanbul".toLocaleUpperCase(),
    lower: "TITLE".toLocaleLowerCase(),
    sorted: ["z", "ö", "o"].sort((a, b) => a.localeCompare(b)).join(" "),
    kind: [date instanceof Date, structuredClone(date) instanceof Date, typeof Date()].join(" "),
    package: describe(at),
  };
  return <ul>{Object.entries(lines).map(([name, line]) => <li key={name}>{name}: {line}</li>)}</ul>;
}`;

const PACKAGE = `export const describe = (at) => {
  const date = new Date(at);
  date.setHours(0, 0, 0, 0);
  return [date.toISOString(), date.toLocaleDateString(), (0.5).toLocaleString(), new Intl.PluralRules().select(2)].join(" ");
};`;

const AT = "2024-03-31T22:30:00Z";

const PLACES = [
  {
    locale: "de-DE",
    timeZone: "Asia/Tokyo",
    text: "Mon Apr 01 2024 07:30:00 GMT+0900",
    hours: "7",
    offset: "-540",
    parts: "2024-02-02T15:00:00.000Z",
    parsed: "2024-02-02T19:05:00.000Z",
    midnight: "2024-03-31T15:00:00.000Z",
  },
  {
    locale: "tr-TR",
    timeZone: "America/New_York",
    text: "Sun Mar 31 2024 18:30:00 GMT-0400",
    hours: "18",
    offset: "240",
    parts: "2024-02-03T05:00:00.000Z",
    parsed: "2024-02-03T09:05:00.000Z",
    midnight: "2024-03-31T04:00:00.000Z",
  },
  {
    locale: "sv-SE",
    timeZone: "UTC",
    text: "Sun Mar 31 2024 22:30:00 GMT+0000",
    hours: "22",
    offset: "0",
    parts: "2024-02-03T00:00:00.000Z",
    parsed: "2024-02-03T04:05:00.000Z",
    midnight: "2024-03-31T00:00:00.000Z",
  },
];

/** What it renders in these places, on a machine with another locale and time zone, whose own dates come last. */
async function renderedOn(env: { readonly TZ: string; readonly LC_ALL: string }, file: string): Promise<string[]> {
  const dist = new URL("../../../dist/", import.meta.url).href;
  const script = `
    const { bundleModule } = await import("${dist}process/bundle.js");
    const { createModuleHost } = await import("${dist}process/host.js");
    const host = createModuleHost({ cacheFolder: ${JSON.stringify(project.folder)} + "/modules" });
    const bundle = await bundleModule(${JSON.stringify(file)});
    const task = { module: new URL("${dist}render/react/react-html.js"), name: "renderExamples" };
    const input = { bundle, contract: { conditions: [] }, examples: [{ variables: { at: "${AT}" } }] };
    const rendered = [];
    for (const each of [host, host.another({ later: true })])
      for (const place of ${JSON.stringify(PLACES)}) rendered.push(...(await each.run(task, input, { place })));
    process.stdout.write(JSON.stringify({ rendered, own: [new Date(0).toString(), (0.5).toLocaleString()] }));
    process.exit();`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, ...env },
  });
  const { rendered, own }: { rendered: RenderedExample[]; own: string[] } = JSON.parse(stdout);
  return [...rendered.map((each) => ("html" in each ? each.html : each.error)), own.join("\n")];
}

test("React is rendered with the project's locale and time zone on every machine, also with a later clock", async () => {
  await project.add("node_modules/described-dates/package.json", '{ "type": "module", "main": "index.js" }');
  await project.add("node_modules/described-dates/index.js", PACKAGE);
  const file = await project.add("formats.tsx", COMPONENT);
  const [here, there] = await Promise.all([
    renderedOn({ TZ: "Pacific/Apia", LC_ALL: "sv_SE.UTF-8" }, file),
    renderedOn({ TZ: "America/St_Johns", LC_ALL: "en_US.UTF-8" }, file),
  ]);
  expect(here.at(-1)).not.toBe(there.at(-1));
  expect(here.slice(0, -1)).toEqual(there.slice(0, -1));
  expect(here.slice(0, 3)).toEqual(here.slice(3, 6));
  for (const [index, place] of PLACES.entries()) expect(linesOf(here[index] ?? "")).toEqual(expectedIn(place));
});

function linesOf(html: string): Record<string, string> {
  return Object.fromEntries(
    Array.from(html.matchAll(/<li>(\w+): (.*?)<\/li>/g), ([, name = "", line = ""]) => [name, line]),
  );
}

/** The same with a locale and a time zone for each method. */
function expectedIn({ locale, timeZone, ...known }: (typeof PLACES)[number]): Record<string, unknown> {
  const date = new Date(AT);
  const [day, time] = [date.toLocaleDateString(locale, { timeZone }), date.toLocaleString(locale, { timeZone })];
  const half = (0.5).toLocaleString(locale);
  return {
    date: day,
    style: date.toLocaleString(locale, { timeZone, dateStyle: "full", timeStyle: "short" }),
    named: date.toLocaleTimeString("en-GB", { timeZone: "Asia/Kolkata" }),
    number: (1234.5).toLocaleString(locale),
    bigint: 12345n.toLocaleString(locale),
    list: `${(1234.5).toLocaleString(locale)},${time}`,
    currency: new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(1234.5),
    zone: timeZone,
    upper: "istanbul".toLocaleUpperCase(locale),
    lower: "TITLE".toLocaleLowerCase(locale),
    sorted: ["z", "ö", "o"].sort((a, b) => a.localeCompare(b, locale)).join(" "),
    kind: "true true string",
    package: `${known.midnight} ${day} ${half} ${new Intl.PluralRules(locale).select(2)}`,
    text: expect.stringContaining(known.text),
    hours: known.hours,
    offset: known.offset,
    cloned: known.hours,
    parts: known.parts,
    parsed: known.parsed,
    read: String(Date.parse(known.parts)),
  };
}
