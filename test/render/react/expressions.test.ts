import { describe, expect, test } from "vitest";
import type { Template } from "../../../src/project/template.js";
import { component, Project } from "./project.js";

const project = await Project.make();

const FIXTURES = {
  full: {
    nothing: null,
    nick: null,
    name: "Ann",
    note: "Hi",
    vip: true,
    count: 3,
    status: "paid",
    tags: ["a", "b"],
    address: { city: "Bern", zip: "3000" },
    order: { number: "A1", total: 9.5, memo: "M" },
    items: [
      { name: "Tea", price: 4, gift: false, parts: [{ name: "Leaf" }], marks: ["x"] },
      { name: "Jam", price: 5, gift: true, parts: [], marks: [] },
    ],
  },
  three: {
    nick: "Bob",
    name: "Bo",
    note: "",
    vip: false,
    count: 10,
    status: "paid",
    tags: ["a"],
    address: { city: "" },
    order: { number: "A3", total: 3, memo: "M" },
    items: ["Tea", "Jam", "Rye"].map((name) => ({ name, price: 3, gift: true, parts: [], marks: ["x", "y"] })),
  },
  bare: {
    name: "",
    vip: false,
    count: 0,
    status: "open",
    tags: [],
    address: { city: "" },
    order: { number: "A2", total: 0 },
    items: [],
  },
};

/** The markup of a component, and what it is compiled to. */
function compiles(cases: Readonly<Record<string, string>>, before = ""): void {
  let templates: Promise<Template[]> | undefined;
  const write = (markup: string) => project.template(component(markup, before), { fixtures: FIXTURES });
  test.each(Object.entries(cases))("%s", async (markup, expected) => {
    templates ??= Promise.all(Object.keys(cases).map(write));
    const together = await templates;
    const template = together.find(({ body }) => body.text === component(markup, before)) ?? (await write(markup));
    const { html, diagnostics } = await project.proveTemplate(template, { together });
    expect(diagnostics).toEqual([]);
    expect(html).toBe(`<div>${expected}</div>`);
  });
}

describe("printing", () => {
  compiles({
    "<p>{props.order.number}</p>": "<p>{{order.number}}</p>",
    "<p>No. {props.order.number}: {props.order.total}</p>": "<p>No. {{order.number}}: {{order.total}}</p>",
    "<a href={props.name}>x</a>": '<a href="{{name}}">x</a>',
    "<a href={`https://example.com/${props.name}?a=1&b=2`}>x</a>":
      '<a href="https://example.com/{{name}}?a=1&amp;b=2">x</a>',
    '{"No. " + props.count + "!"}': "No. {{count}}!",
    "<p style={{ color: props.name }}>x</p>": '<p style="color:{{name}}">x</p>',
    "{props['name']}": "{{name}}",
    "{props.address?.city}": "{{address.city}}",
    "{String(props.count)}": "{{count}}",
    "{Number(props.count)}{+props.count}": "{{count}}{{count}}",
    "{props.count.toString()}": "{{count}}",
    "{[props.name, props.status].join(', ')}": "{{name}}, {{status}}",
    '{"Dear NAME".replace("NAME", () => props.name)}': "Dear {{name}}",
    "{props.items.length}": "{{items__length}}",
    "<p title={`${props.items.length} items`}>{props.items.length === 1 ? 'one' : props.items.length + ' of them'}</p>":
      '<p title="{{items__length}} items">{{#items__has_1}}one{{/items__has_1}}{{^items__has_1}}{{items__length}} of them{{/items__has_1}}</p>',
    "{props.items.map((item) => <i>{item.parts.length}</i>)}": "{{#items}}<i>{{parts__length}}</i>{{/items}}",
    "{props.tags}": "{{#tags}}{{.}}{{/tags}}",
    "{Array.isArray(props.tags) && 'list'}": "list",
    '{"c:" + (props.nothing ?? "")}': "c:{{#nothing__is_present}}{{nothing}}{{/nothing__is_present}}",
    "{props.vip}": "",
    "{`${props.vip}`}": "{{#vip}}true{{/vip}}{{^vip}}false{{/vip}}",
    "<p dangerouslySetInnerHTML={{ __html: `<b>${props.name}</b>` }} />": "<p><b>{{{name}}}</b></p>",
    '<style>{`.b{font-family:${props.name}; color:red}`}</style><b className="b">{props.name}</b>':
      '<style>.b{font-family:{{{name__lc78r}}}; color:red}</style><b class="b">{{name}}</b>',
    '<style media={props.name}>{`.b{font-family:${props.name}}`}</style><b className="b" />':
      '<style media="{{name}}">.b{font-family:{{{name__lc78r}}}}</style><b class="b"></b>',
  });
});

