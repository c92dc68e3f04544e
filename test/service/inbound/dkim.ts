import { createHash, createPublicKey, verify } from "node:crypto";

/**
 * Verifies a message's first DKIM signature with a TXT record's public key, as in RFC 6376 with `relaxed/relaxed`. This
 * is written from the RFC, so that it is independent of what signs.
 *
 * @returns The signature's tags, or why it is not valid.
 */
export function verifyDkim(source: Uint8Array, record: string): Record<string, string> | string {
  const text = Buffer.from(source).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const fields = text.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (signature === undefined) return "no signature";
  const tags = tagsOf(signature.slice(signature.indexOf(":") + 1));
  if (tags["c"] !== "relaxed/relaxed" || tags["a"] !== "rsa-sha256") return "another algorithm";

  const bodyHash = createHash("sha256")
    .update(relaxedBody(text.slice(end + 4)), "latin1")
    .digest("base64");
  if (bodyHash !== tags["bh"]?.replace(/\s/g, "")) return "the body has been changed";
  const rest = fields.filter((field) => field !== signature);
  const signed = (tags["h"] ?? "").split(":").flatMap((name) => {
    const index = rest.findLastIndex((field) => nameOf(field) === name.trim().toLowerCase());
    return index === -1 ? [] : rest.splice(index, 1).map((field) => `${relaxedField(field)}\r\n`);
  });
  const own = relaxedField(signature.replace(/(;\s*b=)[^;]*/, "$1"));
  const key = createPublicKey({
    key: Buffer.from(tagsOf(record)["p"] ?? "", "base64"),
    format: "der",
    type: "spki",
  });
  const data = Buffer.from(signed.join("") + own, "latin1");
  const isValid = verify("sha256", data, key, Buffer.from(tags["b"]?.replace(/\s/g, "") ?? "", "base64"));
  return isValid ? tags : "the headers have been changed";
}

function tagsOf(list: string): Record<string, string> {
  return Object.fromEntries(
    list.split(";").flatMap((tag) => {
      const [, name, value] = /^\s*(\w+)\s*=\s*(.*?)\s*$/s.exec(tag) ?? [];
      return name === undefined ? [] : [[name, value ?? ""]];
    }),
  );
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(":")).trim().toLowerCase();
}

function relaxedField(field: string): string {
  const value = field.slice(field.indexOf(":") + 1).replace(/\r\n/g, "");
  return `${nameOf(field)}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`;
}

function relaxedBody(body: string): string {
  const lines = body.split("\r\n").map((line) => line.replace(/[ \t]+/g, " ").replace(/ $/, ""));
  const trimmed = lines.join("\r\n").replace(/(?:\r\n)+$/, "");
  return trimmed === "" ? "" : `${trimmed}\r\n`;
}
