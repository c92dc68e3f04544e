/*
 * An application's process that sends with keys, as the handlers of a job queue do, for a test that kills it:
 * `node send-with-keys.mjs OPTIONS NAME WORKS`, with the mailer's options as JSON. It prints the result of each call on a line: the
 * key, then the Message-ID or the error's code.
 */
import { createMailer } from "../../../dist/send/index.js";

const [options = "", name = "", works = ""] = process.argv.slice(2);
const mailer = createMailer(JSON.parse(options));
if (works === "works") mailer.work();

const message = (key) => ({ to: "ada@example.com", subject: key, text: key, key });
const print = (...words) => void process.stdout.write(`${words.join(" ")}\n`);

async function send(key, delivery) {
  try {
    const { messageId } = await mailer.sendMessage({ ...message(key), ...delivery });
    print(key, messageId);
  } catch (error) {
    if (error.code === undefined) process.stderr.write(`${error.stack}\n`);
    print(key, error.code);
  }
}

/** Jobs that every process tries repeatedly. */
async function shared() {
  for (;;) await send(`shared-${Math.floor(Math.random() * 100)}`, { maxWait: 1_000 });
}

/** Jobs that no other process tries, each only once: one of them is given up before it is sent, or at about that time. */
async function own(lane) {
  for (let number = 0; ; number += 1) {
    const milliseconds = lane === 1 ? Math.ceil(Math.random() * 15) : 5_000;
    await send(`own-${name}-${lane}-${number}`, { signal: AbortSignal.timeout(milliseconds) });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

print("ready", process.pid);
void shared();
void shared();
for (const lane of [1, 2, 3]) void own(lane);
