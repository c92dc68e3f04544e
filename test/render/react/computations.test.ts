import { describe, expect, test } from "vitest";
import type { Template } from "../../../src/project/template.js";
import { component, Project } from "./project.js";

const project = await Project.make();

/** Code that Mustache can't express: computed when an email is filled. With variables of loose types. */
const LOOSE: readonly string[] = [
  "{props.tags.filter(Boolean).map((tag) => <i>{tag}</i>)}",
  "{props.items.flatMap(({ name }) => [name, 'x']).map((each) => <i>{each}</i>)}",
  "{props.order.total.toFixed(2)}",
  "{props.name.toUpperCase()}",
  "{props.name.split(' ')[0]}",
  "{props.items.filter((item) => item.gift).map((item) => item.name)}",
  "{props.items.reduce((sum, item) => sum + item.price, 0)}",
  "{props.tags.toSorted()}",
  "{props.items.find((item) => item.gift)?.name}",
  "{props.items.some((item) => item.gift && item.price === 4) && <b />}",
  "{props.count * 2}",
  "{props.count + 1}",
  "{-props.count}",
  "{props.status > 1 ? 'many' : 'one'}",
  "{props.name < 'm' && <b />}",
  "{props.count > props.order.total && <b />}",
  "{props.never > 3 && <b />}",
  "{props.name === props.status && <b />}",
  "{props.items.length - 1}",
  "{props.items.length * 2}",
  "{[...props.tags].sort()}",
  "{props.items.map((item, i) => <p>{props.items[i - 1]?.name}</p>)}",
  "{props.name[0]}",
  "{props.items.map((item, index) => <p className={index % 2 ? 'odd' : 'even'} />)}",
  "{props.items.map((item, index) => <p>{index + 1}. {item.name}</p>)}",
  "{props.items.map((item) => <p>{item.price.toFixed(2)}</p>)}",
  "{money.format(props.count)}",
  "{((Price) => <Price of={props.count} />)(({ of }) => <b>{money.format(of)}</b>)}",
  "{new Date(props.name).toLocaleDateString('en')}",
  "{Number(props.name)}",
  "{JSON.stringify(props.order)}",
  "{Object.keys(props.order).length}",
  "{'number' in props.order && <b />}",
  "{/^a/.test(props.name) && <b />}",
  "{(() => { const rows = []; for (const item of props.items) if (item.gift) rows.push(item.name); return rows.length > 1; })()}",
  "{(() => { const rows = []; for (const item of props.items) if (item.gift && item.price > 4) rows.push(item.name); return rows.length > 0; })()}",
  "{[...props.items, ...props.items].map((item, i) => <p>{i > 1 && item.name}</p>)}",
  "{[...props.tags, 'x'].join()}",
  "{[...props.items, props.order].at(0).name}",
  "{(([first]) => first.name)([...props.items, { name: 'x' }])}",
  "{Array.from({ length: props.count }, (_, at) => <b key={at} />)}",
  "{(() => { const rows = []; for (const item of props.items) rows.push(item.name); for (const tag of props.tags) rows.push(tag); return rows.length; })()}",
  "{(() => { const [first, ...rest] = props.items.map((item) => item.name); return rest; })()}",
  "{(() => { const [first, ...rest] = props.items; return <p>{rest.length}</p>; })()}",
  "{props.order.total.toLocaleString('de')}",
  "{props.order.hasOwnProperty('memo') && 'x'}",
  "{Math.max(...props.items.map((item) => item.price))}",
  "{(() => { props.tags.sort(); return props.tags.map((tag) => <b>{tag}</b>); })()}",
  "{(() => { const long = props.tags.filter((tag) => tag.length > 3); long.reverse(); return long.map((tag) => <b>{tag}</b>); })()}",
  "{`${new Date(props.name)}`}",
  "{props.items.slice(0, 2).at(-1).name}",
  "{(() => { try { return props.count.toFixed(2); } catch { return 'x'; } })()}",
  "<p style={{ width: props.count }} />",
  "<p style={{ width: props.items.length }} />",
  "{props.items.map((item) => props.items.map(() => <b>{`${item.name}`}</b>))}",
  "{props.items.map((item) => props.items.map((other) => <b>{other.name}{item.name}</b>))}",
  "{(() => { let sum = 0; for (const { price } of props.items) sum += price; return sum; })()}",
  "{(() => { let names = ''; props.items.forEach((item, i) => { names += i + item.name; }); return names; })()}",
  "{(() => { let last; for (const item of props.items) if (item.gift) last = item; return last?.name ?? 'none'; })()}",
  "{(() => { let out = ''; for (let i = 0; i < props.tags.length; i++) out += props.tags[i].toUpperCase(); return out; })()}",
];

const LOOSE_FIXTURES = {
  full: {
    name: "Ann",
    note: "Hi",
    vip: true,
    count: 3,
    status: "paid",
    tags: ["a"],
    nick: null,
    order: { number: "A1", total: 9.5 },
    items: [{ name: "Tea", price: 4, gift: false }],
  },
  other: {
    name: "Cy",
    nick: "C",
    vip: true,
    count: 1,
    status: "open",
    tags: ["abcd", "x", "bcde"],
    order: { number: "A3", total: 1 },
    items: [
      { name: "B", price: 4, gift: true },
      { name: "A", price: 1.25, gift: true },
    ],
  },
};

const BEFORE = 'const money = new Intl.NumberFormat("en", { style: "currency", currency: "EUR" });';

