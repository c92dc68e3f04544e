import { describe, expect, it } from "vitest";
import { clientsOf, supportData, type Feature } from "../../../../src/check/client-support/data.js";
import { clientSupportOf } from "../../../../src/preview/server/report/client-support.js";
import { EmailDocument } from "../../../../src/check/document/email-document.js";
import { NOT_DETECTED, sampleOf } from "../../../check/client-support/samples.js";

const { clients, features } = supportData();
const ids = Object.keys(clients);

function losses(html: string, patterns: readonly string[] = ["*"]) {
  const document = new EmailDocument({ html, tags: [], places: [], sources: new Map([["x.html", html]]) });
  const where = { places: { list: [], indexOf: () => undefined }, shownPath: (file: string) => file };
  return clientSupportOf(document, patterns, where).clients;
}

describe("clientSupportOf", () => {
  const detected = (Object.keys(features) as Feature[]).filter((feature) => NOT_DETECTED[feature] === undefined);

  it.each(detected)("distinguishes none, partial and unknown as the data does: %s", (feature) => {
    const { title, support } = features[feature];
    const byClient = losses(sampleOf(feature));
    expect(byClient.map(({ name }) => name)).toEqual(ids.map((id) => clients[id]));
    for (const [index, word] of support.split(" ").entries()) {
      const lost = byClient[index]?.features.find(({ name }) => name === title);
      const expected = { y: [undefined], n: ["none"], u: ["unknown"], a: ["partial", undefined] }[word[0] ?? ""];
      // A client that does not support the code around a declaration never reads it; if a fallback applies, nothing is lost.
      if (lost || !/[@:>+~[]|background/.test(sampleOf(feature)))
        expect(expected, clients[ids[index] ?? ""]).toContain(lost?.support);
    }
  });

  it("returns caniemail's notes on a client with partial support", () => {
    const [outlook, yahoo] = losses('<p style="position:absolute">a</p>', ["outlook.outlook-com", "yahoo.ios"]).map(
      ({ features: lost }) => lost[0],
    );
    expect([outlook?.support, yahoo?.support]).toEqual(["partial", "partial"]);
    expect(outlook?.note).toContain("sticky");
    expect(yahoo?.note).toContain("relative");
  });

  it.each<[string, string, string]>([
    ["outlook.windows", '<p style="font-weight: 500">a</p>', '<p style="font-weight: 700">a</p>'],
    ["yahoo.ios", '<p style="font-weight: 450">a</p>', '<p style="font-weight: 500">a</p>'],
    ["yahoo.ios", '<p style="font-size-adjust: ex-height 0.5">a</p>', '<p style="font-size-adjust: 0.5">a</p>'],
    [
      "yahoo.ios",
      "<style>@media (aspect-ratio: 1) { p { color: red } }</style>",
      "<style>@media (min-width: 9px) { p { color: red } }</style>",
    ],
  ])("applies a note about %s only to what it is about: %s", (client, affected, fine) => {
    const partial = (html: string) =>
      losses(html, [client])[0]?.features.filter(({ support }) => support === "partial");
    expect(partial(fine)).toEqual([]);
    expect(partial(affected)).toHaveLength(1);
  });

  it("skips uses without any loss, and returns where the first other use was written", () => {
    const html = '<p style="margin:0">a</p>\n<p style="margin:-4px">b</p>';
    const [byClient] = losses(html, ["outlook.windows"]);
    const margin = byClient?.features.find(({ name }) => name === "margin");
    expect([margin?.support, margin?.at?.line]).toEqual(["partial", 2]);
  });

  it("does not report a loss if there is a fallback", () => {
    const html = '<p style="background:#fff;background:linear-gradient(red,blue)">a</p>';
    expect(losses(html).flatMap(({ features: lost }) => lost.map(({ name }) => name))).not.toContain(
      "linear-gradient()",
    );
  });

  it("considers the named clients, or the most common ones by default", () => {
    expect(losses("<p>a</p>", ["gmail.ios"]).map(({ name }) => name)).toEqual(["Gmail (iOS)"]);
    expect(losses("<p>a</p>", [])).toHaveLength(clientsOf([]).length);
  });
});
