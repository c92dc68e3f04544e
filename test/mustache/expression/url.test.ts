import { expect, it } from "vitest";
import { evaluate } from "../../../src/mustache/expression/evaluate.js";
import { CONTEXT, expectSame } from "./native.js";

const URLS = [
  "https://user:pass@www.example.com:8443/a/b.html?ref=mail&tag=1&tag=2#top",
  "HTTP://EXAMPLE.com:80",
  "https://bücher.example/ä b?q=ü&&x",
  "mailto:ada@example.com",
  "/static/logo.png",
  "../up?x=1",
  "//cdn.example.com/x",
  "",
  "not a url",
  "https://",
];

const SOURCES = [
  "new URL(u).toString()",
  "new URL(u, 'https://example.com/mail/')",
  "new URL(u, 'https://example.com/mail/').href",
  "`${new URL(u, 'https://example.com')}`",
  "'' + new URL(u)",
  "new URL('/static/logo.png', u).toString()",
  "new URL('/x', new URL(u)).href",
  "JSON.stringify({ to: new URL(u) })",
  ...[
    "hash",
    "host",
    "hostname",
    "href",
    "origin",
    "password",
    "pathname",
    "port",
    "protocol",
    "search",
    "username",
  ].map((name) => `new URL(u).${name}`),
  "new URL(u).nothing",
  "new URL(u).searchParams.get('tag')",
  "new URL(u).searchParams.get('none')",
  "new URL(u).searchParams.getAll('tag')",
  "new URL(u).searchParams.has('ref')",
  "new URL(u).searchParams.size",
  "new URL(u).searchParams.toString()",
  "[...new URL(u).searchParams]",
  "[...new URL(u).searchParams.keys()].join()",
  "Object.fromEntries(new URL(u).searchParams.entries())",
  "`${new URLSearchParams({ u, n: 1 })}`",
  "new URLSearchParams([['a', u], ['b', u]]).toString()",
  "new URLSearchParams(u).get('ref')",
  "new URLSearchParams().toString()",
  "URL.canParse(u)",
  "URL.canParse(u, 'https://example.com')",
  "new URL(u) instanceof URL",
  "new URL(u).searchParams instanceof URLSearchParams",
  "typeof new URL(u)",
  "URL(u)",
  "new URL()",
  "[u].map((each) => new URL(each, 'https://example.com').pathname)",
];

it.each(SOURCES)("%s means what it means in JavaScript", (source) => {
  for (const u of URLS) expectSame(source, { u });
});

it("counts what a URL contains", () => {
  const url = { kind: "name", name: "URL" } as const;
  const long = { kind: "variable", names: ["long"] } as const;
  const href = { kind: "member", of: { kind: "call", callee: url, args: [long], isNew: true }, name: "href" } as const;
  const variables = { long: `https://example.com/${"ü".repeat(400_000)}` };
  expect(() => evaluate(href, [variables], [0], CONTEXT)).toThrow(expect.objectContaining({ code: "limit" }));
});