const BEFORE_TYPED = `import { Column, Markdown, Row, Text } from "@react-email/components";
interface Props { name: string; note?: string; vip: boolean; count: number; status: string; at: string; base: string; tags: string[]; nick?: string; order: { number: string; total: number; memo?: string }; items: { name: string; price: number; qty: number; gift: boolean; hint?: string }[]; visits: { day: string; minutes: number; stops: { place: string; minutes: number }[] }[]; nums: number[]; rates: Record<string, number>; price: number; lines?: Line[]; to: string | string[]; cc?: string | string[] | null; limit: number | "none"; cell: string | number | { text: string; href?: string }; cells: Cell[]; sent: string | Date; guests: (Guest | null)[]; prefs?: { email?: boolean; sms?: boolean | null } }
interface Guest { name: string; plus?: { name: string; meal?: string }; tags?: string[] }
type Cell = string | number | boolean | null | string[];
interface Line { name: string; price: number; qty?: number }
const prices = (items: Props["items"]) => new Map(items.map((item) => [item.name, item.price]));
const SAMPLES: Line[] = [{ name: "Tea", price: 250 }, { name: "Pot", price: 990, qty: 2 }];
const money = (cents: number) => "€" + (cents / 100).toFixed(2);
const plural = (n: number, word: string) => (n === 1 ? word : word + "s");
function label(status: string) {
  if (status === "paid") return "Paid!";
  if (status.length > 3) return status.toUpperCase();
  return "Other: " + status;
}
const LABELS: Record<string, string> = { paid: "Bezahlt", open: "Offen" };
const NOTES: Record<string, string> = { n1: "one", n3: "three", b0: "first b" };
function toMoney(amount: number, currency: string) {
  try {
    return new Intl.NumberFormat("pl-PL", { style: "currency", currency: (currency || "PLN").slice(0, 3) }).format(amount);
  } catch (error) {
    console.error(error);
    return amount.toFixed(0) + " " + currency;
  }
}
function isoDay(text?: string) {
  if (!text) return "-";
  try { if (text.length < 3) throw new Error("short"); return new Date(text).toISOString().slice(0, 10); } catch { return text; }
}
function hostOf(text: string) {
  try { return new URL(text).host; } catch {}
  try { return decodeURIComponent(text); } catch { return text; }
}
function parsed(text: string): { isData: boolean; text: string } {
  try {
    const data = JSON.parse(text);
    if (data.text) return { isData: true, text: data.text };
    return { isData: true, text: JSON.stringify(data) };
  } catch {
    return { isData: false, text };
  }
}
function middle(nums: number[]) {
  if (nums.length < 2) return null;
  return (nums[0]! + nums.at(-1)!) / 2;
}
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const LEVELS = ["low", "mid", "high"] as const;
const toArray = <V,>(value: V | V[]): V[] => (Array.isArray(value) ? value : [value]);
const isText = (value: unknown): value is string => typeof value === "string";
function show(cell: Cell): string {
  if (cell === null) return "-";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "number") return cell.toFixed(1);
  return Array.isArray(cell) ? cell.map((each) => each.trim()).join(", ") : cell;
}`;

