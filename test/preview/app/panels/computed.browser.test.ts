import { afterAll, expect, test } from "vitest";
import { browser, violations } from "../../browser.js";
import { PreviewedProject } from "../../server/harness.js";

const COMPONENT = `
export const subject = "Receipt";
export default function Receipt({ order }: { order: { cents: number; items: { cents: number }[] } }) {
  return (
    <html lang="en">
      <head><title>Receipt</title></head>
      <body>
        {order.items.map((item) => <p>{(item.cents / 100).toFixed(2)}</p>)}
        <p>Total {(order.cents / 100).toFixed(2)}</p>
      </body>
    </html>
  );
}
`;

const project = new PreviewedProject(
  {
    "templates/receipt/receipt.tsx": COMPONENT,
    "templates/receipt/fixtures/default.json":
      '{ "order": { "cents": 1750, "items": [{ "cents": 500 }, { "cents": 1250 }] } }',
  },
  afterAll,
);

test("computed values are listed with their code, their line and their values for what is shown", async () => {
  const { running } = await project.preview();
  const page = await (await browser()).newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  await page.goto(`${running.url}#/templates/receipt?bottom=variables`);
  const panel = page.getByRole("region", { name: "Findings" }).getByRole("tabpanel");
  const values = () => panel.getByRole("listitem").filter({ hasText: ".toFixed(2)" }).allTextContents();
  await expect
    .poll(values)
    .toEqual([
      "(item.cents / 100).toFixed(2)5.00, 12.50receipt.tsx:8",
      "(order.cents / 100).toFixed(2)17.50receipt.tsx:9",
    ]);
  expect(await panel.getByRole("button", { name: /order\.cents.*number/ }).textContent()).toContain("computed");
  expect(await violations(page, "[role=tabpanel]")).toEqual([]);

  await page
    .getByRole("complementary", { name: "Variables" })
    .getByRole("textbox", { name: "cents" })
    .first()
    .fill("99");
  await expect.poll(values).toContain("(order.cents / 100).toFixed(2)0.99receipt.tsx:9");
  await panel.getByRole("button", { name: "receipt.tsx:9" }).click();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/mode=source.*line=9/);
  await page.close();
});
