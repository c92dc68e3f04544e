import { describe, expect, it } from "vitest";
import { secretInTemplate, maskSecrets } from "../../src/check/rules/safety/secret-in-template.js";
import { codeFrame, shownLines } from "../../src/cli/report/diagnostics.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings } = useFindings([secretInTemplate]);

// Put together here, so that nobody's scanner takes this file for a leak.
const aws = ["AKIA", "IOSFODNN7EXAMPLE"].join("");
const stripe = ["sk_live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
const slack = ["xoxb", "123456789012", "abcDEFghiJKL"].join("-");
const github = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", "dozjgNryP4J3jVmNHl0w5N"].join(".");
const pem = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
const login = ["https://ada", "opensesame@a.example"].join(":");

describe("secret-in-template", () => {
  it.each([
    [aws, "an AWS access key"],
    [stripe, "a Stripe secret key"],
    [slack, "a Slack token"],
    [github, "a GitHub token"],
    [pem, "a private key"],
    [`<a href="https://a.example/x?token=${jwt}">a</a>`, "a signed token (JWT)"],
    [`<a href="https://a.example/x?a=1&amp;api_key=0123456789abcdef01234567">a</a>`, "a key in a URL"],
    [`<a href="${login}/">a</a>`, "a password in a URL"],
  ])("reports %s without printing it", async (written, what) => {
    const [found, ...others] = await diagnostics({ "x.html": page(`<p>a</p>\n${written}`) });
    expect(found).toMatchObject({ severity: "error", at: { line: 15 } });
    expect(found?.message).toMatch(new RegExp(`^This is ${what.replaceAll(/[()]/g, "\\$&")}: `));
    expect(JSON.stringify(found)).not.toContain(written.slice(-12));
    expect(others).toEqual([]);
  });

  it("reports them in comments, text bodies, components, metadata and, as a warning, in fixtures", async () => {
    const files = {
      "x/x.html": page(`<p>{{key}}</p>{{! ${github} }}`),
      "x/x.txt": `Hi\n{{key}} ${slack}`,
      "x/template.json": `{ "description": "${aws}" }`,
      "x/fixtures/default.json": `{\n  "key": "${stripe}"\n}`,
    };
    expect(await findings(files)).toEqual([
      "secret-in-template error x.html:14:19",
      "secret-in-template warning default.json:2:11",
      "secret-in-template error template.json:1:19",
      "secret-in-template error x.txt:2:9",
    ]);
    const react = `const key = "${stripe}";\nexport default () => <html><body><a href={"https://a.example/" + key}>a</a></body></html>;`;
    expect(await findings({ "x.tsx": react })).toEqual(["secret-in-template error x.tsx:1:14"]);
  });

  it.each([
    `<p>sk_live_xxxxxxxxxxxxxxxx, ghp_XXXXXXXXXXXXXXXXXXXX, key-{{key}}, pk_live_4eC39HqLyjWDarjt, AKIA, the key-word</p>`,
    `<a href="https://a.example/reset?token={{token}}&api_key={{key}}">a</a><a href="https://{{user}}:{{password}}@a.example">a</a>`,
    `<img src="https://maps.googleapis.com/maps/api/staticmap?key=AIzaSyD0123456789abcdefghijklmnopqrstuv" alt="">`,
    `<a href="https://a.example/p?access_token=confirmation-of-your-order">a</a><p>-----BEGIN PUBLIC KEY-----</p>`,
    `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAKIA234567ABCDEFGHIJeyJ" alt=""><a href="mailto:a:b@c.example">a</a>`,
  ])("accepts %s", async (body) => {
    expect(await findings({ "x.html": page(body) })).toEqual([]);
  });

  it("accepts a signed token in a fixture's link", async () => {
    const files = {
      "x/x.html": page('<a href="{{url}}">a</a>'),
      "x/fixtures/default.json": `{ "url": "https://a.example/reset/${jwt}" }`,
    };
    expect(await findings(files)).toEqual([]);
  });

  it("masks secrets in source lines", () => {
    expect(codeFrame(shownLines(`<p>\n${stripe}\n</p>`), 2, 1)).toContain("> 2 | sk_l••••");
    expect(maskSecrets(`a ${slack}\n${slack} b`)).not.toMatch(/\d/);
    expect(maskSecrets("no secret")).toBe("no secret");
  });
});