/** What templates of shops and services are full of. */
const USUAL: readonly string[] = [
  "<p>{money(props.order.total * 100)}</p>",
  '<p>{new Date(props.at).toLocaleDateString("en-US", { weekday: "long", year: "numeric", month: "long", day: "numeric", timeZone: "UTC" })}</p>',
  "<p>{new Date(props.at).toLocaleDateString()}</p>",
  "<p>{new Date(props.at).getUTCFullYear()}</p>",
  "<p>{new Date(props.at).toISOString().slice(0, 10)}</p>",
  '<p>{new Date(props.at).toISOString().split("T")[0]}</p>',
  '<p>{new Intl.DateTimeFormat("de-DE", { dateStyle: "long", timeZone: "Europe/Berlin" }).format(new Date(props.at))}</p>',
  '<p>{props.price.toLocaleString("en-US", { style: "currency", currency: "USD" })}</p>',
  "<p>{props.status.charAt(0).toUpperCase() + props.status.slice(1)}</p>",
  '<p>{props.status.replace("_", " ")}</p>',
  '<p>{props.name.split(" ").map((w) => w[0]).join("")}</p>',
  '<p>{props.name.split(" ")[0]}</p>',
  "<p>{label(props.status)}</p>",
  "<p>{props.items.filter((i) => i.gift).map((i) => <b key={i.name}>{i.name} {money(i.price)}</b>)}</p>",
  "<p>{props.items.filter((i) => i.gift).length}</p>",
  '<p>{props.items.filter((i) => i.gift).length > 0 ? "gifts" : "none"}</p>',
  '<p>{plural(props.items.filter((i) => i.gift).length, "gift")}</p>',
  '<p>{props.count} {plural(props.count, "item")}</p>',
  "<p>{props.items.reduce((s, i) => s + i.price * i.qty, 0).toFixed(2)}</p>",
  "<p>{props.items.map((i, n) => <span key={n} style={{ width: `${(i.qty / 3) * 100}%` }}>{n + 1}/{props.items.length}</span>)}</p>",
  "<p>{props.items.slice().sort((a, b) => a.price - b.price || a.name.localeCompare(b.name)).map((i) => <i key={i.name}>{i.name}</i>)}</p>",
  "<p>{[...props.items].reverse().map((i) => <i key={i.name}>{i.name}</i>)}</p>",
  '<p>{props.tags.join(", ")}</p>',
  '<p>{[...new Set(props.tags)].join(", ")}</p>',
  "<p>{[...new Set(props.tags)].map((t) => <b key={t}>{t}</b>)}</p>",
  "<p>{Object.entries(props.rates).map(([k, v]) => <b key={k}>{k}: {v}</b>)}</p>",
  "<p>{Object.entries(props.rates).map(([k, v]) => <b key={k}>{k.toUpperCase()}: {v.toFixed(1)}</b>)}</p>",
  "<p>{Object.keys(props.rates).length}</p>",
  "<p>{Object.values(props.rates).reduce((a, b) => a + b, 0)}</p>",
  '<p>{props.items.find((i) => i.gift)?.name ?? "none"}</p>',
  '<p>{props.items.some((i) => i.gift && i.price > 10) ? "y" : "n"}</p>',
  "<p>{props.items.every((i) => i.qty > 0) && <b>all</b>}</p>",
  '<p>{props.tags.includes(props.status) ? "y" : "n"}</p>',
  "<p>{Math.round(props.order.total * 100) / 100}</p>",
  '<img src={new URL("/static/logo.png", props.base).toString()} />',
  "<img src={`${new URL(`/a/${props.name}?q=${props.name}`, props.base)}`} />",
  "<a href={new URL(props.note ?? props.name, props.base)}>x</a>",
  "<a href={new URL(props.base).href}>{new URL(props.base).hostname.replace(/^www\\./, '')}</a>",
  '<p>{new URL(props.base).searchParams.get("ref") ?? "none"} {new URL(props.base).searchParams.has("ref") ? "y" : "n"}</p>',
  "<p>{(() => { const { hostname, pathname } = new URL(props.base); return hostname + pathname; })()}</p>",
  "<p>{URL.canParse(props.name) ? new URL(props.name).host : props.name}</p>",
  '<a href={"https://example.com/?" + new URLSearchParams({ name: props.name, status: props.status }).toString()}>x</a>',
  "<p>{Math.max(...props.nums)}</p>",
  "<p>{Math.max(props.count, 0)}</p>",
  "<p>{parseInt(props.name, 10)}</p>",
  '<p>{Number(props.order.number) || "none"}</p>',
  '<p>{String(props.count).padStart(5, "0")}</p>',
  "<p>{`${props.count * 2} of ${props.price / 3}`}</p>",
  '<p>{props.count > props.order.total ? "more" : "less"}</p>',
  '<p>{props.name === props.nick ? "same" : "different"}</p>',
  "<p>{props.note?.toUpperCase()}</p>",
  '<p>{(props.note ?? "none").toUpperCase()}</p>',
  '<p>{props.note ? props.note.slice(0, 3) + "…" : "no note"}</p>',
  '<p>{props.name.length > 5 ? props.name.slice(0, 5) + "..." : props.name}</p>',
  "<p title={props.name.trim()}>{props.name.trim()}</p>",
  "<a href={`https://x.example/${encodeURIComponent(props.name)}?n=${props.count + 1}`}>x</a>",
  '<p>{props.items.map((i) => i.name).join(" & ")}</p>',
  '<p>{props.items.map((i) => `${i.qty}× ${i.name}`).join(", ")}</p>',
  '<p>{props.items.flatMap((i) => [i.name, String(i.qty)]).join("|")}</p>',
  '<p>{props.count % 2 === 0 ? "even" : "odd"}</p>',
  '<p>{props.items.map((i, n) => <b key={n} className={n % 2 === 0 ? "even" : "odd"}>{i.name}</b>)}</p>',
  "<p>{props.nums.map((n) => <b key={n}>{n * 2}</b>)}</p>",
  '<p>{props.nums.filter((n) => n > 0).map((n) => n.toFixed(1)).join(" ")}</p>',
  "<p>{LABELS[props.status] ?? props.status.toUpperCase()}</p>",
  '<p>{props.status in LABELS ? "k" : "u"}</p>',
  "<p>{(() => { const d = new Date(props.at); const days = Math.ceil((d.getTime() - Date.UTC(2024, 0, 1)) / 86400000); return days > 365 ? `${Math.floor(days / 365)} years` : `${days} days`; })()}</p>",
  "<p>{(() => { const [first, ...rest] = props.items; return first ? <b>{first.name} +{rest.length}</b> : null; })()}</p>",
  "<p>{(() => { const { order: { total, number: no } } = props; return `${no}: ${(total * 1.19).toFixed(2)}`; })()}</p>",
  "<p>{props.items.map((i) => { const sum = i.qty * i.price; return sum > 5 ? <b key={i.name}>{money(sum)}</b> : <i key={i.name}>{sum}</i>; })}</p>",
  "<p>{props.items.slice(0, 2).map((i) => <b key={i.name}>{i.name.toUpperCase()}</b>)}{props.items.length > 2 && `and ${props.items.length - 2} more`}</p>",
  "<p>{props.vip ? props.order.total * 0.9 : props.order.total}</p>",
  "<p>{(props.vip ? props.order.total * 0.9 : props.order.total).toFixed(2)}</p>",
  "<p>{props.count > 0 && props.order.total / props.count}</p>",
  '<p>{!props.name.startsWith("A") && "not A"}</p>',
  '<p>{/^[A-Z]/.test(props.name) ? "cap" : "low"}</p>',
  "<p>{props.name.match(/\\w+/)?.[0]}</p>",
  '<p>{props.name.replace(/(\\w+) (\\w+)/, "$2, $1")}</p>',
  "<p>{props.name.replace(/[aeiou]/g, (c) => c.toUpperCase())}</p>",
  '<p>{typeof props.note === "string" ? "s" : "none"}</p>',
  "<p>{props.items.map((i) => i.price).sort((a, b) => a - b)[0]}</p>",
  "<p>{props.items.at(-1)?.name.toUpperCase()}</p>",
  "<p>{JSON.stringify(props.order)}</p>",
  '<p>{new Intl.ListFormat("en", { style: "long", type: "conjunction" }).format(props.tags)}</p>',
  '<p>{new Intl.PluralRules("en").select(props.count) === "one" ? "item" : "items"}</p>',
  '<p>{new Intl.RelativeTimeFormat("en").format(-3, "day")} {new Intl.RelativeTimeFormat("en").format(Math.trunc(props.count), "day")}</p>',
  "<p>{props.items.indexOf(props.items[0]!)}</p>",
  "<p>{props.items.findIndex((i) => i.gift)}</p>",
  '<p>{props.items.map((item, index) => <b key={index}>{item.name === props.items[0]!.name ? "first" : "x"}</b>)}</p>',
  "<p>{props.items.map((item) => <b key={item.name}>{props.tags.filter((t) => item.name.includes(t)).length}</b>)}</p>",
  "<p>{props.items.map((item) => <b key={item.name}>{props.tags.map((t) => <i key={t}>{t}-{item.name.length}</i>)}</b>)}</p>",
  '<p>{Array.from({ length: 3 }, (_, n) => <b key={n}>{n < props.count ? "★" : "☆"}</b>)}</p>',
  '<p>{"★".repeat(Math.max(0, Math.round(props.count)))}</p>',
  '<p style={{ color: props.order.total < 0 ? "red" : "green" }}>{Math.abs(props.order.total)}</p>',
  '<p>{props.order.total.toFixed(2).replace(".", ",")}</p>',
  '<p>{props.items.map((i) => i.hint ?? "-").join()}</p>',
  '<p>{props.name.toLowerCase().includes("ann") ? 1 : 2}</p>',
  '<p>{[props.order.number, props.order.memo].filter(Boolean).join(" / ")}</p>',
  "<p>{[props.name, props.note].filter(Boolean).map((x) => <b key={x}>{x}</b>)}</p>",
  "<p>{Number.isInteger(props.price) ? props.price : props.price.toFixed(2)}</p>",
  "<p>{props.items.length ? props.items.map((i) => i.price).reduce((a, b) => a + b) / props.items.length : 0}</p>",
  '<p>{new Date(props.at) > new Date("2026-01-01") ? "new" : "old"}</p>',
  "<p>{new Date(new Date(props.at).getTime() + 86400000).toISOString()}</p>",
  "<p style={{ padding: props.count, lineHeight: props.count, margin: props.count * 2, width: props.items.length }}>x</p>",
  "<p style={{ ['--x' as string]: props.count, aspectRatio: props.count, strokeWidth: props.count * 2 }}>x</p>",
  "<p>{LEVELS[props.count] ?? 'none'}{LEVELS.at(props.count)}{LEVELS.slice(0, props.count).join()}</p>",
  "{<Text dangerouslySetInnerHTML={{ __html: `<b>${props.name}</b> ${props.status.toUpperCase()}` }} />}",
  "<p>{[...props.status].length}</p>",
  "<p>{new Set(props.tags).size}</p>",
  '<p>{new URL(props.base).searchParams.size ? "y" : "n"} {new URL(props.base).searchParams.size > 1 && "many"}</p>',
  '<p style={{ zoom: props.count, columns: props.count + 1, ["--n" as "color"]: props.count as never }}>x</p>',
  "<p style={(({ vip, count, name, note }) => ({ width: vip, height: count, color: name, margin: note }))(JSON.parse(JSON.stringify(props)))}>x</p>",
  '<p>{props.nums.map(String).join("-")}</p>',
  '<p>{props.tags.map(Number).join("-")}</p>',
  '<p>{props.items.some((i) => i.price * i.qty > 5) ? "y" : "n"}</p>',
  "<p>{(() => { const [first, ...rest] = props.items.map((item) => item.name); return <b>{first}{rest.length}{rest.join()}</b>; })()}</p>",
  '<p>{[...props.tags, "x"].length}</p>',
  "<p>{[...props.tags, ...props.items.map((i) => i.name)].filter((x) => x.length > 1).map((x) => <b key={x}>{x}</b>)}</p>",
  "<p>{(props.name + props.status).length}</p>",
  '<p>{props.items.flatMap((i) => (i.gift ? [<b key="1">{i.name}</b>] : [])).length}</p>',
  "<p>{props.items[1]?.name}</p>",
  '<p>{"ABCDEFG"[Math.min(6, props.items.length * 2)]}{props.name[props.count] ?? "none"}{props.items.map((i, n) => <b key={n}>{"abc"[n]}) {"xyz"[i.qty]}</b>)}</p>',
  '{[["car", props.price], ["bike", props.count], ["bus", props.order.total]].map(([name, km]) => ({ name: String(name), km: Number(km) })).filter(({ km }) => km > 0).sort((a, b) => b.km - a.km).map(({ name, km }) => <Text key={name}>{name}: {km.toFixed(1)} km</Text>)}',
  '<p>{(() => { const parts = ["c", props.status, "b"].filter((part) => part.length > 1 || props.vip); parts.sort(); parts.push("end"); return parts.join(", "); })()}</p>',
  '<p>{[{ name: "car", km: props.price }, { name: "bike", km: props.count }].toSorted((a, b) => b.km - a.km)[0]!.name}</p>',
  "{DAYS.filter((day) => !props.visits.some((visit) => visit.day === day)).map((day) => <Text key={day}>{day.toUpperCase()}</Text>)}",
  "<p>{DAYS.filter((day) => props.visits.every((visit) => visit.day !== day)).join(', ')} {DAYS.filter((day) => props.tags.includes(day)).length}</p>",
  "<p>{props.items.concat(props.items.slice(0, 2), props.items).map((i, n) => <b key={n}>{n === 2 && 'third'}{i.name}</b>)}</p>",
  "<p>{props.items.reduce((n, i) => n + i.qty, 0) === 1 ? 'piece' : 'pieces'}</p>",
  "<p>{props.name[0]}</p>",
  '<p>{props.items.map((i, n) => <b key={n}>{props.items[n - 1]?.name ?? "start"}</b>)}</p>',
  "<p>{props.items.map((i, n) => n.toString()).join()}</p>",
  '<p>{new Date(props.at).toString().length > 3 && "ok"}</p>',
  "<p>{`${new Date(props.at)}`.slice(0, 3)}</p>",
  "{(Array.isArray(props.to) ? props.to : [props.to]).map((to) => <Text key={to}>{to.trim()}</Text>)}",
  "<p>{toArray(props.to).map((to, n) => <b key={n}>{n + 1}. {to}</b>)}{toArray(props.to).length > 1 && 'several'}</p>",
  "<p>{[...toArray(props.to), ...toArray(props.cc ?? [])].map((to) => <b key={to}>{to}</b>)}</p>",
  "<p>{([] as string[]).concat(props.to, props.cc ?? []).map((to) => <b key={to}>{to}</b>)}{[props.to, props.cc ?? []].flat().length}</p>",
  '{<Text title={isText(props.to) ? props.to : ""}>{Array.isArray(props.to) ? props.to.join(", ") : props.to}</Text>}',
  "<p>{props.to}{typeof props.to}{typeof props.cc}{`${props.to}`}</p>",
  '<p>{typeof props.cc === "string" ? props.cc.trim() : props.cc?.map((cc) => <b key={cc}>{cc}</b>)}</p>',
  "<p>{(() => { if (!props.cc) return null; if (isText(props.cc)) return <b>{props.cc}</b>; return props.cc.map((cc) => <i key={cc}>{cc}</i>); })()}</p>",
  '<p>{props.limit === "none" ? "No limit" : props.limit.toFixed(2)}</p>',
  '<p>{(() => { switch (typeof props.cell) { case "string": return props.cell.trim(); case "number": return props.cell * 2; default: return <a href={props.cell.href ?? "/"}>{props.cell.text}</a>; } })()}</p>',
  '{props.cells.map((cell, n) => <Text key={n}>{show(cell)}: {cell === null || typeof cell === "boolean" ? "?" : cell}</Text>)}',
  "{props.cells.map((cell, n) => <ul key={n}>{Array.isArray(cell) ? cell.map((each) => <li key={each}>{each}</li>) : null}</ul>)}",
  "<p>{props.sent instanceof Date ? props.sent.toISOString() : props.sent}</p>",
  "{(props.lines ?? SAMPLES).map((i) => <Text key={i.name}>{i.name}: {money(i.price)}</Text>)}",
  "{(props.lines ?? SAMPLES).map((i, n) => <Row key={n}><Column>{n + 1}. {i.name}</Column><Column>{i.qty ?? 1}</Column></Row>)}",
  "{(props.lines || []).filter((i) => i.price > 300).slice(0, 3).map((i) => <Text key={i.name}>{i.name} {money(i.price)}</Text>)}",
  "{[...(props.lines?.length ? props.lines : SAMPLES)].sort((a, b) => a.price - b.price).map((i) => <Text key={i.name}>{i.name}: {money(i.price)}</Text>)}",
  "{(props.lines ?? SAMPLES).map((i) => ({ ...i, sum: i.price * (i.qty ?? 1) })).map((i) => <Text key={i.name}>{i.name} {money(i.sum)}</Text>)}",
  "{(props.lines ?? SAMPLES).slice().reverse().map((i) => <Text key={i.name}>{i.name} {money(i.price)}</Text>)}",
  "{(props.lines ?? SAMPLES).concat(props.lines ?? []).map((i, n) => <Text key={n}>{i.name} {money(i.price)}</Text>)}",
  "<p>{toMoney(props.price, props.status)}{props.items.map((i) => <b key={i.name}>{toMoney(i.price, i.name)}</b>)}</p>",
  "<p>{isoDay(props.at)}{isoDay(props.name)}{isoDay(props.note)}</p>",
  "<p>{hostOf(props.base)}{hostOf(props.name)}{hostOf(props.to + '%')}</p>",
  "<p>{(({ text, isData }) => <b>{isData && 'data: '}{text}</b>)(parsed(props.vip ? '{\"text\":\"' + props.status + '\"}' : props.name))}</p>",
  "<p>{(() => { try { return props.lines![0]!.name.toUpperCase(); } catch { return 'none'; } })()}</p>",
  "<p>{(() => { try { return props.lines![1]!.name; } catch { return 'none'; } })()}</p>",
  '<p>{(({ email, sms }) => `${email ? "email" : "none"}, ${sms === null ? "never" : sms ? "sms" : "none"}`)({ email: true, sms: true, ...props.prefs })}</p>',
  '<p>{((value) => (value !== null ? value.toFixed(1) : "none"))(middle([...props.nums].sort((a, b) => a - b)))}</p>',
  "{<Markdown>{props.items.map(({ name, hint }) => `- ${name}${hint ? ` (*${hint}*)` : ''}`).join('\\n')}</Markdown>}",
  "{props.visits.map(({ day, stops }, i) => <Markdown key={i}>{`## ${day}\\n\\n${stops.map(({ place }) => `1. ${place}`).join('\\n')}`}</Markdown>)}",
  "<p>{NOTES[`n${props.count}`] ?? 'none'}{NOTES['n' + props.tags.length]}{props.tags.map((t, n) => <b key={n}>{NOTES[`${t}${n}`] ?? '-'}</b>)}</p>",
];

