import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import DKIM from "nodemailer/lib/dkim";
import { DKIM_SELECTOR } from "./check.js";
import type { Store } from "../store/store.js";

/** The minimum of RFC 8301 that all verifiers take. */
const BITS = 2_048;

/** Signs emails with DKIM, with a key that is created for the first one and stored. */
export class DkimSigner {
  readonly #store;
  #key: KeyObject | undefined;

  constructor(store: Pick<Store, "signingKey">) {
    this.#store = store;
  }

  /** The message, with a `DKIM-Signature` of the domain before its headers. The same message gets the same signature. */
  async sign(source: Uint8Array, domainName: string): Promise<Buffer> {
    const privateKey = await this.#privateKey();
    const signer = new DKIM({ domainName, keySelector: `${DKIM_SELECTOR}1`, privateKey });
    return await buffer(signer.sign(Buffer.from(source.buffer, source.byteOffset, source.byteLength)));
  }

  /** The TXT record with the public key, to which the CNAME of the domains' DKIM selector points. */
  async record(): Promise<string> {
    const key = createPublicKey(await this.#privateKey()).export({ type: "spki", format: "der" });
    return `v=DKIM1; k=rsa; p=${key.toString("base64")}`;
  }

  async #privateKey(): Promise<KeyObject> {
    return (this.#key ??= await this.#loadKey());
  }

  async #loadKey(): Promise<KeyObject> {
    const { signingKey } = this.#store;
    const stored = signingKey.find();
    const key = stored ?? (await (newKey ??= createKey()));
    if (stored === undefined) signingKey.set(key);
    // Parsed once, because parsing takes longer than signing.
    return createPrivateKey(key);
  }
}

/** Creating one takes up to a second, so that a process with several new stores only does it once. */
let newKey: Promise<string> | undefined;

async function createKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: BITS,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  return privateKey;
}
