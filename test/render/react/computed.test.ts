import { describe, expect, test } from "vitest";
import { PRELUDE } from "./computed-grammar.js";
import { Project } from "./project.js";

/*
 * What random programs found (`computed.random.test.ts`), in its smallest form.
 */

const project = await Project.make();

const item = { label: "b", price: 3, quantity: 2, gift: true, marks: ["y", "x"], parts: [{ title: "t", size: 2 }] };
const props = {
  name: "abc-12 <x>",
  note: "Hi",
  vip: true,
  count: 2,
  tags: ["b", "a", "a"],
  items: [item, { ...item, label: "a", price: -1, gift: false }],
  prices: { tea: 2, milk: 0 },
};
const without = { ...props, note: undefined, vip: false, count: 0, tags: [], items: [], name: "" };

const componentOf = (jsx: string): string =>
  `${PRELUDE}type P = { name: string; note?: string; vip: boolean; count: number; tags: string[]; prices: { tea: number; milk: number };
items: { label: string; price: number; quantity: number; gift: boolean; hint?: string; marks: string[]; parts: { title: string; size: number }[] }[] };
export default function Email(p: P) { return <div>${jsx}</div>; }\n`;

describe("what React renders", () => {
  test.each([
    ["a copy that is sorted in a statement", "{byLabel(p.items).map((x) => <i key={x.label}>{x.label}</i>)}"],
    ["a sorted part of a list", "{byLabel(p.items.slice(0, 2)).map((x) => <i key={x.label}>{x.label}</i>)}"],
    ["a variable that is read after it was sorted", "{p.tags.sort().join()}{p.tags.map((x) => <i key={x}>{x}</i>)}"],
    ["a list made of others, sorted", "{[...p.tags, p.name].sort().map((x) => <i key={x}>{x}</i>)}"],
    ["a callback that takes the list", "{p.tags.filter((x, i, all) => all.indexOf(x) === i).join()}"],
    ["the groups of a pattern", "{p.name.replace(/(\\w)(\\w*)/g, (whole, a, b) => b + a + whole.length)}"],
    ["matches with named groups", '{[...p.name.matchAll(/(?<n>\\w+)/g)].map((m) => m.groups.n).join("+")}'],
    ["a built-in function as a callback", "{p.tags.map(Number)}"],
    ["a result that may be missing", "{p.items.find((x) => x.price > 2)?.quantity && <b>found</b>}"],
    ["an optional call within a computation", '{((p.note?.toUpperCase() ?? "none") + "!").length}'],
    ["an optional item within a computation", "{((p.items.at(-1)?.price || 1) * 2).toFixed(1)}"],
    ["a joined string, continued", '{p.items.map((x, i) => `${i}${x.gift ? x.label : "-"}`).join(" ").toUpperCase()}'],
    ["joined items that are missing", '{p.tags.map((x) => x[1]).join("").length}'],
    ["a number that is not one", "{Number(p.name) && <b>never</b>}"],
    ["a result of two branches", "{new Intl.RelativeTimeFormat('en').format(whole(p.count * 1000), 'day')}"],
    [
      "an attribute that is missing",
      "{p.items.flatMap((x) => [x, x]).map((x, i) => <i key={i} title={x.hint}>{i}</i>)}",
    ],
    [
      "computations in lists in lists",
      "{p.items.filter((x) => x.gift).map((x) => <ul key={x.label}>{x.marks.filter((y) => y > p.name).map((z, i) => <li key={z}>{i + 1}<List of={x.marks} /></li>)}</ul>)}",
    ],
    ["an operation that may throw in a try", "{safely(p.name)}"],
    [
      "operations that throw for an item that is missing",
      '{p.items.map((x, i) => <i key={i}>{Array.from(["zero", "one"][i % 2]).length}{["zero", "one"][i % 2].length}</i>)}',
    ],
    [
      "a carried value that is compared with null",
      "{(() => { let n = null; for (const x of p.items) if (n === null || x.price < n) n = x.price; return n ?? 'none'; })()}",
    ],
    [
      "a member that the first value of a reduction has, and others don't",
      "<b title={p.items.concat(p.items).reduce((a, x) => (x.price > 2 ? x : a), { ...p.items[0], hint: 'h' }).hint}>text</b>",
    ],
    [
      "a style of an item of unknown type",
      "{byLabel(p.items.map((x) => ({ ...x, label: p.name }))).map((x, i) => <b key={i} style={{ padding: x.price }} />)}",
    ],
    [
      "truth as a value",
      "{JSON.stringify([Boolean(p.note), !!p.count, Boolean(p.items[0]?.gift), p.vip, !!p.name.trim()])}",
    ],
    [
      "a number in the style of items of several lists",
      "{[...p.items, ...p.items].slice(1).map((x, i) => <i key={i} style={{ padding: x.price }} />)}",
    ],
    ["a set among children", "{new Set([...p.tags, p.name])}"],
    [
      "both sides of a number that is not one",
      "{((n) => <b title={n <= 1 ? 'few' : 'many'}>{n > 1 ? 'more' : 'less'}</b>)(Date.parse(p.name))}",
    ],
    ["half of an emoji", "<b title={`👩${p.name}`.slice(0, 1)}>{`👩${p.name}`.charAt(0)}</b>"],
    ["a safe operation in a try", '{(() => { try { return p.count.toFixed(2); } catch { return "none"; } })()}'],
  ])("%s", async (_name, jsx) => {
    const fixtures = { full: props, empty: JSON.parse(JSON.stringify(without)) };
    const { diagnostics } = await project.prove(componentOf(jsx), { fixtures });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("refused with the reason", () => {
  test.each([
    [
      "{(() => { try { return <b>{iso(p.name)}</b>; } catch { return null; } })()}",
      "may throw, and what the `catch` does instead is only known when an email is filled",
    ],
    ...[
      "const at = iso(p.name); return p.vip ? at : 'later';",
      "const at = new Date(p.name); const text = at.toLocaleDateString(p.note); if (p.vip) return 'vip'; return text;",
      "return decodeURIComponent(p.items[0]?.hint ?? 'none');",
    ].map((code) => [
      `{(() => { try { ${code} } catch { return "none"; } })()}`,
      "may throw, and what the `catch` does",
    ]),
    ...["['a', 'b'][p.count].length", "((x) => { if (!x) throw new Error('none'); return x; })(p.note)"].map((code) => [
      `{(() => { try { return ${code}; } catch { return "none"; } })()}`,
      "may throw, and what the `catch` does",
    ]),
    [
      "{(() => { let n = 0; return p.items.filter(() => { n += 1; return n < 2; }).length; })()}",
      "calls .filter() on a variable",
    ],
    ["{p.vip && p.tags.sort().join()}{p.tags.map((x) => <i key={x}>{x}</i>)}", "may have been sorted in place before"],
  ])("%s", async (jsx, reason) => {
    const { diagnostics } = await project.compile(componentOf(jsx), { fixtures: { full: props } });
    expect(diagnostics.map(({ message }) => message).join()).toContain(reason);
  });
});