/** Members that may be missing, in functions that are called for each item. */
const OPTIONAL: readonly string[] = [
  '<p>{props.guests.filter((g) => g?.plus?.meal === "vegan").length}</p>',
  "<p>{props.guests.filter((g) => g && g.plus && g.plus.name.length > 2).length}</p>",
  '<p>{props.guests.find((g) => g?.plus?.name.startsWith("B"))?.plus?.meal ?? "any"}</p>',
  '<p>{[...props.guests].sort((a, b) => (a?.plus?.name ?? "").localeCompare(b?.plus?.name ?? "")).map((g) => g?.name).join()}</p>',
  "<p>{props.guests.reduce((n, g) => n + (g?.tags?.length ?? 0) + (g?.plus ? 2 : 1), 0)}</p>",
  '<p>{props.guests.map((g) => g?.plus?.name.trim().toUpperCase()).filter(Boolean).join(", ")}</p>',
  '<p>{props.guests.flatMap((g) => g?.tags?.map((tag) => `#${tag}`) ?? []).join(" ")}</p>',
  '<p>{props.guests.filter((g) => g?.tags?.[0] === "a" || g?.tags?.includes("b")).length}</p>',
  '<p>{props.guests.filter((g) => g?.plus?.[props.vip ? "name" : "meal"] !== undefined).length}</p>',
  "<p>{props.guests.filter((g) => props.guests.some((other) => other?.plus?.name === g?.name)).length}</p>",
  "{props.guests.filter((g) => !g?.plus?.meal).map((g, i) => <Text key={i}>{g?.name} {g?.plus?.name}</Text>)}",
  "<p>{props.guests.filter((g) => { try { return g!.plus!.name.length > 2; } catch { return true; } }).length}</p>",
];

