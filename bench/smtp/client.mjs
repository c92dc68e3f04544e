// @ts-check
import { once } from "node:events";
import { connect } from "node:net";

/** A connection that sends emails with pipelined commands and as little work as possible. @param {number} port */
export async function connectTo(port) {
  const socket = connect({ host: "127.0.0.1", port, noDelay: true });
  let received = "";
  /** @type {() => void} */
  let arrived = () => {};
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
    arrived();
  });
  /** Waits for responses, the last of which must have this code. @param {number} count @param {string} code */
  const expect = async (count, code) => {
    for (;;) {
      const lines = received.split("\r\n").filter((line) => /^\d{3} /.test(line));
      if (lines.length >= count) {
        received = "";
        if (lines.at(-1)?.startsWith(code)) return;
        throw new Error(`The server responded with ${lines.at(-1)}`);
      }
      await new Promise((resolve) => (arrived = () => resolve(undefined)));
    }
  };
  await expect(1, "220");
  socket.write("EHLO client.example\r\n");
  await expect(1, "250");
  return {
    /** @param {string} to @param {Buffer} message Ends with the final dot. */
    async send(to, message) {
      socket.write(`MAIL FROM:<bob@shop.example>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
      await expect(3, "354");
      socket.write(message);
      await expect(1, "250");
    },
    async close() {
      socket.end("QUIT\r\n");
      await once(socket, "close");
    },
  };
}
