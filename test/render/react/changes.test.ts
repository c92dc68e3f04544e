import { describe, expect, test } from "vitest";
import type { Template } from "../../../src/project/template.js";
import { Project } from "./project.js";

const project = await Project.make();

const FIXTURES = {
  full: {
    name: "Ann Lee",
    note: "Hi & <b>",
    vip: true,
    count: 3,
    at: "2026-03-29T01:30:00Z",
    base: "https://www.example.com/mail/?ref=a%20b",
    tags: ["b", "a", "b"],
    order: { number: "A-1", total: 9.5 },
    items: [
      { name: "Tea", price: 4.25, gift: false },
      { name: "Pot", price: 12, gift: true },
    ],
  },
  dated: {
    name: "2026-01-02T03:04:05Z",
    vip: false,
    count: 1,
    at: "2026-01-31T12:00:00Z",
    base: "https://b.test/?a=1",
    tags: ["a"],
    order: { number: "B", total: 1 },
    items: [{ name: "Cup", price: 7, gift: false }],
  },
  linked: {
    name: "https://q.test/?z",
    note: "n",
    vip: false,
    count: 2,
    at: "2025-12-31T12:00:00Z",
    base: "http://c.test/c",
    tags: [],
    order: { number: "C", total: 2 },
    items: [],
  },
  other: {
    name: "",
    vip: false,
    count: -1,
    at: "2024-02-29T23:30:00Z",
    base: "http://a.test",
    tags: [],
    order: { number: "", total: 0 },
    items: [],
  },
};

const TYPES = `interface Props { name: string; note?: string; vip: boolean; count: number; at: string; base: string; tags: string[];
order: { number: string; total: number }; items: { name: string; price: number; gift: boolean }[] }`;

const component = (code: string): string => `${TYPES}
export default function Email(props: Props) {
  const show = (): any => { ${code} };
  return <div><p>{show()}</p></div>;
}
`;

const OWN: readonly string[] = [
  "const url = new URL(props.base); url.searchParams.set('token', props.name); return <a href={url.toString()}>x</a>;",
  "const url = new URL('/a', props.base); url.searchParams.append('n', String(props.count)); url.searchParams.delete('ref'); url.hash = props.name; return url.href;",
  "const { searchParams } = new URL(props.base); searchParams.delete('ref'); return searchParams.toString() + searchParams.size;",
  "const url = new URL(props.base); const same = url; same.pathname += 'x'; const copy = new URL(url); copy.hash = 'top'; return url.href + copy.href;",
  "const query = new URLSearchParams({ name: props.name }); if (props.note) query.set('note', props.note); return `https://x.test/?${query}`;",
  "const due = new Date(props.at); due.setDate(due.getDate() + 14); return due.toLocaleDateString('en-US');",
  "const end = new Date(props.at); end.setUTCMonth(end.getUTCMonth() + 1, 0); end.setUTCHours(23, 59, 59, 999); return end.toISOString();",
  "const from = new Date(2024, 0, 31); from.setMonth(from.getMonth() + 1); return from.toLocaleDateString('en-US');",
  "const parts = props.name.split(' '); const last = parts.pop(); const first = parts.shift(); return `${first} ${last} ${parts.length}`;",
  "const parts = props.name.split(' '); parts.splice(0, 1, 'x', props.note ?? 'y'); parts.reverse(); return parts.join('+');",
  "const tags = [...props.tags]; tags.push(props.name); tags.unshift('first'); tags.sort(); return tags.map((tag) => <b key={tag}>{tag}</b>);",
  "const rows = props.items.map((item) => <i key={item.name}>{item.name}</i>); rows.push(<b key='end'>end</b>); return rows;",
  "const lines = []; if (props.name) lines.push(props.name); if (props.note) lines.push(props.note); return lines.length > 0 ? lines.join(', ') : 'none';",
  "const seen = new Set(props.tags); seen.add(props.name); seen.delete('a'); return <b>{[...seen].join()}{seen.size}{seen}</b>;",
  "const prices = new Map([['a', 1]]); prices.set(props.name, props.count); return [...prices.keys()].join() + prices.get('a');",
  "const order = { ...props.order }; order.number = 'z'; return order.number + order.total;",
  "const labels: Record<string, number> = { a: 1, b: 2 }; labels[props.name] = 5; labels.c = 3; return JSON.stringify(labels) + labels.a + labels[props.name];",
  "return props.items.map((item) => { const copy = { ...item }; if (item.gift) copy.name = 'gift'; return copy; }).map((item) => <b key={item.name}>{item.name}</b>);",
];

