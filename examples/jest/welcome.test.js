import { createMailer } from "lettershop/send";
import { startLocalService } from "lettershop/testing";

let service;

beforeAll(async () => {
  service = await startLocalService();
});

afterAll(async () => {
  await service.close();
});

test("a welcome is sent", async () => {
  const mailer = createMailer({ from: "hello", ...service.mailerOptions });
  await mailer.sendMessage({ to: "ada@example.com", subject: "Welcome", text: "Hello Ada" });
  const mail = await service.inbox.waitFor({ to: "ada@example.com" });
  expect(mail.subject).toBe("Welcome");
  await mailer.close();
});
