import { randomBytes } from "node:crypto";
import type { Sent } from "lettershop/send";
import { mailer } from "./mailer.js";

interface Account {
  readonly name: string;
  readonly email: string;
}

export async function sendPasswordReset(
  { name, email }: Account,
  request: { readonly at: Date; readonly device: string },
): Promise<Sent> {
  const resetUrl = `https://fernhill.example/reset/${randomBytes(16).toString("base64url")}`;
  return mailer.send(
    "password-reset",
    { name, email, resetUrl, validMinutes: 30, request: { at: request.at.toISOString(), device: request.device } },
    { to: email, from: "accounts" },
  );
}