describe("lists", () => {
  compiles({
    "{props.items.map((item) => <p>{item.name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
    "{props.items.map(({ name, price }, index) => <p key={index}>{name}: {price}</p>)}":
      "{{#items}}<p>{{name}}: {{price}}</p>{{/items}}",
    "{props.tags.map((tag) => <i key={tag}>{tag}</i>)}": "{{#tags}}<i>{{.}}</i>{{/tags}}",
    "{props.items.map((item) => item.parts.map((part) => <i>{part.name}</i>))}":
      "{{#items}}{{#parts}}<i>{{name}}</i>{{/parts}}{{/items}}",
    "{props.items.map((item) => <p>{item.price} for {props.order.number}</p>)}":
      "{{#items}}<p>{{price}} for {{order.number}}</p>{{/items}}",
    "{(props.items ?? []).map((item) => <p>{item.name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
    "{props.items && props.items.map((item) => <p>{item.name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
    "{props.items.map((item) => item.name).map((name) => <p>{name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
  });
});

describe("first and last", () => {
  compiles({
    "{props.items.map((item, i) => <p>{i > 0 && ', '}{item.name}</p>)}":
      "{{#items}}<p>{{^item__is_first}}, {{/item__is_first}}{{name}}</p>{{/items}}",
    "{props.items.map((item, i) => <p>{item.name}{i < props.items.length - 1 && <hr />}</p>)}":
      "{{#items}}<p>{{name}}{{^item__is_last}}<hr/>{{/item__is_last}}</p>{{/items}}",
    "{props.items.map((item, i, all) => <p>{i + 1 === all.length ? 'last' : item.name}</p>)}":
      "{{#items}}<p>{{#item__is_last}}last{{/item__is_last}}{{^item__is_last}}{{name}}{{/item__is_last}}</p>{{/items}}",
    "{props.items.map((item, i) => i < 2 && <p>{i === 1 ? 'second' : item.name}</p>)}":
      "{{#items}}{{#item__is_in_first_2}}<p>{{#item__is_first}}{{name}}{{/item__is_first}}{{^item__is_first}}second{{/item__is_first}}</p>{{/item__is_in_first_2}}{{/items}}",
    "{props.items.map((item, i) => item.parts.map((part, j) => <i>{!i && 'I'}{!j && 'J'}</i>))}":
      "{{#items}}{{#parts}}<i>{{#item__is_first}}I{{/item__is_first}}{{#item__is_first_2}}J{{/item__is_first_2}}</i>{{/parts}}{{/items}}",
    "{props.items.slice(0, 2).map((item, i, all) => <p>{item.name}{i < all.length - 1 && <hr />}</p>)}":
      "{{#items}}{{#item__is_in_first_2}}<p>{{name}}{{^item__is_last}}{{#item__is_first}}<hr/>{{/item__is_first}}{{/item__is_last}}</p>{{/item__is_in_first_2}}{{/items}}",
    "{(() => { const some = props.items.slice(1, -1); return some.map((item, i) => <p>{i === some.length - 1 ? 'last' : item.name}</p>); })()}":
      "{{#items}}{{^item__is_first}}{{^item__is_last}}<p>{{#item__is_in_last_2}}last{{/item__is_in_last_2}}{{^item__is_in_last_2}}{{name}}{{/item__is_in_last_2}}</p>{{/item__is_last}}{{/item__is_first}}{{/items}}",
    "{props.items.slice(0, 2).map((item) => item.name).map((name, i, all) => <p>{name}{i < all.length - 1 && <hr />}</p>)}":
      "{{#items}}{{#item__is_in_first_2}}<p>{{name}}{{^item__is_last}}{{#item__is_first}}<hr/>{{/item__is_first}}{{/item__is_last}}</p>{{/item__is_in_first_2}}{{/items}}",
    "{props.items.some((item, i, all) => all.length > 2 && item.gift) && 'many'}":
      "{{#items__has_at_least_3}}{{#items__has_gift_is_truthy}}many{{/items__has_gift_is_truthy}}{{/items__has_at_least_3}}",
    "{props.items[0]?.name ?? 'none'}":
      "{{#items_first_name__is_present}}{{items__first.name}}{{/items_first_name__is_present}}{{^items_first_name__is_present}}none{{/items_first_name__is_present}}",
    "{props.items.at(-1)?.name}": "{{items__last.name}}",
    "{props.items[props.items.length - 1]?.price > 4 && 'dear'}":
      "{{#items_last_price__is_above_4}}dear{{/items_last_price__is_above_4}}",
    "{(() => { const [first, second] = props.items; return <>{first?.name}{second?.name}</>; })()}":
      "{{items__first.name}}{{items__item_1.name}}",
    "{props.items[0]?.parts.map((part) => <i>{part.name}</i>)}":
      "{{#items__first.parts}}<i>{{name}}</i>{{/items__first.parts}}",
    "{props.tags[0]}": "{{tags__first}}",
    "{(() => { const others = props.items.slice(1); return others.length > 0 && 'more'; })()}":
      "{{#items__has_at_least_2}}more{{/items__has_at_least_2}}",
    "{props.items.map((item, i) => props.vip && i === props.items.length - 1 && <b>{props.name}</b>)}":
      "{{#items}}{{#vip}}{{#item__is_last}}<b>{{name__value}}</b>{{/item__is_last}}{{/vip}}{{/items}}",
    "{(() => { const [first, ...rest] = props.items; return [first?.name, rest.map((item) => <p>{item.name}</p>)]; })()}":
      "{{items__first.name}}{{#items}}{{^item__is_first}}<p>{{name}}</p>{{/item__is_first}}{{/items}}",
    "{(([, second, ...rest]) => rest.length > 0 && second.name)(props.items)}":
      "{{#items__has_at_least_3}}{{items__item_1.name}}{{/items__has_at_least_3}}",
    "{(() => { const [first, ...rest] = props.tags; return rest.map((tag, i) => <i>{tag}{i < rest.length - 1 && ', '}</i>); })()}":
      "{{#tags__items}}{{^item__is_first}}<i>{{tags__item}}{{^item__is_last}}, {{/item__is_last}}</i>{{/item__is_first}}{{/tags__items}}",
    "{(() => { let first, rest; [first, ...rest] = props.vip ? props.tags : ['x']; return [first, rest.join(' ')]; })()}":
      "{{#vip}}{{tags__first}}{{/vip}}{{^vip}}x{{/vip}}{{#vip}}{{#tags__items}}{{^item__is_first}}{{^item__is_in_first_2}} {{/item__is_in_first_2}}{{tags__item}}{{/item__is_first}}{{/tags__items}}{{/vip}}",
    "{props.items.slice(1)[0]?.name}{props.items.slice(0, 2)[2]?.name}{props.items.slice(0, -1)[0]?.name}":
      "{{items__item_1.name}}{{#items__has_at_least_2}}{{items__first.name}}{{/items__has_at_least_2}}",
    "{props.items.slice(1).at(-1)?.name}": "{{#items__has_at_least_2}}{{items__last.name}}{{/items__has_at_least_2}}",
    "{props.items.slice(0, 1).map((item) => <p>{item.name}</p>)}":
      "{{#items}}{{#item__is_first}}<p>{{name}}</p>{{/item__is_first}}{{/items}}",
    "{props.items.slice(1).map((item, i) => <p>{i > 0 && ','}{item.name}</p>)}":
      "{{#items}}{{^item__is_first}}<p>{{^item__is_in_first_2}},{{/item__is_in_first_2}}{{name}}</p>{{/item__is_first}}{{/items}}",
  });
});