/** Maps, sets, search parameters and what their methods return. */
const ENTRIES: readonly string[] = [
  "{[...prices(props.items).entries()].map(([name, price]) => <Text key={name}>{name} {price}</Text>)}",
  "{Array.from(prices(props.items).entries(), ([name, price]) => <Text key={name}>{name} {price}</Text>)}",
  '<p>{[...prices(props.items).keys(), "all"].join()} {[...prices(props.items).values()].reduce((a, b) => a + b, 0)}</p>',
  "<p>{[...prices(props.items).entries()].sort((a, b) => b[1] - a[1])[0]?.[0]}</p>",
  "<p>{[...new Set(props.tags).entries()].length}{Array.from(new Set(props.tags).values()).map((tag) => <b key={tag}>{tag}</b>)}</p>",
  "{[...new URL(props.base).searchParams.entries()].map(([name, value]) => <Text key={name}>{name}: {value}</Text>)}",
  "{[...props.tags.entries()].map(([i, tag]) => <Text key={i}>{i + 1}. {tag}</Text>)}{[...props.tags.keys()].length}",
  "<p>{(() => { const rows = []; for (const [name, price] of prices(props.items)) rows.push(<b key={name}>{name} {price}</b>); return rows; })()}</p>",
  "<p>{(() => { const rows: React.ReactNode[] = []; prices(props.items).forEach((price, name) => { rows.push(<b key={name}>{name} {price}</b>); }); return rows; })()}</p>",
  "<p>{(() => { const letters = []; for (const letter of props.name) letters.push(<b>{letter}</b>); return letters; })()}</p>",
  "<p>{Object.fromEntries(props.items.map((item) => [item.name, item]))[props.name]?.price ?? 'none'}</p>",
  "{props.visits.map((visit, i) => <Text key={i}>{Object.fromEntries(props.visits.map(({ day, minutes }) => [day, minutes]))[visit.day]}</Text>)}",
  "<p>{Object.fromEntries([[props.status, 'one'], ['x', 'two']]).x}{Object.fromEntries(prices(props.items).entries())['Tea']}</p>",
  '<a href={`https://example.com/?${new URLSearchParams([["name", props.name], ["note", props.note ?? ""]])}`}>a</a>',
  "<p>{new URLSearchParams(Object.entries({ to: props.name, ref: props.base })).toString()} {new URLSearchParams(`a=${props.name}`).toString()}</p>",
  '<p>{new URLSearchParams(new Map([["name", props.name]])).toString()} {new URLSearchParams(Object.entries(props.rates).map(([name, rate]) => [name, String(rate)])).toString()}</p>',
];

