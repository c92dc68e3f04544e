import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** What scrypt costs for new hashes: about 16 MB and 40 ms. Each hash carries its own, so that these may grow. */
const COST = { N: 16_384, r: 8, p: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** A password as it is stored: `scrypt$N$r$p$salt$hash`, the last two in base64. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/** Whether this is the password. Without a stored one it is not, which takes as long to find out. */
export async function matchesPassword(password: string, stored = nobodys): Promise<boolean> {
  const [, N, r, p, salt = "", hash = ""] = stored.split("$");
  const derived = await derive(password, Buffer.from(salt, "base64"), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(derived, Buffer.from(hash, "base64")) && stored !== nobodys;
}

/** A hash of no password. */
const nobodys = ["scrypt", COST.N, COST.r, COST.p, "AAAAAAAAAAAAAAAAAAAAAA==", `${"A".repeat(43)}=`].join("$");

function derive(password: string, salt: Uint8Array, cost: Cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, cost, (error, hash) => (error ? reject(error) : resolve(hash)));
  });
}