describe("rows that a loop adds", () => {
  const rows = (loop: string, use = "rows"): string => `{(() => { const rows = []; ${loop}; return ${use}; })()}`;
  const each = "{{#items}}<p>{{name}}</p>{{/items}}";
  const gifts = "{{#items}}{{#gift}}<p>{{name}}</p>{{/gift}}{{/items}}";
  const p = "<p>{item.name}</p>";
  compiles({
    [rows(`for (const item of props.items) rows.push(${p})`)]: each,
    [rows(`for (const item of props.items) { const row = ${p}; rows.push(row); }`)]: each,
    [rows("for (const { name, note = 'none' } of props.items) rows.push(<p>{name}{note}</p>)")]:
      "{{#items}}<p>{{name}}{{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}none{{/note__is_present}}</p>{{/items}}",
    [rows(`for (const [i, item] of props.items.entries()) rows.push(<p>{i > 0 && ', '}{item.name}</p>)`)]:
      "{{#items}}<p>{{^item__is_first}}, {{/item__is_first}}{{name}}</p>{{/items}}",
    [rows(`for (const item of props.items.slice(1)) rows.push(${p})`)]:
      "{{#items}}{{^item__is_first}}<p>{{name}}</p>{{/item__is_first}}{{/items}}",
    [rows(`for (const item of props.items) { if (!item.gift) continue; rows.push(${p}); }`)]: gifts,
    [rows(`for (const item of props.items) item.gift && rows.push(${p})`)]: gifts,
    [rows(`props.items.forEach((item) => rows.push(${p}))`)]: each,
    [rows(`props.items?.forEach((item) => { if (item.gift) rows.push(${p}); })`)]: gifts,
    [rows(
      `props.items.forEach(function (item) { if (item.gift) return rows.push(${p}); if (item.price === 4) return; rows.push("-") })`,
    )]: "{{#items}}{{#gift}}<p>{{name}}</p>{{/gift}}{{^gift}}{{^price__is_4}}-{{/price__is_4}}{{/gift}}{{/items}}",
    [rows("for (const item of props.items) for (const part of item.parts) rows.push(<i>{part.name}</i>)")]:
      "{{#items}}{{#parts}}<i>{{name}}</i>{{/parts}}{{/items}}",
    [rows(`for (const item of props.nothing ?? []) rows.push(${p})`)]: "{{#nothing}}<p>{{name}}</p>{{/nothing}}",
    [rows(`if (props.vip) for (const item of props.items) rows.push(${p})`)]:
      "{{#vip}}{{#items}}<p>{{name}}</p>{{/items}}{{/vip}}",
    [rows(`props.vip && props.items.forEach((item) => rows.push(${p})); rows.push("end")`)]:
      "{{#vip}}{{#items}}<p>{{name}}</p>{{/items}}{{/vip}}end",
    [rows(`for (const item of props.items) rows.push(${p})`, "rows.length > 0 ? <ul>{rows}</ul> : 'none'")]:
      "{{#items__has_items}}<ul>{{#items}}<p>{{name}}</p>{{/items}}</ul>{{/items__has_items}}{{^items__has_items}}none{{/items__has_items}}",
    [rows(`rows.push("head"); for (const item of props.items) rows.push(${p})`, "[rows, rows.length > 2 && 'many']")]:
      "head{{#items}}<p>{{name}}</p>{{/items}}{{#items__has_at_least_2}}many{{/items__has_at_least_2}}",
    [rows(`for (const item of props.items) if (item.gift) rows.push(${p})`, "rows.length > 0 ? 'some' : 'none'")]:
      "{{#items_a5ize__is_above_0}}some{{/items_a5ize__is_above_0}}{{^items_a5ize__is_above_0}}none{{/items_a5ize__is_above_0}}",
    [rows(
      `rows.push("head"); for (const item of props.items) if (item.gift) rows.push(${p})`,
      "rows.length > 1 && 'some'",
    )]: "{{#items_1cizy__is_above_1}}some{{/items_1cizy__is_above_1}}",
    [rows(
      "for (const item of props.items) for (const part of item.parts) rows.push(part.name)",
      "!rows.length && 'none'",
    )]: "{{^items_asibp__is_truthy}}none{{/items_asibp__is_truthy}}",
    "{props.items.flatMap((item) => (item.gift ? [item.name] : [])).length > 0 && 'some'}":
      "{{#items_4p0ad__is_above_0}}some{{/items_4p0ad__is_above_0}}",
    [rows("for (const item of props.items) rows.push(item.name)", "rows.join(', ')")]:
      "{{#items}}{{^item__is_first}}, {{/item__is_first}}{{name}}{{/items}}",
    [rows("for (const word of ['a', 'b']) if (props.vip) rows.push(word)")]: "{{#vip}}ab{{/vip}}",
    [rows("['a', 'b'].forEach((word) => props.vip && rows.push(word))")]: "{{#vip}}ab{{/vip}}",
    [rows("props.note ? rows.push('n') : rows.push('-')")]:
      "{{#note__is_truthy}}n{{/note__is_truthy}}{{^note__is_truthy}}-{{/note__is_truthy}}",
  });
});

