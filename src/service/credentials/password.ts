import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/**
 * Cost of new scrypt hashes: about 16 MB and 40 ms. Each hash stores its own cost, so these values can be raised later.
 */
const COST = { N: 16_384, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** Hashes a password for storage: `scrypt$N$r$p$salt$hash`, with salt and hash in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Whether the password matches. Without a stored hash it does not, but the check takes the same time. */
export async function matchesPassword(password: string, stored = unmatchable): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored.split("$");
  const derived = await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, Buffer.from(hash, "base64")) && stored !== unmatchable;
}

/** A hash that no password matches. */
const unmatchable = ["scrypt", COST.N, COST.r, COST.p, "AAAAAAAAAAAAAAAAAAAAAA==", `${"A".repeat(43)}=`].join("$");

function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, cost, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
