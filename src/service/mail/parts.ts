import { html } from "hono/html";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { Mailbox } from "../store/log-rows.js";
import type { Recipient } from "./captured.js";
import type { Markup } from "./layout.js";

/* Components shared by several pages. */

const tones: Readonly<Record<LogStatus, "good" | "bad" | "waiting">> = {
  DELIVERED: "good",
  QUEUED: "waiting",
  "SOFT-BOUNCE": "waiting",
  "HARD-BOUNCE": "bad",
  BOUNCED: "bad",
  REFUSED: "bad",
};

export function statusChip(status: LogStatus): Markup {
  return html`<span class="chip ${tones[status]}">${status.toLowerCase()}</span>`;
}

/** One chip for each status of the recipients. */
export function statusChips(recipients: readonly Recipient[]): Markup[] {
  return [...new Set(recipients.map(({ status }) => status))].map(statusChip);
}

const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** A time in this machine's zone, which is also the reader's. */
export function time(at: number): Markup {
  return html`<time datetime="${new Date(at).toISOString()}">${format.format(at)}</time>`;
}

export function mailbox({ name, email }: Mailbox): string {
  return name === null ? email : `${name} <${email}>`;
}

export function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
