import { describe, expect, test } from "vitest";
import { checkNames } from "../../src/mustache/names.js";
import { parse, parseSource } from "../../src/mustache/parse.js";

function problemsOf(source: string): string[] {
  return checkNames(parseSource(source)).map(({ message, hint }) => `${message} ${hint}`);
}

describe("names that every engine treats the same", () => {
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

  test("the item itself, and comments with any content", () => {
    expect(problemsOf('{{#a}}{{.}}{{#.}}{{/.}}{{/a}}{{! else "this" @index }}')).toEqual([]);
  });
});

describe("syntax of other template languages", () => {
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
    [
      "{{#if user}}",
      '{{#if user}}: Mustache has no "if". Write {{#user}} … {{/user}}, or {{#user has-items}} … {{/user}} if it is a list.',
    ],
    [
      "{{#unless a.b}}",
      '{{#unless a.b}}: Mustache has no "unless". Write {{^a.b}} … {{/a.b}}, or {{^a.b has-items}} … {{/a.b}} if it is a list.',
    ],
    ["{{#each items as |item|}}", '{{#each items as |item|}}: Mustache has no "each". Write {{#items}} … {{/items}}.'],
    ["{{#each ../items}}", `{{#each ../items}}: Mustache has no "each". ${derive}`],
    ["{{#if a == b}}", `{{#if a == b}}: Mustache has no "if". ${derive}`],
    ["{{#if s == 'a'}}", `{{#if s == 'a'}}: Mustache has no "if". Write {{#s equals 'a'}} … {{/s}}.`],
    ['{{#if (eq s "a")}}', '{{#if (eq s "a")}}: Mustache has no "if". Write {{#s equals "a"}} … {{/s}}.'],
    [
      "{{#unless items.length}}",
      '{{#unless items.length}}: Mustache has no "unless". Write {{^items has-items}} … {{/items}}.',
    ],
    ["{{#each this.items}}", '{{#each this.items}}: Mustache has no "each". Write {{#items}} … {{/items}}.'],
    [
      "{{^if user}}",
      '{{^if user}}: Mustache has no "if". Write {{^user}} … {{/user}}, or {{^user has-items}} … {{/user}} if it is a list.',
    ],
    [
      "{{if .User}}",
      '{{if .User}}: Mustache has no "if". Write {{#User}} … {{/User}}, or {{#User has-items}} … {{/User}} if it is a list.',
    ],
    ["{{range .Items}}", '{{range .Items}}: Mustache has no "range". Write {{#Items}} … {{/Items}}.'],
    ["{{endif}}", '{{endif}}: Mustache has no "endif". Close a section with its own name: {{#name}} … {{/name}}.'],
    ["{{~name ~}}", '{{~name ~}}: Mustache has no "~" to trim whitespace around a tag. Write {{name}}.'],
    ["{{var:user.name}}", `{{var:user.name}}: "var:" belongs to Mailjet's template language. Write {{user.name}}.`],
    [
      '{{data:name:"you"}}',
      `{{data:name:"you"}}: "data:" belongs to Mailjet's template language. Write {{name}}. Put the default into the variables' schema (variables.ts).`,
    ],
    ["{{name&nbsp;}}", "{{name&nbsp;}}: &nbsp; is HTML, not part of a name. Write {{name}}."],
    ["{{na\u200Bme}}", "{{na\u200Bme}}: this name contains an invisible character (U+200B). Type it again: {{name}}."],
    ['{{t "hello"}}', `{{t "hello"}}: Mustache has no expressions and no calls. ${derive}`],
    ["{{this}}", '{{this}}: Mustache has no "this". Write {{.}}.'],
    ["{{{this.name}}}", '{{{this.name}}}: Mustache has no "this". Write {{{name}}}.'],
    ["{{#this/items}}", '{{#this/items}}: Mustache has no "this". Write {{#items}}.'],
    [
      "{{../../name}}",
      '{{../../name}}: Mustache has no "../". Write {{name}}: a name that the item doesn\'t have is looked up outside the section.',
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
      "{{format date}}: a name can't contain spaces. Print one variable with each tag; format values in derive (variables.ts).",
    ],
    ['{{"q"}}', '{{"q"}}: a name can\'t contain quotation marks. To print fixed text, write it without a tag.'],
    [
      "{{items.0.name}}",
      "{{items.0.name}}: not every engine supports list items by number. Use a section over the list, or give the item a name of its own in derive (variables.ts).",
    ],
    [
      "{{items[0]}}",
      "{{items[0]}}: not every engine supports list items by number. Use a section over the list, or give the item a name of its own in derive (variables.ts).",
    ],
    [
      "{{items.length}}",
      '{{items.length}}: engines disagree on "length". To test whether a list has items, write {{#items has-items}} … {{/items}}; to print how many, count them in derive (variables.ts).',
    ],
    [
      "{{a.toString}}",
      '{{a.toString}}: some engines find "toString" on every object. Choose another name for this variable.',
    ],
    ["{{a..b.}}", "{{a..b.}}: a dot must be between two names, or alone for the item itself. Write {{a.b}}."],
    ["{{.name}}", "{{.name}}: a dot must be between two names, or alone for the item itself. Write {{name}}."],
    [
      "{{$json}}",
      "{{$json}}: a name consists of letters, digits, _ and -, and begins with a letter or _; dots separate names. Choose another name, or remove leftovers of another template language.",
    ],
    [
      "{{> footer}}",
      "{{> footer}}: partials are not supported here. Partials such as {{> _shared/footer}} work in HTML bodies, with a file below the templates root.",
    ],
    [
      "{{=<% %>=}}",
      "A template can't change Mustache's delimiters. Remove this tag, and write all tags with {{ and }}.",
    ],
  ])("%s", (tag, expected) => {
    expect(problemsOf(tag)).toEqual([expected]);
  });

  test("a test of the item itself, or in a tag that prints", () => {
    expect(problemsOf('{{#a}}{{#. equals "b"}}{{/.}}{{/a}}')).toEqual([
      '{{#. equals "b"}}: a section can\'t test a condition on the item itself. Make it a list of objects, and test one of their members.',
    ]);
    expect(problemsOf("{{a has-items}}")).toEqual([
      "{{a has-items}}: only a section can test a condition. Write {{#a has-items}} … {{/a}}.",
    ]);
  });

  test("a long name is truncated", () => {
    expect(problemsOf(`{{${"word ".repeat(30)}}}`)[0]).toMatch(/^\{\{(?:word ){8}…\}\}: a name can't contain spaces/);
  });
});