/** Loops that carry values from item to item. */
const LOOPS: readonly string[] = [
  "<p>{(() => { let total = 0; for (const item of props.items) total += item.price * item.qty; return money(total); })()}</p>",
  "<p>{(() => { let total = 0; props.items.forEach(({ price, qty }) => { total += price * qty; }); return total.toFixed(2); })()}</p>",
  "<p>{(() => { let total = 0; for (let i = 0; i < props.items.length; i++) { const { price, gift } = props.items[i]!; if (gift) continue; total += price; } return total; })()}</p>",
  "<p>{(() => { let total = 0; for (const line of props.lines ?? SAMPLES) total += line.price * (line.qty ?? 1); return money(total); })()}</p>",
  "<p>{(() => { let net = 0, discount = 0; for (const item of props.items) { const sum = item.price * item.qty; net += sum; if (item.gift) discount += sum * 0.1; } const tax = (net - discount) * 0.19; return `${money(net)} - ${money(discount)} + ${money(tax)}`; })()}</p>",
  "<p>{(() => { let max = -Infinity; for (const n of props.nums) if (n > max) max = n; return max; })()}</p>",
  "<p>{(() => { let best: Props['items'][number] | undefined; for (const item of props.items) if (!best || item.price > best.price) best = item; return best ? <b>{best.name} {money(best.price)}</b> : <i>none</i>; })()}</p>",
  "<p>{(() => { let min: number | null = null; for (const n of props.nums) if (min === null || n < min) min = n; return min === null ? 'none' : min.toFixed(1); })()}</p>",
  "<p>{(() => { let gifts = 0; for (const item of props.items) if (item.gift) gifts++; return gifts > 0 && <b>{gifts} {plural(gifts, 'gift')}</b>; })()}</p>",
  "<p>{(() => { let [few, many] = [0, 0]; for (const { qty } of props.items) { if (qty > 1) many += 1; else few += 1; } return `${few}/${many}`; })()}</p>",
  "<code>{JSON.stringify({ headers: { Authorization: `Bearer ${props.note ?? ''}` }, list: [{ name: props.name }], vip: [[props.vip]] }, null, 2)}</code>",
  "<p>{(() => { const sums: Record<string, number> = {}; for (const { name, price } of props.items) sums[name] = (sums[name] ?? 0) + price; return Object.entries(sums).map(([name, sum]) => `${name} ${money(sum)}`).join(); })()}</p>",
  "{(() => { const sums = new Map<string, number>(); props.items.forEach(({ name, qty }) => { sums.set(name, (sums.get(name) ?? 0) + qty); }); return [...sums].map(([name, sum]) => <b key={name}>{name} {sum}</b>); })()}",
  "<p>{(() => { const seen = new Set<string>(); const names: string[] = []; for (const { name } of props.items) { if (seen.has(name)) continue; seen.add(name); names.push(name.trim()); } return `${seen.size}: ${names.join()}`; })()}</p>",
  "{(() => { const gifts: string[] = [], others: string[] = []; for (const { gift, name } of props.items) { if (gift) gifts.push(name); else others.push(name); } return <p>{gifts.join()} {others.length}{others.map((name) => <b key={name}>{name}</b>)}</p>; })()}",
  "{(() => { let balance = 0; const rows: { name: string; balance: number }[] = []; for (const { name, price } of props.items) { balance += price; rows.push({ name, balance }); } return rows.map((row) => <p key={row.name}>{row.name} {money(row.balance)}</p>); })()}",
  "{(() => { const rows: { label: string; dear: boolean }[] = []; for (const { name, price, gift } of props.items) { if (gift) continue; rows.push({ label: name, dear: price > 3 }); } rows.push({ label: 'total', dear: false }); return rows.map((row) => <p key={row.label} style={{ fontWeight: row.dear ? 700 : 400 }}>{row.label}</p>); })()}",
  "<p>{(() => { const all = { count: 0, sum: 0, gift: false }; for (const { gift, price } of props.lines ? props.items : []) { all.count++; all.sum += price; if (gift) all.gift = true; } return `${all.count} ${money(all.sum)} ${all.gift ? 'gift' : ''}`; })()}</p>",
  "<p>{(() => { const days: Record<string, number> = {}; let stops = 0; for (const visit of props.visits) for (const { minutes } of visit.stops) { days[visit.day] = (days[visit.day] ?? 0) + minutes; stops += 1; } return JSON.stringify([days, stops]); })()}</p>",
  "<p>{(() => { const totals: Record<string, number> = { a: 1 }; for (const key of ['a', 'b']) if (props.count > 1) totals[key] = (totals[key] ?? 0) + props.count; return JSON.stringify(totals); })()}</p>",
  "{Object.entries(props.items.reduce<Record<string, number>>((sums, { name, price }) => { sums[name] = (sums[name] ?? 0) + price; return sums; }, {})).map(([name, sum]) => <b key={name}>{name} {money(sum)}</b>)}",
  "{props.items.reduce<string[]>((names, { name, gift }) => { if (!gift) return names; names.push(name.toUpperCase()); return names; }, []).map((name) => <b key={name}>{name}</b>)}",
  "<p>{(() => { const { sum, gifts } = props.items.reduce((all, item) => { all.sum += item.price; if (item.gift) all.gifts += 1; return all; }, { sum: 0, gifts: 0 }); return `${money(sum)} ${gifts}`; })()}</p>",
  "<p>{[...props.tags.reduce((counts, tag) => counts.set(tag, (counts.get(tag) ?? 0) + 1), new Map<string, number>())].map(([tag, count]) => `${tag}${count}`).join()}</p>",
  "{Object.entries(props.visits.reduce<Record<string, Props['visits']>>((days, visit) => { days[visit.day] = [...(days[visit.day] ?? []), visit]; return days; }, {})).map(([day, visits]) => <p key={day}>{day}: {visits.map(({ minutes }) => minutes).join('+')}</p>)}",
  "<p>{(() => { let first: string | undefined, last: string | undefined; for (const { name } of props.items) { first ??= name; last = name; } return <b>{first} to {last}</b>; })()}</p>",
  "<p>{(() => { let some = false, all = true; for (const { gift } of props.items) { some ||= gift; all &&= gift; } return all ? 'all' : some ? 'some' : 'none'; })()}</p>",
  "<p>{(() => { let list = ''; for (const { name } of props.items) { if (list) list += ', '; list += name.trim(); } return list || 'nothing'; })()}</p>",
  "<p>{(() => { let list = ''; for (const [i, { name }] of props.items.entries()) list += (i === 0 ? '' : i === props.items.length - 1 ? ' and ' : ', ') + name; return list; })()}</p>",
  "<p>{(() => { let list = ''; for (const [name, rate] of Object.entries(props.rates)) list += `${name}: ${rate.toFixed(1)}; `; return list; })()}</p>",
  "<p>{(() => { let minutes = 0; for (const visit of props.visits) for (const stop of visit.stops) minutes += stop.minutes; return minutes; })()}</p>",
  "<p>{(() => { let longest = 0; for (const { stops } of props.visits) { let own = 0; stops.forEach((stop) => { own += stop.minutes; }); if (own > longest) longest = own; } return longest; })()}</p>",
  "{props.visits.map((visit, i) => { let minutes = visit.minutes; for (const stop of visit.stops) minutes -= stop.minutes; return <Text key={i}>{visit.day}: {minutes.toFixed(1)}</Text>; })}",
  "{props.visits.map((visit, i) => <Text key={i}>{visit.day !== props.visits[i - 1]?.day && <b>{visit.day}</b>}{visit.minutes}</Text>)}",
  "{props.items.map((item, i) => <Text key={i}>{item.name}: {money(props.items.slice(0, i + 1).reduce((sum, { price }) => sum + price, 0))}</Text>)}",
  "{props.items.reduce<number[]>((sums, { price }) => [...sums, (sums.at(-1) ?? 0) + price], []).map((sum, i) => <Text key={i}>{money(sum)}</Text>)}",
  "<p>{(() => { const { price, qty } = props.items.reduce((all, item) => ({ price: all.price + item.price, qty: all.qty + item.qty }), { price: 0, qty: 0 }); return `${qty} for ${money(price)}`; })()}</p>",
  "{Object.entries(props.visits.reduce<Record<string, Props['visits']>>((days, visit) => ({ ...days, [visit.day]: [...(days[visit.day] ?? []), visit] }), {})).map(([day, visits]) => <ul key={day}><li>{day} {visits.length}</li>{visits.map(({ minutes, stops }, i) => <li key={i}>{minutes + stops.length}</li>)}</ul>)}",
  "<p>{(() => { const steps = props.nums.slice(1).map((n, i) => n - props.nums[i]!); return <b>{steps.reduce((a, b) => a + b, 0).toFixed(1)} {Math.max(...steps)} {steps.join()}</b>; })()}</p>",
  "{props.items.slice(1).map(({ price }, i) => ({ place: i + 2, more: price - props.items[i]!.price })).filter(({ more }) => more > 0).map(({ place, more }) => <Text key={place}>{place}: {money(more)}</Text>)}",
  "<p>{(() => { const stars = []; for (let i = 1; i <= 5; i++) stars.push(<b key={i}>{i <= props.count ? '★' : '☆'}</b>); return stars; })()}</p>",
  "<p>{(() => { let bar = ''; for (let i = 0; i < props.count; i++) bar += '#'; return bar; })()}</p>",
  "<p style={{ color: (() => { let hash = 0; for (let i = 0; i < props.name.length; i++) hash = props.name.charCodeAt(i) + ((hash << 5) - hash); return `hsl(${hash % 360}, 70%, 50%)`; })() }}>x</p>",
  "{props.items.map((item) => <ul key={item.name}>{props.visits.map((visit, i) => <li key={i}>{visit.day} {item.price * visit.minutes}</li>)}</ul>)}",
  "{props.tags.map((tag, n) => <ul key={n}>{props.items.map((item, i) => <li key={i}>{item.name.includes(tag) && tag.toUpperCase()}</li>)}</ul>)}",
];

