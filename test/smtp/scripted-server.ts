import { once as event } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** The points of a dialogue: before the greeting, at each command, in the message, and after its end. */
export const STAGES = ["CONN", "EHLO", "MAIL", "RCPT", "DATA", "body", "end"] as const;
export type Stage = (typeof STAGES)[number];

export interface Script {
  /**
   * What happens at a stage, by the number of the connection from 1: a response, or `cut` to break the connection.
   * Default: the usual response.
   */
  readonly at?: (stage: Stage, connection: number, argument: string) => string | undefined;
  readonly extensions?: readonly string[];
}

/** Does something at one stage of the first connection. */
export const once =
  (stage: Stage, response: string): Script["at"] =>
  (at, connection) =>
    at === stage && connection === 1 ? response : undefined;

export interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
  readonly messageId: string;
}

const USUAL: Readonly<Record<Stage, string>> = {
  CONN: "220 test",
  EHLO: "250 test",
  MAIL: "250 OK",
  RCPT: "250 OK",
  DATA: "354 Go",
  body: "",
  end: "250 OK",
};

const END = "\r\n.\r\n";

/**
 * An SMTP server without TLS that follows a script. `got` has every message whose end it received. It is closed after
 * the test, unless it is for all tests of a file.
 */
export async function scriptedServer(
  { at = () => undefined, extensions = [] }: Script = {},
  use: "test" | "all tests" = "test",
) {
  const got: Mail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer((socket) => {
    const number = (connections += 1);
    sockets.add(socket.on("close", () => sockets.delete(socket)).on("error", () => undefined));
    let [text, from, to]: [string, string, string[]] = ["", "", []];
    let isMessage = false;
    const play = (stage: Stage, argument = "", response = at(stage, number, argument) ?? USUAL[stage]): boolean => {
      if (response === "cut") socket.destroy();
      else if (stage === "EHLO" && response === USUAL.EHLO)
        socket.write(
          ["test", ...extensions].map((line, i) => `250${i < extensions.length ? "-" : " "}${line}\r\n`).join(""),
        );
      else if (response !== "") socket.write(`${response}\r\n`);
      return response.startsWith("2") || response.startsWith("3");
    };
    play("CONN");
    const takeMessage = (): boolean => {
      if (text.length > 0 && at("body", number, "") === "cut") socket.destroy();
      const end = text.indexOf(END);
      if (end === -1 || socket.destroyed) return false;
      const source = text.slice(0, end);
      text = text.slice(end + END.length);
      isMessage = false;
      const response = at("end", number, "") ?? USUAL.end;
      // A server that breaks off after the end has the message.
      if (response === "cut" || response.startsWith("2"))
        got.push({ from, to, source, messageId: /^Message-ID: (.*)$/im.exec(source)?.[1]?.trim() ?? "" });
      play("end", "", response);
      [from, to] = ["", []];
      return true;
    };
    const takeCommand = (): boolean => {
      const line = text.indexOf("\r\n");
      if (line === -1 || socket.destroyed) return false;
      const command = text.slice(0, line);
      text = text.slice(line + "\r\n".length);
      commands.push(command);
      const argument = /<(.*)>/.exec(command)?.[1] ?? "";
      const verb = command.slice(0, 4).toUpperCase();
      if (verb === "EHLO") play("EHLO");
      else if (verb === "MAIL") from = play("MAIL") ? argument : "";
      else if (verb === "RCPT") to = play("RCPT", argument) ? [...to, argument] : to;
      else if (verb === "DATA" && to.length === 0 && at("DATA", number, "") === undefined)
        socket.write("503 No recipients\r\n");
      else if (verb === "DATA") isMessage = play("DATA");
      else if (verb === "AUTH") socket.write("235 OK\r\n");
      else if (verb === "QUIT") socket.end("221 Bye\r\n");
      else socket.write("250 OK\r\n");
      return true;
    };
    let tail = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      text += chunk;
      const recent = tail + chunk;
      tail = recent.slice(-END.length);
      // Searching all of a large message again with each chunk would take seconds.
      if (isMessage && !recent.includes(END) && at("body", number, "") !== "cut") return;
      while (isMessage ? takeMessage() : takeCommand());
    });
  });
  server.listen(0, "127.0.0.1");
  await event(server, "listening");
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  if (use === "test") onTestFinished(close);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { got, commands, port, close, connections: () => connections };
}
