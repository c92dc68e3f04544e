import { describe, expect, it } from "vitest";
import { clientsOf } from "../../../../src/check/client-support/clients.js";
import { type Feature, supportData } from "../../../../src/check/client-support/data.js";
import { lossesIn } from "../../../../src/preview/server/report/losses.js";
import { EmailDocument } from "../../../../src/check/document/email-document.js";
import { NOT_DETECTED, sampleOf } from "../../../check/client-support/samples.js";

const { clients, features } = supportData();
const ids = Object.keys(clients);

function losses(html: string, patterns: readonly string[] = ["*"]) {
  return lossesIn(new EmailDocument({ html, tags: [], places: [], sources: new Map([["x.html", html]]) }), patterns);
}

describe("lossesIn", () => {
  const detected = (Object.keys(features) as Feature[]).filter((feature) => NOT_DETECTED[feature] === undefined);

  it.each(detected)("tells none, partial and unknown apart, as the data do: %s", (feature) => {
    const { title, support } = features[feature];
    const found = losses(sampleOf(feature));
    expect(found.map(({ client }) => client)).toEqual(ids.map((id) => clients[id]));
    for (const [index, word] of support.split(" ").entries()) {
      const lost = found[index]?.lost.find((each) => each.title === title);
      const expected = { y: [undefined], n: ["none"], u: ["unknown"], a: ["partial", undefined] }[word[0] ?? ""];
      // A client that does not know what stands around a declaration never comes to it; where another value holds, nothing is lost.
      if (lost || !/[@:>+~[]|background/.test(sampleOf(feature)))
        expect(expected, clients[ids[index] ?? ""]).toContain(lost?.support);
    }
  });

  it("says of a client that takes a feature in part what caniemail says of that client", () => {
    const [outlook, yahoo] = losses('<p style="position:absolute">a</p>', ["outlook.outlook-com", "yahoo.ios"]).map(
      ({ lost }) => lost[0],
    );
    expect([outlook?.support, yahoo?.support]).toEqual(["partial", "partial"]);
    expect(outlook?.notes.join()).toContain("sticky");
    expect(yahoo?.notes.join()).toContain("relative");
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
  ])("counts a note of %s for what it is about alone: %s", (client, told, fine) => {
    const partial = (html: string) => losses(html, [client])[0]?.lost.filter(({ support }) => support === "partial");
    expect(partial(fine)).toEqual([]);
    expect(partial(told)).toHaveLength(1);
  });

  it("passes over uses that nothing is lost with, and says where the first other one was written", () => {
    const html = '<p style="margin:0">a</p>\n<p style="margin:-4px">b</p>';
    const [found] = losses(html, ["outlook.windows"]);
    const margin = found?.lost.find(({ title }) => title === "margin");
    expect([margin?.support, margin?.at?.line]).toEqual(["partial", 2]);
  });

  it("counts nothing as lost behind which something holds", () => {
    const html = '<p style="background:#fff;background:linear-gradient(red,blue)">a</p>';
    expect(losses(html).flatMap(({ lost }) => lost.map(({ title }) => title))).not.toContain("linear-gradient()");
  });

  it("looks at the clients that are named, and at those of most readers otherwise", () => {
    expect(losses("<p>a</p>", ["gmail.ios"]).map(({ client }) => client)).toEqual(["Gmail (iOS)"]);
    expect(losses("<p>a</p>", [])).toHaveLength(clientsOf([]).length);
  });
});
