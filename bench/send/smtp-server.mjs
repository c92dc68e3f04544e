// @ts-check
// A bare SMTP server that reads every message and forgets it; smtp.mjs runs it in a separate process.
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData(stream, _session, done) {
    stream.resume().on("end", () => done());
  },
});
server.on("error", () => undefined);
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  process.send?.(typeof address === "object" ? `smtp://127.0.0.1:${address?.port}` : "");
});
process.on("disconnect", () => process.exit());