describe("lists of strings", () => {
  compiles({
    "{props.tags.map((tag, i) => <>{i > 0 && ', '}{tag}</>)}":
      "{{#tags__items}}{{^item__is_first}}, {{/item__is_first}}{{tags__item}}{{/tags__items}}",
    "{props.tags.map((tag) => tag === 'a' && <b>{tag}</b>)}":
      "{{#tags__items}}{{#tags_item__is_a}}<b>{{tags__item}}</b>{{/tags_item__is_a}}{{/tags__items}}",
    "{props.tags.map((tag) => props.vip && <b>{tag}</b>)}":
      "{{#tags__items}}{{#vip}}<b>{{tags__item}}</b>{{/vip}}{{/tags__items}}",
    "{props.tags.join(', ')}": "{{#tags__items}}{{^item__is_first}}, {{/item__is_first}}{{tags__item}}{{/tags__items}}",
    '<p title={props.tags.join(", ")}>x</p>':
      '<p title="{{#tags__items}}{{^item__is_first}}, {{/item__is_first}}{{tags__item}}{{/tags__items}}">x</p>',
    "{props.tags.slice(0, -1).join(', ')}":
      "{{#tags__items}}{{^item__is_last}}{{^item__is_first}}, {{/item__is_first}}{{tags__item}}{{/item__is_last}}{{/tags__items}}",
    "{[...props.tags].map((tag) => <i>{tag}</i>)}": "{{#tags}}<i>{{.}}</i>{{/tags}}",
    "{[...props.items.map((item) => <i>{item.name}</i>)]}": "{{#items}}<i>{{name}}</i>{{/items}}",
    "{[...props.tags, 'x'].map((tag) => <i>{tag}</i>)}": "{{#tags}}<i>{{.}}</i>{{/tags}}<i>x</i>",
    "{['x', ...props.tags].map((tag, i) => <i>{i > 0 && ', '}{tag}</i>)}": "<i>x</i>{{#tags}}<i>, {{.}}</i>{{/tags}}",
    "{[...props.tags, ...props.items.map((item) => item.name)].map((name) => <i>{name}</i>)}":
      "{{#tags}}<i>{{.}}</i>{{/tags}}{{#items}}<i>{{name}}</i>{{/items}}",
    "{[...(props.vip ? props.tags : []), 'x'].length > 1 && 'y'}":
      "{{#vip}}{{#tags__has_items}}y{{/tags__has_items}}{{/vip}}",
    "{['x'].concat(props.tags).map((tag) => <i>{tag}</i>)}": "<i>x</i>{{#tags}}<i>{{.}}</i>{{/tags}}",
    "{props.items.map((item) => <i>{item.name}</i>).concat(<b />)}": "{{#items}}<i>{{name}}</i>{{/items}}<b></b>",
    "{props.items.map((item) => <i>{item.name}</i>).slice(1)}":
      "{{#items}}{{^item__is_first}}<i>{{name}}</i>{{/item__is_first}}{{/items}}",
    "{Array.from(props.items).map((item) => <p>{item.name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
    "{Array.from(props.items, (item) => <p>{item.name}</p>)}": "{{#items}}<p>{{name}}</p>{{/items}}",
    "{props.items.map((item) => item.name).join(' & ')}":
      "{{#items}}{{^item__is_first}} &amp; {{/item__is_first}}{{name}}{{/items}}",
    "{props.items.map((item) => item.marks.map((mark, i) => <i>{i === 0 && '!'}{mark}</i>))}":
      "{{#items}}{{#marks__items}}<i>{{#item__is_first}}!{{/item__is_first}}{{marks__item}}</i>{{/marks__items}}{{/items}}",
    "{props.tags.includes('a') && 'x'}": "{{#tags__has_is_a}}x{{/tags__has_is_a}}",
    "{props.items.some((item) => item.gift) && 'x'}": "{{#items__has_gift_is_truthy}}x{{/items__has_gift_is_truthy}}",
    "{props.items.every((item) => item.price > 3) && 'x'}":
      "{{#items__all_price_is_above_3}}x{{/items__all_price_is_above_3}}",
  });
});

