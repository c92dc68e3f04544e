import * as fc from "fast-check";

/** Text between tags: difficult cases for lines, escaping and parsers. */
export const plainText = fc
  .array(
    fc.constantFrom("a", "é", "😀", " ", "  ", "\t", "\n", "\r\n", "<b>", "&", '"', "'", "=", "/", "}", "#", "\n\n"),
    { maxLength: 5 },
  )
  .map((pieces) => pieces.join(""));

const space = fc.constantFrom("", "", "", " ", "  ", "\n");
const name = fc.constantFrom(
  "title",
  "count",
  "zero",
  "none",
  "empty",
  "missing",
  "order.id",
  "order.nothing",
  "order.customer.name",
);
const section = fc.constantFrom(
  "title",
  "count",
  "zero",
  "none",
  "empty",
  "missing",
  "yes",
  "no",
  "order",
  "items",
  "order.customer",
);

function variable(names: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(["{{", "}}"], ["{{{", "}}}"], ["{{&", "}}"]), space, names, space)
    .map(([[open, close], before, inner, after]) => `${open}${before}${inner}${after}${close}`);
}

function wrapped(sigil: string, names: fc.Arbitrary<string>, body: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(names, space, body, space)
    .map(([inner, a, content, b]) => `{{${sigil}${a}${inner}}}${content}{{/${inner}${b}}}`);
}

const comment = fc.constantFrom("{{!}}", "{{! note }}", "{{!\n two\n lines\n}}", "{{! {{name }}");
const delimiters = fc.constant("{{=<% %>=}}<% title %><%={{ }}=%>");
const partial = fc.constantFrom("a{{>plain}}", "\n{{> lines }}\n", "\n \t{{>lines}} \n", "{{>nothing}}");

/** Partials for the templates. */
export const partials = { plain: "({{title}})", lines: "\n{{#items}}\n * {{name}}\n{{/items}}\nlast" };

/** Well-formed templates over the names of `variables`, in the subset in which mustache.js follows the specification. */
export const template = fc.letrec<{ template: string; node: string }>((tie) => ({
  template: fc.array(tie("node"), { maxLength: 6 }).map((nodes) => nodes.join("")),
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    plainText,
    variable(name),
    comment,
    delimiters,
    partial,
    wrapped("#", section, tie("template")),
    wrapped("^", section, tie("template")),
    wrapped("#", fc.constant("texts"), variable(fc.constant("."))),
    wrapped("#", fc.constant("items"), variable(fc.constantFrom("name", "title"))),
  ),
})).template;

const text = fc.string({ unit: fc.constantFrom("a", "<", "&", "'", "{{count}}", "\n", "é"), maxLength: 4 });

export const variables = fc.record({
  title: text,
  count: fc.double({ noNaN: false }),
  zero: fc.constant(0),
  none: fc.constant(null),
  empty: fc.constant(""),
  yes: fc.constant(true),
  no: fc.constant(false),
  order: fc.record({ id: fc.oneof(text, fc.integer(), fc.boolean()), customer: fc.option(fc.record({ name: text })) }),
  items: fc.array(fc.record({ name: text, title: fc.option(text) }, { requiredKeys: ["name"] }), { maxLength: 3 }),
  texts: fc.array(text, { maxLength: 3 }),
});
