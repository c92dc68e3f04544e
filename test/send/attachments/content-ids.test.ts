import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyString } from "../../any-string.js";
import { checkContentIds } from "../../../src/send/attachments/content-ids.js";
import { check, lines } from "../collect.js";

const problemsOf = (html: string | undefined, ...ids: readonly (string | undefined)[]) =>
  lines(
    check((report) =>
      checkContentIds(
        html,
        ids.map((id) => (id === undefined ? {} : { content_id: id })),
        report,
      ),
    ).problems,
  );

test.each([
  '<img src="cid:logo">',
  "<img src='cid:logo'>",
  "<img src=cid:logo>",
  '<IMG SRC="CID:logo">',
  '<img alt="x" src=" cid:logo ">',
  '<img src="cid:&#108;ogo">',
  '<img src="cid&colon;logo">',
  '<img src="cid&#58;logo">',
  '<img src="&#x63;id:logo">',
  '<img src="cid:%6Cogo">',
  '<img src="cid:<logo>">',
  '<td background="cid:logo">',
  '<input type="image" src="cid:logo">',
  '<img srcset="https://example.com/a.png 1x, cid:logo 2x">',
  '<p style="background: url(cid:logo)">',
  "<p style='background: #fff url( \"cid:logo\" ) no-repeat'>",
  '<p style="background:url(&quot;cid:logo&quot;)">',
  "<style>.a { background-image: url('cid:logo') }</style>",
  "<style>.a { background-image: url(\\63 id:logo) }</style>",
  '<a href="cid:logo">',
  '<!--[if mso]><v:fill src="cid:logo" /><![endif]-->',
  '<!--[if !mso]><!--><img src="cid:logo"><!--<![endif]-->',
  '<video poster="cid:logo">',
])("recognises %s", (html) => {
  expect(problemsOf(html, "logo")).toEqual([]);
  expect(problemsOf(html)).toHaveLength(1);
});

test.each([
  "<p>cid:logo</p>",
  '<img alt="cid:logo" src="https://example.com/cid:logo">',
  '<!-- <img src="cid:logo"> -->',
  "<style>/* url(cid:logo) */</style>",
  '<p title="url(cid:logo)">',
  "",
])("does not recognise %j", (html) => {
  expect(problemsOf(html, "logo")).toEqual([
    'attachments[0].contentId: is not used in the html. Show the image with <img src="cid:…">',
  ]);
  expect(problemsOf(html)).toEqual([]);
});

test("reports each missing file once, with its position", () => {
  const html = '<p>\n<img src="cid:logo"><img src="cid:logo">\n<img src="cid:ada@example.com"><img src="cid:there">';
  expect(problemsOf(html, undefined, "there", "unused")).toEqual([
    'html: uses "cid:logo" at line 2, column 1, but no attachment has that contentId',
    "html: uses a cid: at line 3, column 1, but no attachment has that contentId",
    'attachments[2].contentId: is not used in the html. Show the image with <img src="cid:…">',
  ]);
});

test("matches an id verbatim and URL-encoded", () => {
  const id = "image001.png@01DA7A8B.5C0F/2+3%";
  expect(problemsOf(`<img src="cid:${id}">`, id)).toEqual([]);
  expect(problemsOf(`<img src="cid:${encodeURIComponent(id)}">`, id)).toEqual([]);
});

test("reports nothing if the html is unknown", () => {
  expect(problemsOf(undefined, "logo")).toEqual([]);
});

test("reads any html, and finds the files in it", () => {
  fc.assert(
    fc.property(fc.string(), anyString(), (before, after) => {
      checkContentIds(`${before}<img src="cid:x">${after}`, [], () => undefined);
    }),
  );
  const id = fc.stringMatching(/^[\w.@+-]{1,20}$/);
  fc.assert(
    fc.property(
      id,
      fc.constantFrom('<img src="cid:#">', "<p style='background:url(cid:#)'>", "<td background=cid:#>"),
      (name, tag) => {
        expect(problemsOf(`<p>Hi ${tag.replace("#", () => name)} there</p>`, name)).toEqual([]);
      },
    ),
  );
});