describe("what an item of a list hides gets its own name", () => {
  compiles({
    "{props.items.map((item) => <p>{item.name} for {props.name}</p>)}":
      "{{#items}}<p>{{name}} for {{name__value}}</p>{{/items}}",
    "{props.items.map((item) => item.parts.map((part) => <i>{part.name} of {item.name}</i>))}":
      "{{#items}}{{#parts}}<i>{{name}} of {{name__value}}</i>{{/parts}}{{/items}}",
  });
});

describe("lists of the component whose items depend on a variable", () => {
  const OPTIONS = "const OPTIONS = [{ id: 'paid', label: 'P' }, { id: 'open', label: 'O' }];";
  compiles(
    {
      "{OPTIONS.findIndex(({ id }) => id === props.status) >= 0 ? 'in' : 'out'}":
        "{{#status__is_paid}}in{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}in{{/status__is_open}}{{^status__is_open}}out{{/status__is_open}}{{/status__is_paid}}",
      "{OPTIONS.findLast(({ id }) => id === props.status)?.label}":
        "{{#status__is_open}}O{{/status__is_open}}{{^status__is_open}}{{#status__is_paid}}P{{/status__is_paid}}{{/status__is_open}}",
      "{OPTIONS.findLastIndex(({ id }) => id === props.status) === 1 && 'open'}":
        "{{#status__is_open}}open{{/status__is_open}}",
      "{['paid', 'open'].indexOf(props.status) !== -1 && 'known'}":
        "{{#status__is_paid}}known{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}known{{/status__is_open}}{{/status__is_paid}}",
      "{OPTIONS.flatMap(({ id, label }) => (id === props.status ? [label] : [])).map((label) => <i>{label}</i>)}":
        "{{#status__is_paid}}<i>P</i>{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}<i>O</i>{{/status__is_open}}{{/status__is_paid}}",
      "{['a', ...(props.vip ? [props.name] : []), 'z'].join('-')}": "{{#vip}}a-{{name}}-z{{/vip}}{{^vip}}a-z{{/vip}}",
      "{['a', 'b'].slice(0, props.vip ? 2 : 1).join('-')}": "{{#vip}}a-b{{/vip}}{{^vip}}a{{/vip}}",
      "{['a'].concat(props.vip ? ['b'] : []).length}": "{{#vip}}2{{/vip}}{{^vip}}1{{/vip}}",
      "{[['a'], props.vip ? ['b'] : []].flat().join('-')}": "{{#vip}}a-b{{/vip}}{{^vip}}a{{/vip}}",
    },
    OPTIONS,
  );
});

describe("sizes", () => {
  compiles({
    "{props.count > 3 && <b>x</b>}": "{{#count__is_above_3}}<b>x</b>{{/count__is_above_3}}",
    "{3 <= props.order.total ? 'a' : 'b'}":
      "{{#order_total__is_at_least_3}}a{{/order_total__is_at_least_3}}{{^order_total__is_at_least_3}}b{{/order_total__is_at_least_3}}",
    "{props.count > 5 ? 'L' : props.count > 1 ? 'M' : props.count > 5 ? 'never' : 'S'}":
      "{{#count__is_above_5}}L{{/count__is_above_5}}{{^count__is_above_5}}{{#count__is_above_1}}M{{/count__is_above_1}}{{^count__is_above_1}}S{{/count__is_above_1}}{{/count__is_above_5}}",
    "{(() => { switch (true) { case props.count > 5: return 'L'; case props.count === 3: return 'M'; default: return 'S'; } })()}":
      "{{#count__is_above_5}}L{{/count__is_above_5}}{{^count__is_above_5}}{{#count__is_3}}M{{/count__is_3}}{{^count__is_3}}S{{/count__is_3}}{{/count__is_above_5}}",
    "{props.items.length > 1 ? 'many' : 'few'}":
      "{{#items__has_at_least_2}}many{{/items__has_at_least_2}}{{^items__has_at_least_2}}few{{/items__has_at_least_2}}",
    "{props.items.length === 1 && 'one'}": "{{#items__has_1}}one{{/items__has_1}}",
    "{props.name.length > 2 && 'long'}": "{{#name__has_at_least_3}}long{{/name__has_at_least_3}}",
    "{props.items.length > 1 && props.items.map((item) => <b>{item.name}</b>)}":
      "{{#items__has_at_least_2}}{{#items}}<b>{{name}}</b>{{/items}}{{/items__has_at_least_2}}",
    "{props.items.some((item) => item.gift) && props.items.map((item) => <b>{item.name}</b>)}":
      "{{#items__has_gift_is_truthy}}{{#items}}<b>{{name}}</b>{{/items}}{{/items__has_gift_is_truthy}}",
    "{props.nothing?.map((item) => <b>{item.name}</b>)}": "{{#nothing}}<b>{{name}}</b>{{/nothing}}",
    "{props.items.length && 'x'}":
      "{{#items__has_items}}x{{/items__has_items}}{{^items__has_items}}0{{/items__has_items}}",
    "{props.note?.length < 2 && 'short'}":
      "{{#note__is_present}}{{^note__has_at_least_2}}short{{/note__has_at_least_2}}{{/note__is_present}}",
  });
});

