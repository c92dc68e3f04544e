import { randomBytes } from "node:crypto";
import { Router } from "express";
import { mailer } from "./mailer.js";

interface ResetRequest {
  readonly name: string;
  readonly email: string;
}

export const accounts = Router();

/**
 * The user is waiting, so this is sent immediately. The template's template.json gives it priority over receipts, lets it
 * expire after half an hour, and allows a duplicate rather than a lost message.
 */
accounts.post("/password-resets", async (request, response) => {
  const { name, email }: ResetRequest = request.body;
  const resetUrl = `https://shop.example/reset/${randomBytes(16).toString("hex")}`;
  await mailer.send("password-reset", { name, resetUrl }, { to: email, from: "accounts" });
  response.status(202).json({ message: "Check your inbox." });
});
