// @ts-check
/* A bare smtp-server that writes each message to the disk before it answers; smtp.mjs runs it in a separate process. */
import { open } from "node:fs/promises";
import path from "node:path";
import { SMTPServer } from "smtp-server";

const folder = process.argv[2] ?? "";
let count = 0;

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  disableReverseLookup: true,
  onData(stream, _session, answer) {
    receive(stream).then(
      () => answer(),
      (error) => answer(error),
    );
  },
});

/** @param {import("node:stream").Readable} stream */
async function receive(stream) {
  const source = Buffer.concat(await stream.toArray());
  const file = await open(path.join(folder, `${(count += 1)}.eml`), "w");
  try {
    await file.writeFile(source);
    await file.datasync();
  } finally {
    await file.close();
  }
}

server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  process.send?.(`smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`);
});
process.on("message", (total) => process.send?.(total));
process.on("disconnect", () => process.exit());
