import { createHash } from "node:crypto";

/** The identifier of an account in stores: a hash of the service's origin and the key. */
export function accountOf({ url, apiKey }: { readonly url: string; readonly apiKey: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([new URL(url).origin, apiKey]))
    .digest("base64url");
}