const IN_BLOCKS: readonly string[] = [
  "try { const url = new URL(props.base); url.searchParams.set('token', props.name); return url.toString(); } catch { return props.base; }",
  "try { const query = new URL(props.name, props.base).searchParams; query.delete('ref'); return query.toString() + query.size; } catch { return 'none'; }",
  "try { const url = new URL(props.base); url.href = props.name; return url.host; } catch { return 'none'; }",
  "try { const due = new Date(props.name); due.setUTCDate(due.getUTCDate() + 1); return due.toISOString(); } catch { return 'none'; }",
  "try { const parts = decodeURIComponent(props.name).split(' '); parts.push('z'); parts.reverse(); return parts.join(); } catch { return 'none'; }",
  "try { let text = ''; const add = (more: string) => { text += more; }; add(props.at); add(new Date(props.name).toISOString()); return text; } catch { return 'none'; }",
  "const tags = ['a']; const add = (tag: string) => tags.push(tag); const text = () => { try { if (props.vip) throw new Error('x'); add(props.name); return tags.join(); } catch { add('b'); return `none ${tags.join()}`; } }; return text() + tags.length;",
  "let tags: string[] = []; for (const item of props.items) { const copy = [...tags]; if (item.gift) copy.push(item.name); else copy.unshift('x'); tags = copy; } return tags.join();",
  "let url = new URL('https://x.test'); for (const item of props.items) { const next = new URL(url); next.searchParams.append('name', item.name); url = next; } return url.href;",
  "let total = 0; for (const item of props.items) { const day = new Date(props.at); day.setUTCDate(item.price); total += day.getTime(); } return String(total);",
  "let label = ''; const tags = ['a']; for (const item of props.items) label += tags.join('/') + item.name; tags.push('b'); return label + tags.join();",
  "const rows: any[] = [<b key='a'>a</b>]; for (let i = 0; i < props.count; i++) rows.push(<i key={i}>{i}</i>); rows.push(<b key='z'>z</b>); return <p>{rows}{rows.length}</p>;",
  "const [one, other] = [props.name, props.vip ? 'x' : 'y']; const labels: Record<string, unknown> = { a: 1, [one]: 2, [other]: 3 }; labels.a = 5; labels.z = 6; return JSON.stringify(labels);",
  "const tags = [...new Set([...props.tags, props.name])]; tags.push('z'); const seen = new Set(props.tags); seen.add('q'); return [...tags, ...seen].join() + (seen.size + 1);",
];

const DEPENDING: readonly string[] = [
  "const url = new URL('/x', props.base); const query = { from: 'mail', name: props.name, note: props.note }; Object.entries(query).forEach(([key, value]) => { if (value) url.searchParams.set(key, value); }); return <a href={url.toString()}>x</a>;",
  "const url = new URL('https://x.test/?ref=1'); const add = (note?: string) => { if (note) url.searchParams.set('note', note); else url.search = ''; }; add(props.note); url.searchParams.append('z', '1'); return url.href + url.searchParams;",
  "const url = new URL(props.base); const query = url.searchParams; const add = (note?: string) => { note && query.set('note', note); }; add(props.note); return url.href + query.size;",
  "const due = new Date(props.at); const shift = (days: number) => { if (days > 0) due.setUTCDate(due.getUTCDate() + days); else due.setUTCFullYear(2020); return due; }; return shift(props.count).toISOString() + due.getTime();",
  "const day = new Date(0); const reset = () => { if (props.vip) day.setHours(0, 0, 0, 0); }; reset(); return day.toLocaleString('en-US');",
  "const day = new Date(props.at); const later = props.vip ? day : new Date(0); later.setUTCDate(1); day.setUTCMonth(5); return day.toISOString() + later.toISOString();",
  "const classes = ['base']; const add = (name: string, when: unknown) => { if (when) classes.push(name); }; add('vip', props.vip); add('note', props.note); return <b className={classes.join(' ')}>x</b>;",
  "const rows: any[] = []; const add = (label: string, value: unknown) => { if (!value) return; rows.push(<i key={label}>{label} {value}</i>); }; add('a', props.note); add('b', props.name); add('c', props.vip && 'vip'); return <b>{rows.length}{rows}</b>;",
  "const tags = ['b', 'a']; const size = props.vip ? tags.push(props.name) : tags.unshift('c'); return tags.join() + size;",
  "const tags = [...props.tags]; const last = props.vip && tags.pop(); return <b>{tags}{tags.length}{last}</b>;",
  "const tags = ['b', 'a']; const sorted = props.vip ? tags.sort() : tags; return tags.join() + sorted.join();",
  "const [one, other] = [[...props.tags], ['q']]; const list = props.vip ? one : other; list.push('x'); one.push('y'); return [one, other, list].map((each) => each.join()).join('/');",
  "const add = (list: string[], value?: string) => { if (value) list.push(value); return list; }; return add(add(['q'], props.note), props.name).join('-');",
  "const tags = ['x', 'b']; const sort = (when: unknown) => { if (when) tags.sort(); }; const both = (when: unknown) => { if (when) sort(props.note); else tags.push('c'); }; both(props.vip); both(props.name); return tags.join();",
  "const seen = new Set(['a']); const add = (value?: string) => { value && seen.add(value); }; add(props.note); add(props.name); return [...seen].join() + seen.size;",
  "const cache = new Map<string, string>(); const get = (key: string) => { if (!cache.has(key)) cache.set(key, key.toUpperCase()); return cache.get(key); }; return `${get('a')}${get(props.name)}${get(props.name)}${cache.size}`;",
  "const style = { color: 'red' }; const mark = (when: unknown) => { if (when) style.color = 'blue'; }; mark(props.vip); return <b style={style}>x</b>;",
  "const labels: Record<string, string> = { a: 'x' }; const add = (value?: string) => { if (value) labels.b = value; else delete labels.a; }; add(props.note); return JSON.stringify(labels) + Object.keys(labels).length;",
];

