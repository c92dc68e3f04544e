import { createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { attempt } from "../../files.js";

const certificateSchema = z.object({ key: z.string(), cert: z.string() });

/** A private key and its certificate, in PEM format. */
export type Certificate = z.infer<typeof certificateSchema>;

/** For services without a data folder, of which tests start many in one process. */
let temporary: Certificate | undefined;

/** The certificate for STARTTLS: self-signed, made at the first start and kept in the data folder until it expires. */
export async function smtpCertificate(folder: string | undefined): Promise<Certificate> {
  if (folder === undefined) return (temporary ??= createCertificate());
  const file = path.join(folder, "smtp-certificate.json");
  const kept = certificateSchema.safeParse(
    await readFile(file, "utf8")
      .then(JSON.parse)
      .catch(() => undefined),
  );
  if (kept.success && isUsable(kept.data)) return kept.data;
  const certificate = createCertificate();
  await writeFile(file, `${JSON.stringify(certificate, undefined, 2)}\n`, { mode: 0o600 });
  return certificate;
}

/** Clients compare with the machine's time. */
function isUsable({ key, cert }: Certificate): boolean {
  const usable = attempt(() => {
    const parsed = new X509Certificate(cert);
    return parsed.checkPrivateKey(createPrivateKey(key)) && Date.parse(parsed.validTo) > Date.now();
  });
  return usable ?? false;
}

/** A certificate (RFC 5280) for this machine's names, signed with its own key. */
function createCertificate(): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const now = new Date();
  const name = sequence(der(SET, sequence(COMMON_NAME, der(UTF8_STRING, Buffer.from("localhost")))));
  const names = sequence(
    der(DNS_NAME, Buffer.from("localhost")),
    der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])),
    der(IP_ADDRESS, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])),
  );
  const content = sequence(
    VERSION_3,
    der(INTEGER, Buffer.from([1]), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(now), utcTime(new Date(now.getTime() + VALID_MS))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS, sequence(sequence(SUBJECT_ALT_NAME, der(OCTET_STRING, names)))),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign("sha256", content, privateKey));
  const cert = new X509Certificate(sequence(content, ECDSA_WITH_SHA256, signature));
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert: cert.toString() };
}

/** Until 2049, as UTCTime allows. */
const VALID_MS = 10 * 365 * 24 * 60 * 60 * 1_000;

// Tags of ASN.1, and those that certificates add.
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_IDENTIFIER = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const EXPLICIT_VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const VERSION_3 = der(EXPLICIT_VERSION, der(INTEGER, Buffer.from([2])));
const COMMON_NAME = der(OBJECT_IDENTIFIER, Buffer.from("550403", "hex"));
const SUBJECT_ALT_NAME = der(OBJECT_IDENTIFIER, Buffer.from("551d11", "hex"));
const ECDSA_WITH_SHA256 = sequence(der(OBJECT_IDENTIFIER, Buffer.from("2a8648ce3d040302", "hex")));

function sequence(...elements: readonly Uint8Array[]): Buffer {
  return der(SEQUENCE, ...elements);
}

function utcTime(time: Date): Buffer {
  return der(UTC_TIME, Buffer.from(`${time.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
}

/** A value of ASN.1 in its distinguished encoding, with the contents of up to 65,535 bytes. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
