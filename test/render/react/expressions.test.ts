import { describe, expect, test } from "vitest";
import { component, Project } from "./project.js";

const project = await Project.make();

const FIXTURES = {
  full: {
    name: "Ann",
    note: "Hi",
    vip: true,
    count: 3,
    status: "paid",
    tags: ["a", "b"],
    address: { city: "Bern", zip: "3000" },
    order: { number: "A1", total: 9.5, memo: "M" },
    items: [{ name: "Tea", price: 4, gift: false, parts: [{ name: "Leaf" }] }],
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

/** What is written in a component, and what it is compiled to. */
function compiles(cases: Readonly<Record<string, string>>, before = ""): void {
  test.each(Object.entries(cases))("%s", async (markup, expected) => {
    const { html, diagnostics } = await project.prove(component(markup, before), { fixtures: FIXTURES });
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
    "{props.count.toString()}": "{{count}}",
    "{[props.name, props.status].join(', ')}": "{{name}}, {{status}}",
    '{"Dear NAME".replace("NAME", props.name)}': "Dear {{name}}",
    "{props.tags}": "{{#tags}}{{.}}{{/tags}}",
    "{Array.isArray(props.tags) && 'list'}": "list",
    "{props.vip}": "",
    "{`${props.vip}`}": "{{#vip}}true{{/vip}}{{^vip}}false{{/vip}}",
    "<p dangerouslySetInnerHTML={{ __html: `<b>${props.name}</b>` }} />": "<p><b>{{{name}}}</b></p>",
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
      "{{#count__is_truthy}}<p>{{count}}</p>{{/count__is_truthy}}{{^count__is_truthy}}0{{/count__is_truthy}}",
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

describe("choices in properties are printed where they show", () => {
  compiles({
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
    import { createContext, Fragment, useContext } from "react";
    const LABELS = { paid: "Paid", open: "Open" };
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
      '<Row label="x" strong={props.vip}>!</Row>': "{{#vip}}<b>x!</b>{{/vip}}{{^vip}}<i>x!</i>{{/vip}}",
      "{LABELS[props.status]}":
        "{{#status__is_paid}}Paid{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}Open{{/status__is_open}}{{/status__is_paid}}",
      "{word(props.status)}":
        "{{#status__is_paid}}thanks{{/status__is_paid}}{{^status__is_paid}}{{#status__is_open}}please{{/status__is_open}}{{^status__is_open}}hm{{/status__is_open}}{{/status__is_paid}}",
      "<Theme.Provider value={props.name}><Themed /></Theme.Provider>": "<u>{{name}}</u>",
      "<Spread label={`No. ${props.count}`} />": "<i>No. {{count}}</i>",
      "{sentence(props)}": "Dear {{#vip}}valued {{/vip}}customer",
      "<Fragment><>{props.name}</></Fragment>": "{{name}}",
      "{(() => { const { city, zip = 'no zip' } = props.address; return city + zip; })()}":
        "{{address.city}}{{#address_zip__is_present}}{{address.zip}}{{/address_zip__is_present}}{{^address_zip__is_present}}no zip{{/address_zip__is_present}}",
    },
    BEFORE,
  );
});
