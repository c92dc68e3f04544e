import { recordMailer } from "lettershop/testing";
import { handler, mailer } from "../dist/handler.js";

let recording;
beforeEach(() => {
  recording = recordMailer(mailer);
});
afterEach(() => recording.restore());

const requestCode = (email) => handler({ body: JSON.stringify({ email }) });

test("sends a code with high priority", async () => {
  expect(await requestCode("ada@example.com")).toMatchObject({ statusCode: 202 });
  expect(recording).toHaveSent("sign-in-code", { to: "ada@example.com", times: 1 });
  const [mail] = recording.sent;
  expect(mail.code()).toBe(mail.variables.code);
  expect(mail.subject).toBe(`${mail.code()} is your code`);
  expect(mail.priority).toBe("high");
});

test("reports an invalid address to the caller", async () => {
  expect(await requestCode("ada@")).toMatchObject({ statusCode: 400 });
  expect(recording).not.toHaveSent();
});

test.each(["unreachable", "unknown_outcome"])("after %s, the caller may try again", async (failure) => {
  recording.failNext(failure);
  expect(await requestCode("ada@example.com")).toMatchObject({ statusCode: 503 });
  expect(await requestCode("ada@example.com")).toMatchObject({ statusCode: 202 });
});

test("when the rate limit is reached, tells the caller when to try again", async () => {
  recording.failNext("rate_limited");
  expect(await requestCode("ada@example.com")).toMatchObject({ statusCode: 503, headers: { "retry-after": "60" } });
});