describe("presence", () => {
  const there = "{{#nick__is_present}}<b>{{nick}}</b>{{/nick__is_present}}";
  compiles(
    {
      "{props.nick != null && <b>{props.nick}</b>}": there,
      "{props.nick !== undefined && props.nick !== null && <b>{props.nick}</b>}": there,
      "{null !== props?.nick && void 0 !== props.nick && <b>{props.nick}</b>}": there,
      '{typeof props.nick !== "undefined" && props.nick !== null && <b>{props.nick}</b>}': there,
      '{(typeof props.nick) == "undefined" || props["nick"] == null ? null : <b>{props.nick}</b>}': there,
      "{!(props.nick === undefined || props.nick === null) && <b>{props.nick}</b>}": there,
      "{has(props.nick) && <b>{props.nick}</b>}": there,
      "{given(props) && <b>{props.nick}</b>}": there,
      "{props.nick !== null && props.nick !== 'x' && props.nick !== undefined && 'y'}":
        "{{#nick__is_present}}{{^nick__is_x}}y{{/nick__is_x}}{{/nick__is_present}}",
    },
    `const has = (x) => x !== undefined && x !== null;
     function given({ nick }) { if (typeof nick === "undefined" || nick === null) return false; return true; }`,
  );
});

describe("choices", () => {
  compiles({
    "{props.vip && <b>VIP</b>}": "{{#vip}}<b>VIP</b>{{/vip}}",
    "{!props.vip && <b>No</b>}": "{{^vip}}<b>No</b>{{/vip}}",
    "{props.vip ? <b>A</b> : <i>B</i>}": "{{#vip}}<b>A</b>{{/vip}}{{^vip}}<i>B</i>{{/vip}}",
    "{props.note && <p>{props.note}</p>}": "{{#note__is_truthy}}<p>{{note}}</p>{{/note__is_truthy}}",
    '{props.note ?? "none"}':
      "{{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}none{{/note__is_present}}",
    '{props.name || "you"}':
      "{{#name__is_truthy}}{{name}}{{/name__is_truthy}}{{^name__is_truthy}}you{{/name__is_truthy}}",
    '{props.status === "paid" && <p>Thanks</p>}': "{{#status__is_paid}}<p>Thanks</p>{{/status__is_paid}}",
    '{props.status !== "paid" && <p>Pay</p>}': "{{^status__is_paid}}<p>Pay</p>{{/status__is_paid}}",
    "{props.items.length > 0 && <ul>{props.items.map((item) => <li>{item.name}</li>)}</ul>}":
      "{{#items__has_items}}<ul>{{#items}}<li>{{name}}</li>{{/items}}</ul>{{/items__has_items}}",
    "{props.items.length === 0 ? <p>None</p> : null}": "{{^items__has_items}}<p>None</p>{{/items__has_items}}",
    "{props.count && <p>{props.count}</p>}":
      "{{#count__is_truthy}}<p>{{count}}</p>{{/count__is_truthy}}{{^count__is_truthy}}{{#count__is_0}}0{{/count__is_0}}{{/count__is_truthy}}",
    "{props.vip && props.note && <p>x</p>}": "{{#vip}}{{#note__is_truthy}}<p>x</p>{{/note__is_truthy}}{{/vip}}",
    "{props.vip && (props.vip ? <b>A</b> : <i>B</i>)}": "{{#vip}}<b>A</b>{{/vip}}",
    '{["paid", "open"].includes(props.status) && <p>x</p>}':
      "{{#status__is_paid}}<p>x</p>{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}<p>x</p>{{/status__is_open}}{{/status__is_paid}}",
    "{props.items.map((item) => item.gift && <b>{item.name}</b>)}":
      "{{#items}}{{#gift}}<b>{{name}}</b>{{/gift}}{{/items}}",
    "{props.items.map((item) => item.price === 4 ? <b>four</b> : <i>{props.note}</i>)}":
      "{{#items}}{{#price__is_4}}<b>four</b>{{/price__is_4}}{{^price__is_4}}<i>{{note}}</i>{{/price__is_4}}{{/items}}",
  });
});

