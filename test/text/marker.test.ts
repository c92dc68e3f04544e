import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentHash, isSameText } from "../../src/sync/content.js";
import { readMarker, writeMarker } from "../../src/text/marker.js";

const hash = fc.stringMatching(/^[\w-]{10}$/);
const marker = fc.record(
  {
    text: fc.stringMatching(/^[a-z0-9 .*_@/-]{0,40}[a-z0-9*]$/),
    applied: hash,
    contract: fc.stringMatching(/^[\w-]{6}$/),
    stored: hash,
    of: fc.stringMatching(/^[\w-]{4}$/),
  },
  { requiredKeys: ["text", "applied", "contract"] },
);

test("a marker is read as it was written, and the description as its author wrote it", () => {
  const description = fc.string({ maxLength: 200 }).filter((text) => text === text.trimEnd());
  fc.assert(
    fc.property(description, marker, (text, written) => {
      fc.pre(readMarker(text).marker === undefined);
      expect(readMarker(writeMarker(text, written))).toEqual({ description: text, marker: written });
    }),
  );
});

test.each([
  "",
  "A receipt.",
  "See [1]",
  "[lettershop]",
  "[lettershop abc.def]",
  "[lettershop u0Yw3kq_Zb.x8Kq2a] and more",
])("%j has no marker", (description) => expect(readMarker(description)).toEqual({ description }));

test("a description that already looks like a marker gets another one after it", () => {
  const written = { text: "lettershop", applied: "u0Yw3kq_Zb", contract: "x8Kq2a" };
  const twice = writeMarker(writeMarker("A", written), { ...written, text: "other" });
  expect(readMarker(twice)).toEqual({
    description: "A [lettershop u0Yw3kq_Zb.x8Kq2a]",
    marker: { ...written, text: "other" },
  });
});

const content = { subject: "Hi", description: "d", html_body: "<p>\n  Hi\n</p>", text_body: "Hi" };

test.each([
  ["line ends", "<p>\r\n  Hi\r\n</p>"],
  ["spaces at the ends of lines", "<p>  \n  Hi\t\n</p>"],
  ["space at both ends", "\n<p>\n  Hi\n</p>\n\n"],
])("%s don't change the content hash", (_, html_body) => {
  expect(contentHash({ ...content, html_body })).toBe(contentHash(content));
  expect(isSameText(html_body, content.html_body)).toBe(true);
});

test.each([
  ["a letter", { html_body: "<p>\n  Ha\n</p>" }],
  ["indentation", { html_body: "<p>\nHi\n</p>" }],
  ["content that moves to another field", { subject: "d", description: "Hi" }],
  ["the description", { description: "e" }],
])("%s changes the content hash", (_, changes) => {
  expect(contentHash({ ...content, ...changes })).not.toBe(contentHash(content));
});
