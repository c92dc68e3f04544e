import { expect, it } from "vitest";
import { RULES } from "../../src/check/index.js";
import { useFindings } from "./findings.js";

const { findings } = useFindings(RULES);

const template = `<mjml lang="en">
  <mj-head>
    <mj-title>Your account in March</mj-title>
    <mj-preview>What you ordered in March, what is on its way, and where to find what you need.</mj-preview>
    <mj-attributes><mj-text color="#222222" font-size="16px" /></mj-attributes>
    <mj-style>.note { color: #222222; }</mj-style>
    <mj-breakpoint width="480px" />
  </mj-head>
  <mj-body background-color="#ffffff">
    <mj-section><mj-column>
      <mj-navbar base-url="https://www.kestrel-ferries.com" hamburger="hamburger">
        <mj-navbar-link href="/start" color="#222222">Start</mj-navbar-link>
        <mj-navbar-link href="/orders" color="#222222">Orders</mj-navbar-link>
      </mj-navbar>
      <mj-text css-class="note">Hello, this is the summary of your account.</mj-text>
      <mj-button href="https://www.kestrel-ferries.com/open">Open your account</mj-button>
      <mj-image src="https://www.kestrel-ferries.com/a.png" alt="A house by the lake" width="300px" />
      <mj-divider border-color="#cccccc" />
      <mj-spacer height="20px" />
      <mj-table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>4</td></tr></mj-table>
      <mj-social mode="horizontal">
        <mj-social-element name="facebook" href="https://www.facebook.com/kestrel">Facebook</mj-social-element>
        <mj-social-element name="github" href="https://github.com/kestrel">GitHub</mj-social-element>
      </mj-social>
      <mj-accordion>
        <mj-accordion-element>
          <mj-accordion-title>Why do I get this?</mj-accordion-title>
          <mj-accordion-text>Because you have an account with us.</mj-accordion-text>
        </mj-accordion-element>
      </mj-accordion>
      <mj-carousel>
        <mj-carousel-image src="https://www.kestrel-ferries.com/1.png" alt="The first house" />
        <mj-carousel-image src="https://www.kestrel-ferries.com/2.png" alt="The second house" />
      </mj-carousel>
    </mj-column></mj-section>
    <mj-hero mode="fixed-height" height="300px" background-width="600px" background-height="300px" background-url="https://www.kestrel-ferries.com/b.png" background-color="#2a3448">
      <mj-text color="#ffffff">In the picture</mj-text>
    </mj-hero>
    <mj-wrapper padding="10px"><mj-section><mj-group>
      <mj-column><mj-text>Left</mj-text></mj-column><mj-column><mj-text>Right</mj-text></mj-column>
    </mj-group></mj-section></mj-wrapper>
  </mj-body>
</mjml>`;

it("has nothing against what MJML writes for its own elements", async () => {
  const files = { "summary/summary.mjml": template, "summary/template.json": '{ "subject": "Your account in March" }' };
  expect(await findings(files)).toEqual([]);
});
