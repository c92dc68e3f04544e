import { describe, expect, it } from "vitest";
import { marketingWording } from "../../src/check/rules/language/marketing-wording.js";
import { page, useFindings } from "./findings.js";

const { diagnostics, findings } = useFindings([marketingWording]);

function found(body: string): Promise<string[]> {
  return findings({ "x.html": page(body) });
}

describe("marketing-wording", () => {
  it.each([
    "<table><tr><td>Annual customer, 10% off</td><td>−£14.30</td></tr></table>",
    "<p>Discount: {{discount}}</p><p>Promo code: −£5</p>",
    "<p>You are receiving this because you placed an order. Your subscription renews on Monday.</p>",
    "<p>Change your notification settings.</p><p>For sale: a house. The sale of your house is complete.</p>",
    "<p>Your order is on its way. Order again.</p>",
    "<p>We are processing your order now.</p>",
  ])("accepts %s", async (body) => {
    expect(await found(body)).toEqual([]);
  });

  it.each([
    ["marketing-wording", "Get 20% off your next order"],
    ["marketing-wording", "The flash sale ends tonight"],
    ["marketing-wording", "Shop now"],
    ["marketing-wording", "Use code SPRING10 at checkout"],
    ["marketing-wording", "Our Black Friday deals"],
    ["marketing-wording", "Don't miss out"],
    ["marketing-wording", "Unsubscribe"],
    ["marketing-wording", "You receive this because you subscribed to our newsletter"],
    ["marketing-wording", "Manage your email preferences"],
  ])("%s: %s", async (rule, phrase) => {
    expect(await found(`<p>a</p>\n<p>${phrase}</p>`)).toEqual([expect.stringMatching(`^${rule} info x\\.html:15:`)]);
  });

  it("points to the words inside another component", async () => {
    const source = `function Frame({ children }) {
  return <div>{children}</div>;
}
export default function Email({ open }) {
  return <Frame>{!open ? (
    <p>Shop now</p>) : <p>It left our warehouse.</p>}</Frame>;
}
Email.PreviewProps = { open: true };`;
    expect(await findings({ "x.tsx": source })).toEqual(["marketing-wording info x.tsx:6:8"]);
  });

  it("quotes the words, and points to the first of them", async () => {
    const [finding] = await diagnostics({ "x.html": page("<p>a</p>\n<p>Well, shop now and use code TEN today</p>") });
    expect(finding?.message).toBe(
      '"shop now", "use code TEN": this reads like advertising or a mailing list. The service blocks accounts that send such emails.',
    );
    expect(finding?.at).toMatchObject({ line: 15, column: 10 });
  });
});
