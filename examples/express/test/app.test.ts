import { type MailerRecording, recordMailer } from "lettershop/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { app } from "../src/app.js";
import { mailer } from "../src/mailer.js";
import type { TemplateVariables } from "../src/templates.gen.js";

const order = {
  number: "A-1042",
  customerName: "Ada",
  items: [{ name: "Studio plan", quantity: 4, unitPrice: 1200 }],
};

let server: ReturnType<typeof app.listen>;
let recording: MailerRecording<TemplateVariables>;

beforeAll(() => {
  server = app.listen(0);
});
afterAll(() => server.close());
beforeEach(() => {
  recording = recordMailer(mailer);
});
afterEach(() => recording.restore());

async function call(path: string, body?: object): Promise<{ status: number; headers: Headers; body: unknown }> {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

test("an order's receipt is queued once and sent", async () => {
  expect(await call("/orders", { order, email: "ada@example.com" })).toMatchObject({ status: 201 });
  expect(await call("/orders", { order, email: "ada@example.com" })).toMatchObject({ status: 200 });
  expect(recording).toHaveQueued("receipt", { to: "ada@example.com", times: 1 });

  await recording.drain();
  expect(recording).toHaveSent("receipt", { to: "ada@example.com", variables: { order: { number: "A-1042" } } });
  const [mail] = recording.sent;
  expect(mail?.subject).toContain("A-1042");
  expect(mail?.text).toContain("Total: €48.00");
});

test("a password reset is sent immediately, with its link", async () => {
  expect(await call("/password-resets", { name: "Ada", email: "ada@example.com" })).toMatchObject({ status: 202 });
  expect(recording).toHaveSent("password-reset", { to: "ada@example.com", variables: { name: "Ada" } });
  const [mail] = recording.sent;
  expect(mail?.priority).toBe("high");
  expect(mail?.link("Choose a new password")).toMatch(/^https:\/\/shop\.example\/reset\/[0-9a-f]{32}$/);
});

test("reports an invalid address to the client", async () => {
  const { status, body } = await call("/password-resets", { name: "Ada", email: "ada@" });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: "invalid_message" });
  expect(recording).not.toHaveSent();
});

test("each send error has its response", async () => {
  const reset = () => call("/password-resets", { name: "Ada", email: "ada@example.com" });
  recording.failNext("rate_limited");
  const limited = await reset();
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([503, "60"]);
  recording.failNext("unreachable");
  expect(await reset()).toMatchObject({ status: 503, body: { error: "unreachable" } });
  recording.failNext("unknown_outcome");
  expect(await reset()).toMatchObject({ status: 202, body: { error: "unknown_outcome" } });
});

test("the health check fails if a receipt waits too long", async () => {
  await call("/orders", { order, email: "ada@example.com" });
  expect(await call("/health")).toMatchObject({ status: 200, body: { queued: 1 } });
  await recording.clock.advance(15 * 60_000);
  expect(await call("/health")).toMatchObject({ status: 503 });
});
