import { createHmac } from "node:crypto";

export interface SignedPost {
  readonly id: string;
  /** In seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers by which a webhook recognizes the service, as in Standard Webhooks (standardwebhooks.com), whose libraries
 * verify them.
 *
 * @param secret `whsec_` and a key in base64.
 */
export function signatureHeaders(secret: string, { id, timestamp, body }: SignedPost) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}