const FIXTURES = {
  full: {
    name: "Ann lee",
    note: "Hi <b>",
    vip: true,
    count: 3,
    status: "paid",
    at: "2026-03-29T01:30:00Z",
    base: "https://www.example.com/mail/?ref=a%20b",
    tags: ["b", "a", "b"],
    nick: "C",
    order: { number: "A-1", total: 9.5, memo: "m" },
    items: [
      { name: "Tea", price: 4.25, qty: 2, gift: false, hint: "x" },
      { name: "Pot & co", price: 1200, qty: 1, gift: true },
      { name: "aa", price: 4.25, qty: 0, gift: true },
    ],
    visits: [
      {
        day: "Mon",
        minutes: 20,
        stops: [
          { place: "A & B", minutes: 5 },
          { place: "C", minutes: 2.5 },
        ],
      },
      { day: "Mon", minutes: 5, stops: [] },
      { day: "Tue", minutes: 45, stops: [{ place: "D", minutes: 40 }] },
    ],
    nums: [3, -1, 2.5, 0],
    guests: [
      { name: "Bo", plus: { name: " Bea", meal: "vegan" }, tags: ["a", "b"] },
      null,
      { name: "Cy" },
      { name: "Di", plus: { name: "Bo" }, tags: [] },
    ],
    rates: { a: 1, b: 2 },
    lines: [
      { name: "Cup & saucer", price: 1250, qty: 3 },
      { name: "Jar", price: 200 },
    ],
    price: 1234567.891,
    to: ["Ann ", "<b>"],
    cc: "x",
    limit: 3,
    cell: { text: "Tea", href: "https://example.com/" },
    cells: ["a", 1, true, null, ["b ", "c"], []],
    sent: "2026-03-29T01:30:00Z",
    prefs: { sms: null },
  },
  other: {
    name: "Cy",
    vip: true,
    count: 1,
    status: "open",
    at: "2025-12-31T23:59:59.999Z",
    base: "http://localhost:3000",
    tags: [],
    order: { number: "A3", total: -1 },
    items: [],
    visits: [],
    nums: [],
    guests: [],
    rates: {},
    price: 0,
    to: "Cy & co",
    cc: ["y", "z"],
    limit: "none",
    cell: "Tea",
    cells: [],
    sent: "2025-12-31T23:59:59.999Z",
    prefs: { email: false },
  },
  one: {
    name: " Éa",
    note: "",
    vip: false,
    count: -2.5,
    status: "x",
    at: "2024-02-29T12:00:00Z",
    base: "https://example.com/a?ref=",
    tags: ["z"],
    order: { number: "", total: 0.1 },
    items: [{ name: "", price: 0, qty: 3, gift: false }],
    visits: [{ day: "", minutes: -1, stops: [{ place: "", minutes: 0 }] }],
    nums: [10, 9, 1],
    guests: [{ name: "Al" }],
    rates: { "x y": 0.5 },
    price: 1e21,
    to: [],
    limit: 0,
    cell: 2.5,
    cells: [false],
    sent: "2024-02-29T12:00:00Z",
  },
};

