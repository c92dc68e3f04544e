import { randomBytes } from "node:crypto";
import { Router } from "express";
import { mailer } from "./mailer.js";

interface ResetRequest {
  readonly name: string;
  readonly email: string;
}

export const accounts = Router();

/**
 * Somebody sits and waits, so this is sent at once. That it overtakes the receipts, is worth nothing after half an hour and
 * had better come twice than never, stands in the template's template.json.
 */
accounts.post("/password-resets", async (request, response) => {
  const { name, email }: ResetRequest = request.body;
  const resetUrl = `https://shop.example/reset/${randomBytes(16).toString("hex")}`;
  await mailer.send("password-reset", { name, resetUrl }, { to: email, from: "accounts" });
  response.status(202).json({ message: "Look into your inbox." });
});
