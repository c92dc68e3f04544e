import { describe, expect, test } from "vitest";
import { checkNames } from "../../src/mustache/names.js";
import { parse } from "../../src/mustache/parse.js";

function problemsOf(source: string): string[] {
  return checkNames(parse(source)).map(({ message, hint }) => `${message} ${hint}`);
}

describe("names that every engine understands alike", () => {
  test.each([
    "name",
    "order.customer.first_name",
    "first-name",
    "_x",
    "FIRSTNAME",
    "item2",
    "straße",
    "नाम",
    "thisWeek",
    "this_week",
    "elsewhere",
    "lengthInDays",
    "value",
  ])("%s", (name) => {
    expect(problemsOf(`{{${name}}}{{{ ${name} }}}{{#${name}}}{{.}}{{/${name}}}{{^${name}}}{{/${name}}}`)).toEqual([]);
  });

  test("the item itself, and comments with anything in them", () => {
    expect(problemsOf('{{#a}}{{.}}{{#.}}{{/.}}{{/a}}{{! else "this" @index }}')).toEqual([]);
  });
});

describe("what other template languages have", () => {
  const derive = "Compute it in derive (variables.ts), and use the result here.";
  test.each([
    [
      "{{else}}",
      '{{else}}: Mustache has no "else". Close the section, and put the other case into {{^name}} … {{/name}}.',
    ],
    [
      "{{else if x}}",
      '{{else if x}}: Mustache has no "else". Close the section, and put the other case into {{^name}} … {{/name}}.',
    ],
    ["{{#if user}}", '{{#if user}}: Mustache has no "if". Write {{#user}} … {{/user}}.'],
    ["{{#unless a.b}}", '{{#unless a.b}}: Mustache has no "unless". Write {{^a.b}} … {{/a.b}}.'],
    ["{{#each items as |item|}}", '{{#each items as |item|}}: Mustache has no "each". Write {{#items}} … {{/items}}.'],
    ["{{#each ../items}}", `{{#each ../items}}: Mustache has no "each". ${derive}`],
    ["{{#if a == b}}", `{{#if a == b}}: Mustache has no expressions and no calls. ${derive}`],
    ["{{this}}", '{{this}}: Mustache has no "this". Write {{.}}.'],
    ["{{{this.name}}}", '{{{this.name}}}: Mustache has no "this". Write {{{name}}}.'],
    ["{{#this/items}}", '{{#this/items}}: Mustache has no "this". Write {{#items}}.'],
    [
      "{{../../name}}",
      '{{../../name}}: Mustache has no "../". Write {{name}}: a name that the section\'s item lacks is looked for outside.',
    ],
    [
      "{{@index}}",
      '{{@index}}: Mustache has no variables that begin with "@". Give each item what it needs in derive (variables.ts): its number, or whether it is the last.',
    ],
    ["{{name | upper}}", `{{name | upper}}: Mustache has no filters. ${derive}`],
    ["{{a || b}}", `{{a || b}}: Mustache has no expressions and no calls. ${derive}`],
    ["{{price(order)}}", `{{price(order)}}: Mustache has no expressions and no calls. ${derive}`],
    ["{{a<b}}", `{{a<b}}: Mustache has no expressions and no calls. ${derive}`],
    [
      "{{format date}}",
      "{{format date}}: a name has no spaces. Print one variable with each tag; what a function would format belongs into derive (variables.ts).",
    ],
    ['{{"q"}}', '{{"q"}}: a name has no quotation marks. Write the text itself, without a tag.'],
    [
      "{{items.0.name}}",
      "{{items.0.name}}: not every engine takes an item of a list by its number. Use a section over the list, or give the item a name of its own in derive (variables.ts).",
    ],
    [
      "{{items[0]}}",
      "{{items[0]}}: not every engine takes an item of a list by its number. Use a section over the list, or give the item a name of its own in derive (variables.ts).",
    ],
    [
      "{{items.length}}",
      '{{items.length}}: engines disagree on "length". To ask whether a list has items, use a section over it; to print how many, count them in derive (variables.ts).',
    ],
    [
      "{{a.toString}}",
      '{{a.toString}}: some engines find "toString" on every object. Choose another name for this variable.',
    ],
    ["{{a..b.}}", "{{a..b.}}: a dot stands between two names, or alone for the item itself. Write {{a.b}}."],
    ["{{.name}}", "{{.name}}: a dot stands between two names, or alone for the item itself. Write {{name}}."],
    [
      "{{$json}}",
      "{{$json}}: a name is made of letters, digits, _ and -, and begins with a letter or _; dots stand between names. Choose another name, or remove what is left here of another template language.",
    ],
    [
      "{{> footer}}",
      "{{> footer}}: no partial can be taken in here. Partials such as {{> _shared/footer}} work in HTML bodies, with a file below the templates root.",
    ],
    [
      "{{=<% %>=}}",
      "A template can't change Mustache's delimiters. Remove this tag, and write all tags with {{ and }}.",
    ],
  ])("%s", (tag, expected) => {
    expect(problemsOf(tag)).toEqual([expected]);
  });

  test("a long name is cut", () => {
    expect(problemsOf(`{{${"word ".repeat(30)}}}`)[0]).toMatch(/^\{\{(?:word ){8}…\}\}: a name has no spaces/);
  });
});

describe("where", () => {
  test("at the tag's offset, in sections too, in the text's order", () => {
    const offsets = checkNames(parse("{{a b}}{{#c}}{{^d e}}{{x.length}}{{/d e}}{{/c}}{{@f}}")).map(
      ({ offset }) => offset,
    );
    expect(offsets).toEqual([0, 13, 21, 47]);
  });

  test("an empty tag is the parser's matter", () => {
    const tree = parse("{{}}{{#}}{{/}}");
    expect(tree.problems).toHaveLength(3);
    expect(checkNames(tree)).toEqual([]);
  });
});