describe("the test of a section", () => {
  test.each([
    '{{#a.b equals "x | y {"}}{{/a.b}}',
    "{{#a equals 'say \"b\"'}}{{/a equals 'say \"b\"'}}",
    "{{^a equals -1.5}}{{/a}}",
    "{{# a equals null }}{{/ a }}",
    "{{#a has-items}}<ul>{{#a}}{{.}}{{/a}}</ul>{{/a}}",
    "{{#a is-present}}{{#a is-truthy}}{{/a}}{{/a}}",
  ])("is valid: %s", (source) => {
    expect(parseSource(source).problems).toEqual([]);
    expect(problemsOf(source)).toEqual([]);
  });

  test.each([
    ["{{#status equals paid}}", '{{#status equals "paid"}} … {{/status}}'],
    ["{{#status equals “paid”}}", '{{#status equals "paid"}} … {{/status}}'],
    ["{{#status equals &quot;paid&quot;}}", '{{#status equals "paid"}} … {{/status}}'],
    ["{{^items has-item}}", "{{^items has-items}} … {{/items}}"],
    ["{{#items hasItems}}", "{{#items has-items}} … {{/items}}"],
    ["{{#items any}}", "{{#items has-items}} … {{/items}}"],
    ["{{#note exists}}", "{{#note is-present}} … {{/note}}"],
    ["{{#a.b === 'c'}}", "{{#a.b equals 'c'}} … {{/a.b}}"],
    ["{{#n != 3}}", "{{^n equals 3}} … {{/n}}"],
    ["{{^n != 3}}", "{{#n equals 3}} … {{/n}}"],
    ["{{#items.length > 0}}", "{{#items has-items}} … {{/items}}"],
    ['{{#ifEquals status "paid"}}', '{{#status equals "paid"}} … {{/status}}'],
    ["{{#items.length}}", "{{#items has-items}} … {{/items}}"],
  ])("is written as the hint suggests instead of %s", (source, right) => {
    expect(problemsOf(`${source}{{/${/[\w.]+/.exec(source)?.[0]}}}`)).toEqual([
      expect.stringMatching(/: .+\. Write .+\.$/),
    ]);
    expect(problemsOf(source)[0]).toContain(`Write ${right}.`);
  });

  test("is not a word that all objects have as a member", () => {
    expect(problemsOf("{{#items constructor}}{{/items}}")).toEqual([
      "{{#items constructor}}: a name can't contain spaces. Print one variable with each tag; format values in derive (variables.ts).",
    ]);
  });

  test("is on a name that is itself valid", () => {
    expect(problemsOf("{{#this.items has-items}}{{/this.items}}")).toEqual([
      '{{#this.items has-items}}: Mustache has no "this". Write {{#items has-items}}.',
    ]);
  });

  test("has a name that nothing else uses", () => {
    expect(problemsOf("{{#status__is_paid}}{{/status__is_paid}}{{a__b}}")).toEqual([
      expect.stringContaining("are reserved for compiled conditions"),
    ]);
  });

  test("no longer appears in the sent email", () => {
    expect(parse("{{#a has-items}}{{/a}}").problems).toHaveLength(1);
  });
});

describe("positions", () => {
  test("are the tag's offset, in sections too, in source order", () => {
    const offsets = checkNames(parseSource("{{a b}}{{#c}}{{^d e}}{{x.length}}{{/d e}}{{/c}}{{@f}}")).map(
      ({ offset }) => offset,
    );
    expect(offsets).toEqual([0, 13, 21, 47]);
  });

  test("an empty tag is reported by the parser", () => {
    const tree = parseSource("{{}}{{#}}{{/}}");
    expect(tree.problems).toHaveLength(3);
    expect(checkNames(tree)).toEqual([]);
  });
});
