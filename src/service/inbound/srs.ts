import { createHmac, timingSafeEqual } from "node:crypto";
import { ADDRESS_MAX, domainOf, localPartOf } from "../address.js";
import { domainKey } from "../store/domains.js";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** How long bounces may come back. */
const VALID_DAYS = 21;
/** Days are counted in two characters of base32, as in the SRS paper. */
const DAYS = 1_024;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Rewrites envelope senders for forwarding, in the form of SRS (Sender Rewriting Scheme): SPF then checks the forwarding
 * domain, and bounces come back to it. The hash keeps others from sending bounces through it to anybody.
 *
 * @example
 * const srs = new SenderRewriting(secret);
 * srs.rewrite("bob@shop.example", "example.test", now); // "SRS0=k3b1=AE=shop.example=bob@example.test"
 * srs.original("SRS0=k3b1=AE=shop.example=bob@example.test", now); // "bob@shop.example"
 */
export class SenderRewriting {
  readonly #secret;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /**
   * The sender as an address of the forwarding domain. An empty sender, of a bounce, stays empty. It is also empty if the
   * address would be too long for servers: a bounce gets lost then, but not the email.
   */
  rewrite(sender: string, domain: string, now: number): string {
    if (sender === "" || sender.toLowerCase().endsWith(`@${domain.toLowerCase()}`)) return sender;
    // In ASCII, because it is part of a local part, where an international name would need SMTPUTF8.
    const signed = `${timestamp(now)}=${domainKey(domainOf(sender))}=${localPartOf(sender)}`;
    const rewritten = `SRS0=${this.#hash(signed)}=${signed}@${domain}`;
    return rewritten.length > ADDRESS_MAX ? "" : rewritten;
  }

  /** The original sender of a rewritten one. Undefined for other addresses, and if its hash or time is not valid. */
  original(address: string, now: number): string | undefined {
    const parts = /^SRS0=([a-z0-9_-]{8})=(([A-Z2-7]{2})=([^=]+)=(.+))$/i.exec(localPartOf(address));
    if (!parts) return undefined;
    const [, hash = "", signed = "", time = "", host, local] = parts;
    const expected = Buffer.from(this.#hash(signed).toLowerCase());
    const written = Buffer.from(hash.toLowerCase());
    if (written.length !== expected.length || !timingSafeEqual(written, expected)) return undefined;
    const age = (daysOf(timestamp(now)) - daysOf(time) + DAYS) % DAYS;
    return age <= VALID_DAYS ? `${local}@${host}` : undefined;
  }

  /** Case-insensitive, because some servers change the case of addresses. */
  #hash(signed: string): string {
    return createHmac("sha256", this.#secret).update(signed.toLowerCase()).digest("base64url").slice(0, 8);
  }
}

function timestamp(now: number): string {
  const days = Math.floor(now / DAY_MS) % DAYS;
  return `${BASE32.charAt(days >> 5)}${BASE32.charAt(days & 31)}`;
}

function daysOf(time: string): number {
  const [high = "", low = ""] = time.toUpperCase();
  return BASE32.indexOf(high) * 32 + BASE32.indexOf(low);
}