describe.each([
  ["what the component has made", OWN],
  ["what was made before, depending on a variable", DEPENDING],
  ["what was made in a loop or a try", IN_BLOCKS],
])("a component may change %s", (_, codes) => {
  let templates: Promise<Template[]> | undefined;
  test.each(codes)("%s", async (code) => {
    templates ??= Promise.all(codes.map((each) => project.template(component(each), { fixtures: FIXTURES })));
    const together = await templates;
    const template = together.find(({ body }) => body.text === component(code));
    if (!template) throw new Error("not written");
    const { diagnostics } = await project.proveTemplate(template, { together });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

const COPY = "Copy it first, and change the copy: [...list], new Date(date), new Map(map), { ...object }.";

describe("a change is refused at its line", () => {
  test.each([
    ["props.tags.push('x'); return props.tags.join();", "`props.tags.push('x')` calls .push() on a variable", COPY],
    [
      "const { order } = props; order.number = 'x'; return order.number;",
      '`order.number` gets a member "number"',
      COPY,
    ],
    ["const tags = [...props.items]; tags[0]!.name = 'x'; return tags[0]!.name;", 'gets a member "name"', COPY],
    [
      "const tags = ['a']; const both = [tags, props.tags].slice(props.count); tags.push('x'); return both.join();",
      "`tags.push('x')` changes what is a part of a computed value",
      "Change it before it becomes a part of another value, or change a copy.",
    ],
    [
      "let best = ['n']; const tags = ['a', props.name]; for (const item of props.items) if (item.gift) best = tags; tags.push('z'); return best.join();",
      "`tags.push('z')` changes what is a part of a computed value",
      "Change it before it becomes a part of another value, or change a copy.",
    ],
    [
      "const tags = ['a']; const labels = { [props.name]: tags }; tags.push('z'); return JSON.stringify(labels);",
      "`tags.push('z')` changes what is a part of a computed value",
      "Change it before it becomes a part of another value, or change a copy.",
    ],
    [
      "const tags = ['a', props.name]; const text = () => { try { return decodeURIComponent(props.note ?? '') ? tags : []; } catch { return []; } }; const found = text(); tags.push('z'); return found.join();",
      "`tags.push('z')` changes what is a part of a computed value",
      "Change it before it becomes a part of another value, or change a copy.",
    ],
    [
      "const tags = ['a']; const text = () => { try { tags.splice(0, 1); return new Date(props.name).toISOString(); } catch { return tags.join(); } }; return text() + tags.length;",
      "`tags.splice(0, 1)` changes a value, depending on whether something in the `try` throws",
      "Create what is changed within the `try`, and return it.",
    ],
    [
      "const tags = ['a']; const text = () => { try { return new Date(props.name).toISOString(); } catch { tags.splice(0, 1); return tags.join(); } }; return text() + tags.length;",
      "`tags.splice(0, 1)` changes a value, depending on whether something in the `try` throws",
      "Create what is changed within the `try`, and return it.",
    ],
    [
      "return props.items.reduce((last, item) => { last.price += 1; return item; }, { name: '', price: 0 }).price;",
      "calls .reduce() on a variable",
      undefined,
    ],
    [
      "const tags = [...props.tags]; tags.length = 1; return tags.join();",
      '`tags.length` gets a member "length"',
      "Use .slice.",
    ],
    [
      "const labels: Record<string, number> = { a: 1 }; labels[props.name] += 1; return labels.a;",
      "is the name of a member",
      undefined,
    ],
    [
      "const style: Record<string, unknown> = {}; const add = (b: unknown) => { if (b) style.b = <b />; }; add(props.vip); return style.b;",
      "`style.b` changes a value depending on a variable",
      "Change it in the function that makes it, or choose between two values: `a ? b : c`.",
    ],
    [
      "const attributes: Record<string, string> = {}; const add = (title?: string) => { if (title) attributes.title = title; }; add(props.note); return <b {...attributes} />;",
      "`<b {...attributes} />` is spread into properties, but its members are unknown",
      "Pass each property by its name, or give the variable a type that names all its members.",
    ],
  ])("%s", async (code, message, hint) => {
    const { diagnostics } = await project.compile(component(code), { fixtures: FIXTURES });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 4 } }]);
    expect(diagnostics[0]?.message).toContain(message);
    if (hint !== undefined) expect(diagnostics[0]?.hint).toBe(hint);
  });
});
