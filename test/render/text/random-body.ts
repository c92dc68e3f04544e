import * as fc from "fast-check";

/*
 * Random bodies for the text: nested blocks, lists, tables and links, with sections around any of them.
 */

const SECTIONS = ["list", "other", "shown", "hidden"];
const ADDRESSES = ["https://a.example/1", "https://a.example/2", "https://a.example/{{x}}"];

const word = fc.stringMatching(/^[a-z]{1,4}$/);
const printing = fc.constantFrom("{{x}}", "{{{y}}}", "{{&z}}");

function within(content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom("#", "^"), fc.constantFrom(...SECTIONS), content)
    .map(([sigil, name, inner]) => `{{${sigil}${name}}}${inner}{{/${name}}}`);
}

function several(item: fc.Arbitrary<string>, maxLength = 3): fc.Arbitrary<string> {
  const items = fc.array(item, { maxLength }).map((all) => all.join(""));
  return fc.array(fc.oneof({ weight: 3, arbitrary: item }, within(items)), { maxLength }).map((all) => all.join(""));
}

// Words have spaces around them, like items of a list that repeats on one line.
const phrase = fc.letrec<{ phrase: string }>((tie) => ({
  phrase: fc
    .array(
      fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        word.map((text) => ` ${text} `),
        printing.map((tag) => ` ${tag} `),
        within(tie("phrase")),
        tie("phrase").map((inner) => `<b>${inner}</b>`),
        fc.constantFrom("<br>", "&nbsp;", " m<sup>2</sup> ", '<img src="p" width="1" height="1" alt="">'),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join("")),
})).phrase;

const link = fc
  .tuple(fc.constantFrom(...ADDRESSES), fc.oneof(phrase, fc.constant('<img src="i" alt="Alt">'), fc.constant("")))
  .map(([address, label]) => `<a href="${address}">${label}</a>`);
const text = fc.oneof(
  { weight: 3, arbitrary: phrase },
  link,
  fc.tuple(phrase, link, phrase).map((all) => all.join("")),
);

const cell = fc.tuple(fc.constantFrom("td", "th"), text).map(([name, content]) => `<${name}>${content}</${name}>`);
const row = several(cell).map((cells) => `<tr>${cells}</tr>`);

export const body = fc.letrec<{ blocks: string }>((tie) => ({
  blocks: several(
    fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      text.map((content) => `<p>${content}</p>`),
      text.map((content) => `<div>${content}</div>`),
      phrase.map((content) => `<h2>${content}</h2>`),
      text,
      several(fc.oneof(text, tie("blocks")).map((content) => `<li>${content}</li>`)).chain((items) =>
        fc.constantFrom(`<ul>${items}</ul>`, `<ol>${items}</ol>`),
      ),
      several(row).map((rows) => `<table>${rows}</table>`),
      tie("blocks").map((inner) => `<table><tr><td>${inner}</td></tr></table>`),
      tie("blocks").map((inner) => `<blockquote>${inner}</blockquote>`),
      fc.constantFrom("<hr>", '<div style="display: none">preheader {{x}}</div>'),
    ),
  ),
})).blocks;

const item = fc.record({ x: word, y: word, z: word });

/** No text is empty, because an empty line with a variable can't be left out. */
export const variables = fc.record({
  x: word,
  y: word,
  z: word,
  list: fc.oneof(fc.constant([]), fc.array(item, { minLength: 1, maxLength: 3 })),
  other: fc.array(item, { maxLength: 3 }),
  shown: fc.boolean(),
  hidden: fc.boolean(),
});
