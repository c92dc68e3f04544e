import * as fc from "fast-check";

/*
 * Random bodies with random Mustache in all places where MJML and HTML allow it, and random variables to fill them with.
 * There are few names, so that sections shadow, repeat and lack them.
 */

const NAMES = ["a", "b", "c", "o.a", "o.b"];
const SECTIONS = ["s", "t", "o", "a"];

const word = fc.stringMatching(/^[a-zéü]{1,4}$/).map((text) => ` ${text} `);
const name = fc.constantFrom(...NAMES);
const printing = fc.oneof(
  name.map((variable) => `{{${variable}}}`),
  name.map((variable) => `{{ ${variable} }}`),
  name.map((variable) => `{{{${variable}}}}`),
  name.map((variable) => `{{&${variable}}}`),
);
const comment = fc.constantFrom("{{! a }}", "\n  {{! on\n its own }}\n");

function inSection(
  content: fc.Arbitrary<string>,
  space: fc.Arbitrary<string> = fc.constantFrom("", "\n", "\n  "),
): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("#", "^"), fc.constantFrom(...SECTIONS), content, space)
    .map(([sigil, section, inner, gap]) => `${gap}{{${sigil}${section}}}${gap}${inner}${gap}{{/${section}}}${gap}`);
}

/** Several items, some of them in sections. */
function several(item: fc.Arbitrary<string>, maxLength = 3): fc.Arbitrary<string> {
  const plain = fc.array(item, { maxLength }).map((items) => items.join("\n"));
  const nested = inSection(fc.oneof(plain, inSection(plain)));
  return fc
    .array(fc.oneof({ weight: 2, arbitrary: item }, nested, comment), { maxLength })
    .map((items) => items.join(""));
}

const inline = fc.letrec<{ content: string }>((tie) => ({
  content: fc
    .array(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        word,
        printing,
        comment,
        inSection(tie("content"), fc.constantFrom("", " ")),
        tie("content").map((inner) => `<b>${inner}</b>`),
        fc.tuple(printing, word).map(([address, label]) => `<a href="https://a.example/${address}">${label}</a>`),
        fc.constant("<br>"),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join("")),
})).content;

/** The text of a link. */
const label = inline.map((text) => text.replaceAll(/<\/?a\b[^>]*>/g, ""));

/** The value of an attribute. */
const value = fc
  .array(
    fc.oneof(
      word.map((text) => text.trim()),
      printing,
      inSection(printing, fc.constant("")),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => parts.join(""));
const attributes = fc.record({ "css-class": value, color: printing }, { requiredKeys: [] }).map((record) =>
  Object.entries(record)
    .map(([key, text]) => ` ${key}="${text}"`)
    .join(""),
);

const row = several(
  fc.tuple(fc.constantFrom("td", "th"), inline).map(([cell, text]) => `<${cell}>${text}</${cell}>`),
).map((cells) => `<tr>${cells}</tr>`);
const rows = several(row);

const inColumn = fc.oneof(
  fc.tuple(attributes, inline).map(([attribute, text]) => `<mj-text${attribute}>${text}</mj-text>`),
  fc
    .tuple(value, label)
    .map(([address, text]) => `<mj-button href="https://b.example/${address}">label ${text}</mj-button>`),
  fc.tuple(value, value).map(([source, alt]) => `<mj-image src="https://c.example/${source}" alt="${alt}" />`),
  rows.map((content) => `<mj-table>${content}</mj-table>`),
  several(label.map((text) => `<mj-social-element href="https://d.example/">x${text}</mj-social-element>`)).map(
    (items) => `<mj-social>${items}</mj-social>`,
  ),
  several(label.map((text) => `<mj-navbar-link href="/e">x${text}</mj-navbar-link>`)).map(
    (items) => `<mj-navbar>${items}</mj-navbar>`,
  ),
  several(
    fc
      .tuple(inline, inline)
      .map(
        ([title, text]) =>
          `<mj-accordion-element><mj-accordion-title>${title}</mj-accordion-title><mj-accordion-text>${text}</mj-accordion-text></mj-accordion-element>`,
      ),
  ).map((items) => `<mj-accordion>${items}</mj-accordion>`),
  fc.constantFrom("<mj-divider />", "<mj-spacer height='10px' />"),
  row.map((content) => `<mj-raw>${content}</mj-raw>`),
);

const column = several(inColumn).map((items) => `<mj-column>${items}</mj-column>`);
const section = fc
  .tuple(
    attributes.map((text) => text.replace(" color", " background-color")),
    several(
      fc.oneof(
        column,
        several(column).map((items) => `<mj-group>${items}</mj-group>`),
      ),
    ),
  )
  .map(([attribute, columns]) => `<mj-section${attribute}>${columns}</mj-section>`);
const hero = several(inline.map((text) => `<mj-text>${text}</mj-text>`)).map((items) => `<mj-hero>${items}</mj-hero>`);
const wrapper = several(section, 2).map((sections) => `<mj-wrapper>${sections}</mj-wrapper>`);

/** A complete MJML document. */
export const mjmlSource = fc
  .tuple(
    several(fc.oneof({ weight: 3, arbitrary: section }, hero, wrapper), 2),
    fc.option(inline, { nil: "" }),
    printing,
  )
  .map(
    ([body, title, colour]) =>
      `<mjml><mj-head><mj-title>${title.replaceAll(/<[^>]*>/g, "")}</mj-title><mj-style>.x { color: ${colour} }</mj-style></mj-head><mj-body>${body}</mj-body></mjml>`,
  );

const block = fc.letrec<{ blocks: string }>((tie) => ({
  blocks: several(
    fc.oneof(
      { depthSize: "small" },
      inline.map((text) => `<p>${text}</p>`),
      fc.tuple(value, inline).map(([names, text]) => `<h2 class="${names}">${text}</h2>`),
      several(inline.map((text) => `<li>${text}</li>`)).map((items) => `<ul>${items}</ul>`),
      rows.map((content) => `<table>${content}</table>`),
      tie("blocks").map((inner) => `<div>${inner}</div>`),
      tie("blocks").map((inner) => `<table><tr><td>${inner}</td></tr></table>`),
    ),
  ),
})).blocks;

/** A complete HTML document. */
export const htmlSource = fc
  .tuple(block, printing)
  .map(([body, title]) => `<!doctype html>\n<html><head><title>${title}</title></head><body>\n${body}\n</body></html>`);

const text = fc.stringMatching(/^[A-Z][0-9&]{0,3}$/);
const object = fc.record({ a: text, b: text, c: text }, { requiredKeys: [] });
const sectionValue = fc.oneof(fc.boolean(), fc.constant(null), object, fc.array(object, { maxLength: 2 }));

/** Variables to fill them with. */
export const variables = fc.record(
  { a: text, b: text, c: text, o: object, s: sectionValue, t: sectionValue },
  { requiredKeys: [] },
);
