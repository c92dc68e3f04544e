import { recordMailer } from "lettershop/testing";
import { handler, mailer } from "../dist/handler.js";

let mails;
beforeEach(() => {
  mails = recordMailer(mailer);
});
afterEach(() => mails.restore());

const ask = (email) => handler({ body: JSON.stringify({ email }) });

test("a code is sent, and worth nothing after ten minutes", async () => {
  expect(await ask("ada@example.com")).toMatchObject({ statusCode: 202 });
  expect(mails).toHaveSent("sign-in-code", { to: "ada@example.com", times: 1 });
  const [mail] = mails.sent;
  expect(mail.code()).toBe(mail.variables.code);
  expect(mail.subject).toBe(`${mail.code()} is your code`);
  expect(mail.priority).toBe("high");
});

test("who mistypes an address is told so", async () => {
  expect(await ask("ada@")).toMatchObject({ statusCode: 400 });
  expect(mails).not.toHaveSent();
});

test.each(["unreachable", "unknown_outcome"])("when the service is %s, the caller may ask again", async (failure) => {
  mails.failNext(failure);
  expect(await ask("ada@example.com")).toMatchObject({ statusCode: 503 });
  expect(await ask("ada@example.com")).toMatchObject({ statusCode: 202 });
});

test("when all turns are taken, the caller is told when to come back", async () => {
  mails.failNext("rate_limited");
  expect(await ask("ada@example.com")).toMatchObject({ statusCode: 503, headers: { "retry-after": "60" } });
});