describe("choices in properties are made where they are printed", () => {
  compiles({
    "<ol start={props.count} reversed={props.vip}><li>x</li></ol>":
      '{{#vip}}<ol start="{{count}}" reversed=""><li>x</li></ol>{{/vip}}{{^vip}}<ol start="{{count}}"><li>x</li></ol>{{/vip}}',
    '<select defaultValue={props.vip ? "a" : "b"}><option>a</option></select>':
      '<select>{{#vip}}<option selected="">a</option>{{/vip}}{{^vip}}<option>a</option>{{/vip}}</select>',
    '<p className={props.vip ? "a" : "b"}>x</p>': '<p class="{{#vip}}a{{/vip}}{{^vip}}b{{/vip}}">x</p>',
    '<p className={`c ${props.vip ? "a" : "b"}`}>{props.name}</p>':
      '<p class="{{#vip}}c a{{/vip}}{{^vip}}c b{{/vip}}">{{name}}</p>',
    '<p style={{ color: props.vip ? "red" : "blue", margin: 4 }}>x</p>':
      '<p style="{{#vip}}color:red;{{/vip}}{{^vip}}color:blue;{{/vip}}margin:4px">x</p>',
    '<a href={props.vip ? "/x" : undefined}>x</a>': '{{#vip}}<a href="/x">x</a>{{/vip}}{{^vip}}<a>x</a>{{/vip}}',
    "<a href={props.note}>x</a>":
      '{{#note__is_present}}<a href="{{note}}">x</a>{{/note__is_present}}{{^note__is_present}}<a>x</a>{{/note__is_present}}',
    "<input disabled={props.vip} />": '{{#vip}}<input disabled=""/>{{/vip}}{{^vip}}<input/>{{/vip}}',
    '<p {...(props.vip ? { title: "v" } : {})}>x</p>': '{{#vip}}<p title="v">x</p>{{/vip}}{{^vip}}<p>x</p>{{/vip}}',
    '<p {...(props.vip && { title: "v" })} {...(props.note && { id: "n" })}>x</p>':
      '{{#vip}}{{#note__is_truthy}}<p title="v" id="n">x</p>{{/note__is_truthy}}{{^note__is_truthy}}<p title="v">x</p>{{/note__is_truthy}}{{/vip}}{{^vip}}{{#note__is_truthy}}<p id="n">x</p>{{/note__is_truthy}}{{^note__is_truthy}}<p>x</p>{{/note__is_truthy}}{{/vip}}',
    '<p style={{ margin: 0, ...(props.vip && { color: "red" }) }}>x</p>':
      '<p style="{{#vip}}margin:0;color:red{{/vip}}{{^vip}}margin:0{{/vip}}">x</p>',
  });
});