describe.each([
  ["of loose types", LOOSE, LOOSE_FIXTURES, (markup: string) => component(markup, BEFORE)],
  [
    "with a type",
    [...USUAL, ...OPTIONAL, ...ENTRIES, ...LOOPS],
    FIXTURES,
    (markup: string) => component(markup, BEFORE_TYPED).replace("(props)", "(props: Props)"),
  ],
])(
  "what Mustache can't compute is computed when an email is filled, from variables %s",
  (_, markups, fixtures, write) => {
    let templates: Promise<Template[]> | undefined;
    test.each(markups)("%s", async (markup) => {
      templates ??= Promise.all(markups.map((each) => project.template(write(each), { fixtures })));
      const together = await templates;
      const template = together.find(({ body }) => body.text === write(markup));
      if (!template) throw new Error("not written");
      const { diagnostics } = await project.proveTemplate(template, { together });
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    });
  },
);

test("what is computed can decide about the whole document", async () => {
  const source = `import { Body, Html, Preview, Text } from "@react-email/components";
interface Item { name: string; price: number }
export default function Email({ items = [{ name: "Tea", price: 250 }] }: { items?: Item[] }) {
  const dear = items.filter(({ price }) => price > 900);
  if (dear.length === 0) return <Html><Preview>Nothing</Preview><Body><Text>Nothing.</Text></Body></Html>;
  return <Html><Preview>{\`\${dear.length} items\`}</Preview><Body>{dear.map(({ name }) => <Text key={name}>{name.toUpperCase()}</Text>)}</Body></Html>;
}
`;
  const fixtures = { none: {}, some: { items: [{ name: "Pot", price: 1000 }] } };
  const { diagnostics } = await project.prove(source, { fixtures });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
