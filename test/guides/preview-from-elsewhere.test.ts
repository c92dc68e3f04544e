import { readFileSync } from "node:fs";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { htmlTemplate, TestProject } from "../cli/project.js";

const guide = readFileSync(
  fileURLToPath(new URL("../../docs/guides/preview-from-elsewhere.md", import.meta.url)),
  "utf8",
);
const blocks = (language: string) =>
  Array.from(guide.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm")), ([, text = ""]) => text.trim());
const compose: { services: { preview: { command: string } } } = parse(blocks("yaml")[0] ?? "");

/** Each command that starts a preview, with the host that a browser then requests. */
const STARTS: readonly (readonly [host: string, command: string | undefined])[] = [
  ["localhost", blocks("sh")[1]],
  ["localhost:4691", blocks("sh")[2]],
  ["devbox.example.com:4690", blocks("sh")[3]],
  ["localhost:8080", blocks("sh")[4]],
  ["devbox.example.com:8080", blocks("sh")[5]],
  ["192.168.1.5:4690", compose.services.preview.command],
  ["ada-4690.app.github.dev", blocks("sh")[6]],
  ["review.example.com", blocks("sh")[7]],
];

it("each command in the guide starts a preview that responds to its host, and prints the guide's output", async () => {
  expect(blocks("sh")).toHaveLength(8);
  expect(blocks("sh")[0]).toMatch(/^ssh -L 4690:localhost:4690 /);
  const project = new TestProject(htmlTemplate("welcome"));
  for (const [host, command = ""] of STARTS) {
    const args = (/npx templates (.*)/.exec(command)?.[1] ?? "")
      .replace('"$CODESPACE_NAME-4690.$GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN"', "ada-4690.app.github.dev")
      .replace("--port 4690", "--port 0")
      .split(" ");
    const running = project.begin(args);
    await running.printed("Press Ctrl-C to stop.");
    const { port, search } = new URL(/http:\S+/.exec(running.stdout())?.[0] ?? "");
    const isForwarded = search === "";
    const status = await ask(port, `/${search}`, isForwarded ? `${host}:${port}` : host);
    expect([command, status]).toEqual([command, isForwarded ? 200 : 303]);
    running.kill("SIGINT");
    const { stderr } = await running.ended;
    if (isForwarded) continue;
    for (const line of blocks("text")[0]?.split("\n").slice(3) ?? []) expect(stderr).toContain(line);
  }
});

function ask(port: string, path: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