describe("functions and components", () => {
  const BEFORE = `
    import { Children, cloneElement, Component, createElement, createContext, Fragment, useContext } from "react";
    const LABELS = { paid: "Paid", open: "Open" };
    const MAP = new Map([["paid", "Paid"]]);
    const SET = new Set(["paid"]);
    const RENDER = { paid: (name) => <b>{name}</b> };
    const Theme = createContext("light");
    function Row({ label = "–", strong = false, children }) {
      if (strong) return <b>{label}{children}</b>;
      return <i>{label}{children}</i>;
    }
    function word(status) {
      switch (status) {
        case "paid": return "thanks";
        case "open": return "please";
        default: return "hm";
      }
    }
    const List = ({ children }) => <ul>{Children.map(children, (child) => <li>{child}</li>)}</ul>;
    const Lined = ({ children }) => <>{Children.toArray(children).map((child, index) => <p key={index}>{child}</p>)}</>;
    const Maybe = ({ children }) => Children.count(children) > 0 ? <b>{children}</b> : "none";
    const Titled = ({ children }) => cloneElement(children, { title: "t" });
    function marks(a, b, c, d, e) {
      let text = "m";
      if (a) text += "a";
      if (b) text += "b";
      else text += "-";
      if (c) text += "c";
      if (d) text += "d";
      if (e) text += "e"
      return text;
    }
    class Sign extends Component { render() { const { label, tone } = this.props; return <u title={tone}>{label}</u>; } }
    Sign.defaultProps = { label: "–", tone: "plain" };
    const Old = ({ label }) => <u>{label}</u>;
    Old.defaultProps = { label: "–" };
    const Themed = () => <u>{useContext(Theme)}</u>;
    const Spread = (all) => <Row {...all} />;
    function sentence(props) {
      let text = "Dear ";
      if (props.vip) text += "valued ";
      text += "customer";
      return text;
    }`;
  compiles(
    {
      '<Row label="x" />': "<i>x</i>",
      "<Row label={props.note} />":
        "<i>{{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}–{{/note__is_present}}</i>",
      "<Sign label={props.note} />":
        '<u title="plain">{{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}–{{/note__is_present}}</u>',
      '<Sign {...(props.vip ? { label: "v" } : {})} tone="x" />': '<u title="x">{{#vip}}v{{/vip}}{{^vip}}–{{/vip}}</u>',
      "{createElement(Old, { label: props.note })}":
        "<u>{{#note__is_present}}{{note}}{{/note__is_present}}{{^note__is_present}}–{{/note__is_present}}</u>",
      "<Old label={props.note} />": "<u>{{note}}</u>", // as React has it
      '<Row label="x" strong={props.vip}>!</Row>': "{{#vip}}<b>x!</b>{{/vip}}{{^vip}}<i>x!</i>{{/vip}}",
      "{LABELS[props.status]}":
        "{{#status__is_paid}}Paid{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}Open{{/status__is_open}}{{/status__is_paid}}",
      "{word(props.status)}":
        "{{#status__is_paid}}thanks{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}please{{/status__is_open}}{{^status__is_open}}hm{{/status__is_open}}{{/status__is_paid}}",
      "<Theme.Provider value={props.name}><Themed /></Theme.Provider>": "<u>{{name}}</u>",
      "<Spread label={`No. ${props.count}`} />": "<i>No. {{count}}</i>",
      "<List><b>1</b>{props.vip && <b>2</b>}{props.items.map((item) => <i>{item.name}</i>)}</List>":
        "<ul><li><b>1</b></li><li>{{#vip}}<b>2</b>{{/vip}}</li>{{#items}}<li><i>{{name}}</i></li>{{/items}}</ul>",
      "<Lined>{props.name}{props.note}</Lined>":
        "<p>{{name}}</p>{{#note__is_present}}<p>{{note}}</p>{{/note__is_present}}",
      "<List>{props.note}</List>": "<ul>{{#note__is_present}}<li>{{note}}</li>{{/note__is_present}}</ul>",
      "<Maybe>{props.note}</Maybe>":
        "{{#note__is_present}}<b>{{note}}</b>{{/note__is_present}}{{^note__is_present}}none{{/note__is_present}}",
      '<p style={Object.assign({ color: "red" }, props.vip && { color: "blue" })} />':
        '<p style="{{#vip}}color:blue{{/vip}}{{^vip}}color:red{{/vip}}"></p>',
      "<Titled>{props.vip ? <b>1</b> : <i>2</i>}</Titled>":
        '{{#vip}}<b title="t">1</b>{{/vip}}{{^vip}}<i title="t">2</i>{{/vip}}',
      "{marks(props.vip, props.note, props.count > 3, props.items.length, props.tags.length > 1)}":
        "m{{#vip}}a{{/vip}}{{#note__is_truthy}}b{{/note__is_truthy}}{{^note__is_truthy}}-{{/note__is_truthy}}{{#count__is_above_3}}c{{/count__is_above_3}}{{#items__has_items}}d{{/items__has_items}}{{#tags__has_at_least_2}}e{{/tags__has_at_least_2}}",
      "{['zero', 'one'][props.count] ?? 'more'}":
        "{{#count__is_0}}zero{{/count__is_0}}{{^count__is_0}}{{#count__is_1}}one{{/count__is_1}}{{^count__is_1}}more{{/count__is_1}}{{/count__is_0}}",
      "{typeof props.note === 'string' && 'text'}": "{{#note__is_present}}text{{/note__is_present}}",
      "{sentence(props)}": "Dear {{#vip}}valued {{/vip}}customer",
      "<Fragment><>{props.name}</></Fragment>": "{{name}}",
      "{(props.vip ? (x) => <b>{x}</b> : (x) => <i>{x}</i>)(props.name)}":
        "{{#vip}}<b>{{name}}</b>{{/vip}}{{^vip}}<i>{{name}}</i>{{/vip}}",
      "{(RENDER[props.status] ?? ((x) => x))(props.name)}":
        "{{#status__is_paid}}<b>{{name}}</b>{{/status__is_paid}}{{^status__is_paid}}{{name}}{{/status__is_paid}}",
      '{MAP.get(props.status) ?? "?"}':
        "{{#status__is_paid}}Paid{{/status__is_paid}}{{^status__is_paid}}?{{/status__is_paid}}",
      '{SET.has(props.status) && "y"}{MAP.has(props.status) && "z"}{props.status in LABELS ? "" : "?"}':
        "{{#status__is_paid}}y{{/status__is_paid}}{{#status__is_paid}}z{{/status__is_paid}}{{^status__is_paid}}{{^status__is_open}}?{{/status__is_open}}{{/status__is_paid}}",
      "{(() => { const { city, zip = 'no zip' } = props.address; return city + zip; })()}":
        "{{address.city}}{{#address_zip__is_present}}{{address.zip}}{{/address_zip__is_present}}{{^address_zip__is_present}}no zip{{/address_zip__is_present}}",
    },
    BEFORE,
  );
});

test("a title may be a choice between strings", async () => {
  const { html, diagnostics } = await project.prove(
    `const Shell = ({ title, children }) => <html><head><title>{title}</title></head><body>{children}</body></html>;
export default ({ job, set }) => <Shell title={\`The \${job} cron \${set ? "is failing" : "cannot run"}\`}>{job}</Shell>;`,
    { fixtures: { one: { job: "night", set: true }, two: { job: "day", set: false } } },
  );
  expect(diagnostics).toEqual([]);
  expect(html).toContain("<title>The {{job}} cron {{#set}}is failing{{/set}}{{^set}}cannot run{{/set}}</title>");
});

test("a default of null makes null and absent equal", async () => {
  const { html, diagnostics } = await project.prove(
    `export default ({ date = null }) => <p>{date ? <b>{date}</b> : "soon"}</p>;`,
    { fixtures: { one: { date: "May 2" }, two: { date: null }, three: {} } },
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(html).toContain("soon");
});
