import type { Variables } from "../../../src/mustache/variables.js";

/** A component that computes what Mustache can't, as React developers write it. */
export interface DeriveCase {
  readonly name: string;
  readonly source: string;
  /** An example of the passed variables; unless it is a fixture, the component has it as `PreviewProps`. */
  readonly fixture: Variables;
  readonly isPreview?: boolean;
  /** An existing `variables.ts`. */
  readonly variables?: string;
  /** Values for variables with restricted values, by name. */
  readonly random?: Readonly<Record<string, readonly unknown[]>>;
  /** The code whose results stay computed values. */
  readonly unnamed?: readonly string[];
}

export const SHARED = {
  "_shared/money.ts": `export type Currency = "USD" | "EUR";
export function formatMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
}
export const withTax = (cents: number, currency: string) => \`\${formatMoney(Math.round(cents * 1.2), currency)} incl. tax\`;
export const initials = (name: string) => name.split(" ").map((word) => word.charAt(0)).join("");
`,
  "_shared/summary.tsx": `export function Summary({ order }: { order: { total: number; number: string } }) {
  return <p>{order.number}: {(order.total / 100).toFixed(2)}</p>;
}
export function Row({ item }: { item: { name: string; cents: number } }) {
  return <p>{item.name} {(item.cents / 100).toFixed(2)}</p>;
}
`,
} as const;

const money = { currency: ["USD", "EUR", "GBP"] };
const item = { name: "Tea", cents: 450, quantity: 2, gift: true };
const items = [item, { name: "Cake", cents: 1999, quantity: 1, gift: false }];

