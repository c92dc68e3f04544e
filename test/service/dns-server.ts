import { once } from "node:events";
import { createSocket } from "node:dgram";
import { onTestFinished } from "vitest";

const TYPES = { NS: 2, CNAME: 5, MX: 15, TXT: 16 } as const;

/**
 * Records by name and type: `{ "example.com MX": ["10 mx1.example.com"] }`; `"lost"` for a query without a response.
 */
export type Zone = Record<string, readonly string[] | "lost">;

export interface DnsServer {
  /** Its address and port, in the service's format. */
  readonly address: string;
  /** Replaces its records. */
  zone: Zone;
  /** The queries it received, in order. */
  readonly questions: readonly string[];
}

/**
 * A DNS server over UDP on a free loopback port. It is closed after the test, or after the file with vitest's
 * `afterAll` as `atEnd`.
 */
export async function startDnsServer(
  zone: Zone,
  atEnd: (close: () => void) => void = onTestFinished,
): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const questions: string[] = [];
  const server = { zone, questions, address: "" };
  socket.on("message", (query, sender) => {
    const { name, type, end } = readQuestion(query);
    const [typeName] = Object.entries(TYPES).find(([, code]) => code === type) ?? ["?"];
    const key = `${name} ${typeName}`;
    questions.push(key);
    const records = server.zone[key] ?? [];
    if (records === "lost") return;
    const exists = Object.keys(server.zone).some((other) => other.startsWith(`${name} `));
    const answers = records.map((value) => resourceRecord(type, dataOf(typeName, value)));
    const header = Buffer.from(query.subarray(0, 12));
    // A recursive response without an error, or NXDOMAIN.
    header.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), sender.port, sender.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  atEnd(() => void socket.close());
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of the requested name. */
function resourceRecord(type: number, data: Buffer): Buffer {
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, 0]);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: string, value: string): Buffer {
  if (type === "TXT") {
    // Strings of more than 255 bytes are sent in parts.
    const parts = value.match(/.{1,255}/gs) ?? [""];
    return Buffer.concat(parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part)])));
  }
  if (type !== "MX") return hostData(value);
  const [preference, host = ""] = value.split(" ");
  return Buffer.concat([Buffer.from([0, Number(preference)]), hostData(host)]);
}

function hostData(host: string): Buffer {
  return Buffer.concat([
    ...host.split(".").map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}
