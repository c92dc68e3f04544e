import { X509Certificate } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { attempt } from "../../files.js";

const certificateSchema = z.object({ key: z.string(), cert: z.string() });

/** A private key and its certificate, in PEM format. */
export type Certificate = z.infer<typeof certificateSchema>;

const YEARS = 10;

/** For services without a data folder, of which tests start many in one process. */
let temporary: Promise<Certificate> | undefined;

/** The certificate for STARTTLS: self-signed, made at the first start and kept in the data folder until it expires. */
export async function smtpCertificate(folder: string | undefined): Promise<Certificate> {
  if (folder === undefined) return await (temporary ??= createCertificate());
  const file = path.join(folder, "smtp-certificate.json");
  const kept = certificateSchema.safeParse(
    await readFile(file, "utf8")
      .then(JSON.parse)
      .catch(() => undefined),
  );
  if (kept.success && isCurrent(kept.data)) return kept.data;
  const certificate = await createCertificate();
  await writeFile(file, `${JSON.stringify(certificate, undefined, 2)}\n`, { mode: 0o600 });
  return certificate;
}

/** Clients compare with the machine's time. */
function isCurrent({ cert }: Certificate): boolean {
  const parsed = attempt(() => new X509Certificate(cert));
  return parsed !== undefined && Date.parse(parsed.validTo) > Date.now();
}

async function createCertificate(): Promise<Certificate> {
  const { default: selfsigned } = await import("selfsigned");
  const notAfterDate = new Date();
  notAfterDate.setFullYear(notAfterDate.getFullYear() + YEARS);
  const { private: key, cert } = await selfsigned.generate([{ name: "commonName", value: "localhost" }], {
    keyType: "ec",
    notAfterDate,
    extensions: [
      { name: "basicConstraints", cA: false },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
          { type: 7, ip: "::1" },
        ],
      },
    ],
  });
  return { key, cert };
}