export const CASES: readonly DeriveCase[] = [
  {
    name: "changes",
    fixture: {
      sentAt: "2025-03-04T05:06:07Z",
      base: "https://example.com/?a=1",
      name: "Ann Lee",
      items: [
        { name: "Tea", cents: 450 },
        { name: "Pot", cents: 1250 },
      ],
    },
    random: {
      sentAt: ["2024-01-29T00:00:00Z", "2025-12-31T23:59:59Z"],
      base: ["https://example.com/?name=x", "http://a.test"],
    },
    unnamed: [
      "words.pop()",
      "words.pop()",
      "copy.shift()",
      "url.toString()",
      "copy.shift()",
      "(item.cents / 100).toFixed(2)",
    ],
    source: `interface Props { sentAt: string; base: string; name: string; items: { name: string; cents: number }[] }
export default function Email({ sentAt, base, name, items }: Props) {
  const due = new Date(sentAt);
  due.setUTCDate(due.getUTCDate() + 14);
  const url = new URL(base);
  url.searchParams.set("name", name);
  url.hash = "top";
  const words = name.split(" ");
  const last = words.pop();
  const copy = [...items];
  copy.sort((a, b) => a.cents - b.cents);
  const first = copy.shift();
  const cheapest = [...items].sort((a, b) => a.cents - b.cents)[0];
  return (
    <div>
      <p>{due.toISOString()} {words.length} {words.join("-")} {last} {first?.name} {cheapest?.name}</p>
      <a href={url.toString()}>{url.searchParams.get("a")}</a>
      {copy.map((item) => <p key={item.name}>{item.name} {(item.cents / 100).toFixed(2)}</p>)}
    </div>
  );
}
`,
  },
  {
    name: "props",
    fixture: { cents: 1250, name: "Ann" },
    source: `interface Props { cents: number; name: string }
export default function Email(props: Props) {
  return <p>{props.name.toUpperCase()} pays {(props.cents / 100).toFixed(2)}</p>;
}
`,
  },
  {
    name: "formatters",
    fixture: { price: 12.5, placedAt: "2025-03-04T05:06:07Z" },
    random: { placedAt: ["2024-02-29T00:00:00Z", "2025-12-31T23:59:59Z"] },
    source: `const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
export default function Email({ price, placedAt }: { price: number; placedAt: string }) {
  const date = new Date(placedAt).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
  return <div><p title={date}>{date}</p><p>{money.format(price)}, {price.toLocaleString("en-US")}</p></div>;
}
`,
  },
  {
    name: "helper",
    fixture: { currency: "USD", order: { total: 1250, shipping: 500 }, items },
    random: money,
    source: `import { formatMoney, withTax } from "../_shared/money.js";
interface Item { name: string; cents: number }
interface Props { currency: string; order: { total: number; shipping: number }; items: Item[] }
export default function Email({ currency, order, items }: Props) {
  return (
    <div>
      <p>{formatMoney(order.total, currency)} {formatMoney(order.shipping, currency)}</p>
      <p>{withTax(order.total, currency)}</p>
      {items.map((item) => (
        <p key={item.name}>{item.name} {formatMoney(item.cents, currency)}</p>
      ))}
    </div>
  );
}
`,
  },
  {
    name: "helper-of-its-own",
    fixture: { name: "ann lee", note: "hello there" },
    source: `const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const greet = (name: string) => "Hi " + capitalize(name) + "!";
export default function Email({ name, note }: { name: string; note: string }) {
  return <div><h1>{greet(name)}</h1><p>{capitalize(note)}</p></div>;
}
`,
  },
  {
    name: "preview-props",
    fixture: { customer: "Ann", total: 1250 },
    isPreview: true,
    source: `import { formatMoney } from "../_shared/money.js";
type EmailProps = { customer: string; total: number };
export const Email = ({ customer, total }: EmailProps) => (
  <p>
    {customer.trim()} pays {formatMoney(
      total,
      "EUR",
    )} now
  </p>
);
Email.PreviewProps = { customer: "Ann", total: 1250 } satisfies EmailProps;
export default Email;
`,
  },
  {
    name: "two-members",
    fixture: { items },
    source: `interface Item { name: string; cents: number; quantity: number }
export default function Email({ items }: { items: Item[] }) {
  return (
    <ul>
      {items.map(({ name, cents, quantity }) => (
        <li key={name}>
          {name.toUpperCase()}: {(cents / 100).toFixed(2)} and {((cents * quantity) / 100).toFixed(2)}
        </li>
      ))}
    </ul>
  );
}
`,
  },
  {
    name: "filtered-and-computed",
    fixture: { items },
    source: `type Item = { name: string; cents: number; gift: boolean };
export default function Email({ items }: { items: Item[] }) {
  const gifts = items.filter((item) => item.gift && item.cents > 100);
  return (
    <div>
      {gifts.length > 0 && <p>{gifts.length} gifts</p>}
      {gifts.map((gift) => <b key={gift.name}>{gift.name.slice(0, 3)}, {(gift.cents / 100).toFixed(2)}</b>)}
      {items.map((each) => <i key={each.name}>{each.name.toLowerCase()}</i>)}
    </div>
  );
}
`,
  },
  {
    name: "sorted",
    fixture: { items, tags: ["b", "a"] },
    source: `interface Props { items: { name: string; cents: number }[]; tags: string[] }
export default function Email({ items, tags }: Props) {
  return (
    <div>
      {[...items].sort((a, b) => b.cents - a.cents).slice(0, 2).map((item) => <p key={item.name}>{item.name}</p>)}
      <p>{[...tags].sort().join(" / ")}</p>
      {tags.map((tag) => <b key={tag} title={tag}>{tag.toUpperCase()}</b>)}
    </div>
  );
}
`,
  },
  {
    name: "bare-parameter",
    fixture: { tags: ["a", "b"] },
    source: `export default function Email({ tags }: { tags: string[] }) {
  return <ul>{tags.map(tag => <li>{tag.toUpperCase()}</li>)}</ul>;
}
`,
  },
  {
    name: "totals",
    fixture: { items, discount: 100 },
    source: `interface Props { items: { name: string; cents: number; quantity: number }[]; discount?: number }
export default function Email({ items, discount = 0 }: Props) {
  const subtotal = items.reduce((sum, item) => sum + item.cents * item.quantity, 0);
  const total = subtotal - discount;
  return (
    <div>
      <p>Subtotal {(subtotal / 100).toFixed(2)}</p>
      {discount > 0 && <p>Discount {(discount / 100).toFixed(2)}</p>}
      <p>Total {(total / 100).toFixed(2)}, on average {Math.round(total / 2)}</p>
      {total > 5000 && <p>Free shipping</p>}
    </div>
  );
}
`,
  },
  {
    name: "nested-lists",
    fixture: { orders: [{ number: "A1", lines: [{ name: "Tea", cents: 450 }] }] },
    source: `interface Props { orders: { number: string; lines: { name: string; cents: number }[] }[] }
export default function Email({ orders }: Props) {
  return (
    <div>
      {orders.map((order, index) => (
        <div key={order.number}>
          <h2>{index + 1}. {order.number.toLowerCase()}</h2>
          {order.lines.map((line) => <p key={line.name}>{order.number.toLowerCase()} {line.name.trim()} {line.cents / 100}</p>)}
        </div>
      ))}
    </div>
  );
}
`,
  },
  {
    name: "own-components",
    unnamed: ["(order.total / 100).toFixed(2)", "(item.cents / 100).toFixed(2)"],
    fixture: { order: { total: 1250, number: "A1" }, items },
    source: `import { Row, Summary } from "../_shared/summary.js";
interface Line { name: string; cents: number; quantity: number }
function Times({ line }: { line: Line }) {
  return <i>{line.quantity * 2} of {line.name}</i>;
}
function Total({ of }: { of: { total: number; tax: number } }) {
  return <u>{(of.total + of.tax).toFixed(2)}</u>;
}
export default function Email({ order, items }: { order: { total: number; number: string }; items: Line[] }) {
  return (
    <div>
      <Summary order={order} />
      <Total of={{ total: order.total, tax: 5 }} />
      {items.map((item) => <div key={item.name}><Row item={item} /><Times line={item} /></div>)}
    </div>
  );
}
`,
  },
  {
    name: "passed-on",
    fixture: { order: { total: 1250, tax: 100 }, currency: "USD", items },
    random: money,
    source: `import { formatMoney } from "../_shared/money.js";
function Money({ cents, currency }: { cents: number; currency: string }) {
  return <b>{formatMoney(cents, currency)}</b>;
}
const row = (label: string, cents: number) => <p>{label}: {(cents / 100).toFixed(2)}</p>;
interface Props { order: { total: number; tax: number }; currency: string; items: { name: string; cents: number }[] }
export default function Email({ order, currency, items }: Props) {
  return (
    <div>
      <Money cents={order.total} currency={currency} />
      <Money cents={order.tax} currency={currency} />
      {row("Total", order.total)}
      {row("Tax", order.tax)}
      {items.map((item) => <div key={item.name}>{item.name} <Money cents={item.cents} currency={currency} /></div>)}
    </div>
  );
}
`,
  },
  {
    name: "react-email",
    fixture: {
      user: { firstName: "Ann", lastName: "Lee" },
      items: [{ name: "Tea", price: 10, quantity: 2, image: "a b.png" }],
      baseUrl: "https://example.com",
      createdAt: "2025-01-02T00:00:00Z",
      tags: ["A"],
    },
    random: { createdAt: ["2024-02-29T00:00:00Z", "2025-12-31T23:59:59Z"], baseUrl: ["https://example.com"] },
    source: `import { Body, Button, Container, Head, Html, Img, Section, Text } from "@react-email/components";

interface OrderEmailProps {
  user: { firstName: string; lastName: string };
  items: { name: string; price: number; quantity: number; image: string }[];
  baseUrl: string;
  createdAt: string;
  tags?: string[];
}

const usd = (n: number) => n.toLocaleString("en-US", { style: "currency", currency: "USD" });

export default function OrderEmail({ user, items, baseUrl, createdAt, tags = [] }: OrderEmailProps) {
  const fullName = [user.firstName, user.lastName].filter(Boolean).join(" ");
  const total = items.reduce((sum, item) => sum + item.price * item.quantity, 0);
  const date = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(createdAt));
  return (
    <Html>
      <Head />
      <Body>
        <Container>
          <Text>{fullName.toUpperCase()} on {date}</Text>
          {items.map((item, index) => (
            <Section key={index} style={{ backgroundColor: index % 2 === 0 ? "#eee" : "#fff" }}>
              <Img src={\`\${baseUrl}/images/\${encodeURIComponent(item.image)}\`} width="20" alt={item.name.toLowerCase()} />
              <Text>
                {item.quantity} x {usd(item.price)} = {usd(item.price * item.quantity)}
              </Text>
            </Section>
          ))}
          <Text>{items.length > 1 ? \`\${items.length - 1} more\` : "one"}</Text>
          {tags.length > 0 && <Text>{tags.map((tag) => "#" + tag.toLowerCase()).join(" ")}</Text>}
          {total >= 100 ? <Text>Free shipping</Text> : <Text>{usd(100 - total)} to go</Text>}
          <Button href={\`\${baseUrl}/user?name=\${encodeURIComponent(user.firstName)}\`}>Your account</Button>
        </Container>
      </Body>
    </Html>
  );
}
`,
  },
  {
    name: "letters-and-sets",
    fixture: { name: "Ann Lee", tags: ["a", "b", "a"], items: [{ name: "Tea" }], amount: 3 },
    source: `interface Props { name?: string; tags: string[]; items: { name: string }[]; amount: number; from?: string }
export default function Email({ name, tags, items, amount, from = "us" }: Props) {
  const [first, ...others] = items;
  const initials = name?.split(" ").map((word) => word[0]).join("") ?? "?";
  const unique = Array.from(new Set(tags));
  const share = Math.min(Math.max(amount, 0), 10);
  return (
    <div>
      <p title={name?.trim()}>{initials} {name ? name.charAt(0) : "-"}</p>
      <p>{items[0]?.name.toUpperCase()}, {first?.name.trim()} and {others.length} more</p>
      {unique.map((tag) => <b key={tag}>{tag}</b>)}
      {[...new Set(tags)].map((tag) => <i key={tag}>{tag}</i>)}
      <p style={{ width: \`\${share}%\` }}>{amount < 0 ? Math.abs(amount) : amount} from {from.toUpperCase()}</p>
    </div>
  );
}
`,
  },
  {
    name: "context",
    fixture: { locale: "de-DE", net: 1234.5, gross: 2000 },
    random: { locale: ["de-DE", "en-US", "fr-FR"] },
    source: `import { createContext, useContext, useMemo } from "react";
const Locale = createContext("en-US");
function Price({ value }: { value: number }) {
  const locale = useContext(Locale);
  return <b>{value.toLocaleString(locale)}</b>;
}
export default function Email({ locale, net, gross }: { locale: string; net: number; gross: number }) {
  const tax = useMemo(() => gross - net, [gross, net]);
  return (
    <Locale.Provider value={locale}>
      <Price value={net} /> <Price value={gross} /> <Price value={tax} />
    </Locale.Provider>
  );
}
`,
  },
  {
    name: "aliases",
    fixture: { user: { name: "ann lee", address: { city: "Bern" } }, count: 3 },
    source: `interface Props { user: { name: string; address: { city: string } }; count: number }
export default function Email(props: Props) {
  const { user: customer, count: times } = props;
  const { address: { city } } = customer;
  const first = customer.name.split(" ")[0];
  return (
    <p>
      {first} from {city.toUpperCase()}, {times * 2} times{times % 2 === 0 ? ", evenly" : ""}
    </p>
  );
}
`,
  },
  {
    name: "optional",
    fixture: { name: "Ann" },
    variables: `import { z } from "zod";
export default z.object({
  name: z.string(),
  note: z.string().optional(),
  order: z.object({ cents: z.number() }).optional(),
  status: z.enum(["open", "paid"]).optional(),
});
`,
    random: { name: ["Ann", "Bo"] },
    source: `interface Props { name: string; note?: string; order?: { cents: number }; status?: "open" | "paid" }
export default function Email({ name, note, order, status = "open" }: Props) {
  return (
    <div>
      <p>{name.trim()} {status.toUpperCase()}</p>
      {note && <p>{note.replace(/x/g, "y")}</p>}
      <p>{note?.toUpperCase() ?? "no note"}</p>
      {order && <p>{(order.cents / 100).toFixed(2)}</p>}
    </div>
  );
}
`,
  },
  {
    name: "schema-by-name",
    unnamed: ["new Date(due).getFullYear()"],
    fixture: { due: "2025-03-04T00:00:00Z", lines: [{ text: "a b" }] },
    random: { due: ["2025-03-04T00:00:00Z", "2024-01-01T12:00:00Z"] },
    variables: `import { z } from "zod";

const schema = z.object({ due: z.iso.datetime(), lines: z.array(z.object({ text: z.string() })) });
export default schema;
`,
    source: `import type { z } from "zod";
import type schema from "./variables.js";

type Props = z.infer<typeof schema>;

export default function Email({ due, lines }: Props) {
  return (
    <div>
      <p>{new Date(due).getFullYear()}</p>
      {lines.map((line, i) => <p key={i}>{line.text.split(" ").length} words in {line.text.replaceAll(" ", "-")}</p>)}
    </div>
  );
}
`,
  },
  {
    name: "earlier-derive",
    fixture: { cents: 1250, items },
    variables: `import { z } from "zod";
const schema = z.object({
  cents: z.number(),
  items: z.array(z.object({ name: z.string(), cents: z.number(), quantity: z.number(), gift: z.boolean() })),
});
export default schema;

export function derive(variables: z.output<typeof schema>) {
  return {
    price: (variables.cents / 100).toFixed(2),
    items: variables.items.map((item) => ({ ...item, label: item.name.toUpperCase() })),
  };
}

export type Derived = ReturnType<typeof derive>;
`,
    // The derived values are the ones that React would receive, too.
    random: {},
    source: `import type { Derived } from "./variables.js";
interface Props { cents: number; items: { name: string; cents: number }[] }
export default function Email({ price, cents, items }: Omit<Props, keyof Derived> & Derived) {
  return (
    <div>
      <p>{price} {price.padStart(10, ".")} {cents * 2}</p>
      {items.map((item) => <p key={item.name}>{item.label} {item.label.slice(0, 2)} {item.cents / 100}</p>)}
    </div>
  );
}
`,
  },
  {
    name: "packages",
    fixture: { colour: "red", name: "Ann" },
    random: { colour: ["red", "#abc"] },
    source: `import { formatHex } from "culori";
export default function Email({ colour, name }: { colour: string; name: string }) {
  return <p style={{ color: formatHex(colour) ?? "black" }}>{name}: {formatHex(colour)}</p>;
}
`,
  },
  {
    name: "joined-strings",
    fixture: { name: "Ada Lee", rank: 2, count: 3, who: "a b" },
    isPreview: true,
    source: `interface Props { name?: string; rank?: number; count: number; who: string }
export default function Email({ name, rank, count, who }: Props) {
  const initials = name?.split(" ").map((word) => word[0]).join("") ?? "?";
  return (
    <p style={{ padding: count * 2 }}>
      <a href={\`https://example.com/?q=\${encodeURIComponent(who)}&n=\${(rank ?? 0) * 2}&m=\${count * 2}\`}>{"Total: " + (count - 1)}</a>
      {initials} {rank ? \`Rank \${rank + 1}\` : "none"} {name?.trim()} {who.split(" ")[0]}
    </p>
  );
}
Email.PreviewProps = { name: "Ada Lee", rank: 2, count: 3, who: "a b" } satisfies Props;
`,
  },
  {
    name: "flow",
    fixture: { cents: 1250, kind: "paid", name: "ann" },
    random: { kind: ["paid", "open", "lost"] },
    source: `function price(cents: number) {
  if (cents === 0) return "free";
  return (cents / 100).toFixed(2);
}
function label(kind: string, name: string) {
  switch (kind) {
    case "paid": return "Paid by " + name.toUpperCase();
    case "open": return "Open";
    default: return kind.toUpperCase();
  }
}
export default function Email({ cents, kind, name }: { cents: number; kind: string; name: string }) {
  let text = name.trim();
  if (kind === "paid") text = text + "!";
  return <div><p>{price(cents)}</p><p className={kind.toLowerCase()}>{label(kind, name)}</p><p>{text}</p></div>;
}
`,
  },
  {
    name: "comparisons",
    fixture: { you: "Ann", items: [{ name: "Ann" }, { name: "Bo" }], limit: 3, count: 4 },
    random: { you: ["Ann", "Bo"], name: ["Ann", "Bo", "Cy"] },
    source: `interface Props { you: string; items: { name: string }[]; limit: number; count: number }
export default function Email({ you, items, limit, count }: Props) {
  return (
    <div>
      {count > limit && <p>too many</p>}
      {items.map((item) => <p key={item.name}>{item.name === you ? "you" : item.name}</p>)}
      <p>{items.find((item) => item.name === you)?.name ?? "nobody"}</p>
      <p>{items.map((item) => item.name.toUpperCase()).join(", ")}</p>
    </div>
  );
}
`,
  },
  {
    name: "arrow-and-fc",
    fixture: { stars: 3, price: 4.5 },
    random: { stars: [0, 1, 5] },
    source: `type FC<P> = (props: P) => unknown;
interface EmailProps { stars: number; price: number }
export const Email: FC<EmailProps> = ({ stars, price }) => (
  <div>
    {Array.from({ length: stars }, (_, index) => <b key={index}>*</b>)}
    <p style={{ width: \`\${price * 10}px\` }} title={\`\${price.toFixed(1)} stars\`}>
      {Math.max(price, 3)}
    </p>
  </div>
);
export default Email;
`,
  },
  {
    name: "stated-types",
    fixture: { currency: "USD", kind: "paid", total: 1250, texts: { greeting: "Hi" }, note: "x" },
    random: { currency: ["USD", "EUR"], kind: ["paid", "late"] },
    source: `import { type Currency, formatMoney } from "../_shared/money.js";
const KINDS = { paid: "Paid", late: "Too late" };
interface Props { currency: Currency; kind: "paid" | "late"; total: number; texts: Record<string, string>; note?: string | null }
export default function Email({ currency, kind, total, texts, note }: Props) {
  return (
    <div>
      <p>{texts.greeting}, {formatMoney(total, currency)} {KINDS[kind].toUpperCase()}</p>
      {note && <p>{note.trim()}</p>}
    </div>
  );
}
`,
  },
  {
    name: "loops",
    fixture: { items },
    source: `interface Props { items: { name: string; cents: number; quantity: number }[] }
export default function Email({ items }: Props) {
  let total = 0;
  let names = "";
  for (const item of items) {
    total += item.cents * item.quantity;
    names = names + (names ? ", " : "") + item.name;
  }
  return <p>{names}: {total} cents, {(total / 100).toFixed(2)}</p>;
}
`,
    unnamed: ['names = names + (names ? ", " : "") + item.name', "total += item.cents * item.quantity"],
  },
];
