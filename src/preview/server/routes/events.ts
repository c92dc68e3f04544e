import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import type { PreviewEvent } from "../../contract.js";
import type { RouteContext } from "./context.js";

/** Interval in ms of keep-alive messages, so that proxies do not close the stream. */
const BEAT_MS = 20_000;

/** Sends events to the page, starting with the current project. */
export function eventRoutes({ workspace, access, ending }: RouteContext): Hono {
  return new Hono().get("/events", (c) => {
    // nginx would buffer events until it has several kB.
    c.header("X-Accel-Buffering", "no");
    return streamSSE(c, async (stream) => {
      let last: Promise<unknown> = Promise.resolve();
      // Each event is created when it is sent, so that a later event is never older.
      const sendNext = (make: () => Promise<PreviewEvent>) => {
        last = last
          .then(async () => stream.writeSSE({ data: JSON.stringify(await make()) }))
          .catch(() => stream.abort());
      };
      const send = (event: PreviewEvent) => sendNext(async () => event);
      const sendProject = () => sendNext(async () => ({ kind: "project", project: await workspace.state() }));
      sendProject();
      const ends = [
        workspace.subscribe((event) => (event.kind === "project" ? sendProject() : send(event))),
        access.inbox?.watch({
          mail: (mail) => send({ kind: "mail", mail }),
          deleted: () => send({ kind: "deleted-mails" }),
          reachable: (isReachable, other) => send({ kind: "inbox", isReachable, ...(other && { other }) }),
        }),
      ];
      const beat = setInterval(() => void stream.write(": here\n\n"), BEAT_MS);
      await new Promise<void>((resolve) => {
        stream.onAbort(resolve);
        ends.push(ending.subscribe(resolve));
      });
      clearInterval(beat);
      for (const end of ends) end?.();
    });
  });
}
