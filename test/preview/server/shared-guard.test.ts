import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { html, type Preview, PreviewedProject } from "./harness.js";

const json = { "content-type": "application/json" };
const opening = {
  accept: "text/html,application/xhtml+xml,*/*;q=0.8",
  "sec-fetch-site": "cross-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

const project = new PreviewedProject(html("hi"), afterAll);
let preview: Preview;
/** The cookie that a browser keeps after it has opened the printed URL. */
let cookie: string;

beforeAll(async () => {
  preview = await project.preview({ allowedHosts: ["devbox", ".example.com"] });
  cookie = await cookieOf(preview);
});

async function cookieOf(from: Preview): Promise<string> {
  const { search } = new URL(from.running.url);
  const { headers } = await from.ask(`/${search}`, { headers: opening });
  return [headers["set-cookie"]].flat()[0]?.replace(/;.*/, "") ?? "";
}

type Headers = Readonly<Record<string, string>>;

async function statusOf(headers: Headers, path = "/api/inbox"): Promise<number> {
  return (await preview.ask(path, { headers: { cookie, ...headers } })).status;
}

function save(headers: Headers) {
  const body = JSON.stringify({ input: { name: "Eve" }, overwrite: true, dryRun: true });
  return preview.ask("/api/templates/hi/fixtures/new", {
    method: "PUT",
    headers: { ...json, cookie, ...headers },
    body,
  });
}

describe("the token", () => {
  it("is removed from the URL and kept as a cookie that no script can read and no other site can send", async () => {
    const { search } = new URL(preview.running.url);
    expect(search).toMatch(/^\?token=[\w-]{32}$/);
    const { status, headers, text } = await preview.ask(`/${search}`, { headers: opening });
    expect([status, headers["location"], text]).toEqual([303, "./", ""]);
    const set = String(headers["set-cookie"]);
    expect(set).toMatch(
      /^lettershop-preview-[0-9a-f]{12}=[\w-]{32}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cache-control"]).toBe("no-store");
    const page = await preview.ask("/", { headers: { ...opening, cookie } });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(search);

    const secure = await preview.ask(`/${search}`, { headers: { ...opening, "x-forwarded-proto": "https" } });
    expect(String(secure.headers["set-cookie"])).toContain("; Secure");
  });

  it("is required for everything, and a missing token is explained", async () => {
    for (const path of ["/", "/app.js", "/licences.txt", "/api/project", "/api/events", "/assets/logo.png", "/nowhere"])
      expect([path, (await preview.ask(path)).status]).toEqual([path, 401]);
    const put = await preview.write("PUT", "/api/templates/hi/fixtures/new", { input: {}, overwrite: true });
    expect(put.status).toBe(401);
    expect(JSON.parse(put.text).error.hint).toContain("that the command printed when it started");
    const page = await preview.ask("/", { headers: opening });
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.text).toContain("that the command printed when it started");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
  });

  it("has to be this preview's own", async () => {
    const [name = "", value = ""] = cookie.split("=");
    const wrong = ["", "x", `${value}x`, value.slice(1), value.toUpperCase(), "a".repeat(100_000).slice(0, 8000)];
    for (const token of wrong) {
      const responses = [
        preview.ask(`/?token=${token}`, { headers: opening }),
        preview.ask("/api/project", { headers: { cookie: `${name}=${token}` } }),
        preview.ask(`/api/project?token=${value}`),
        preview.ask("/api/project", { headers: { authorization: `Bearer ${value}`, cookie: value } }),
      ];
      for (const { status, headers } of await Promise.all(responses)) {
        expect([token, status]).toEqual([token, 401]);
        expect(headers["set-cookie"]).toBeUndefined();
      }
    }
  });

  it("differs between previews: two on different ports of a host neither open nor close each other", async () => {
    const other = await project.preview({ allowedHosts: ["devbox"] });
    const others = await cookieOf(other);
    const request = (each: Preview, value: string) => each.ask("/api/project", { headers: { cookie: value } });
    expect((await request(preview, others)).status).toBe(401);
    expect((await request(other, cookie)).status).toBe(401);
    for (const each of [preview, other]) expect((await request(each, `${others}; a=b; ${cookie}`)).status).toBe(200);
    const [name] = cookie.split("=");
    expect((await request(preview, `${name}=${others.split("=")[1]}`)).status).toBe(401);
  });

  it("is not required if only this machine can send requests", async () => {
    const local = await project.preview();
    expect(local.running.url).not.toContain("token");
    expect(local.running.urls).toEqual([{ kind: "local", url: local.running.url }]);
    const { status, headers } = await local.ask("/?token=x", { headers: opening });
    expect([status, headers["set-cookie"]]).toEqual([200, undefined]);
  });

  it("is required on any other address, even without other host names", async () => {
    const everywhere = await project.preview({ host: "0.0.0.0" });
    expect((await everywhere.ask("/api/project")).status).toBe(401);
    const addresses = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4")
      .map(({ address }) => ({
        kind: "network",
        url: `http://${address}:${everywhere.running.port}/${new URL(everywhere.running.url).search}`,
      }));
    expect(everywhere.running.urls).toEqual([{ kind: "local", url: everywhere.running.url }, ...addresses]);
    for (const { url } of everywhere.running.urls) expect((await fetch(url, { redirect: "manual" })).status).toBe(303);
  });
});

describe("a host", () => {
  it("may be an allowed one, this machine's own, or an IP address, with any port", async () => {
    const hosts = [
      "devbox",
      "DevBox",
      "devbox:4690",
      "devbox:443",
      "example.com",
      "a.b.Example.com:8080",
      "localhost",
      "localhost:1",
      "127.0.0.1:8080",
      "192.168.1.5:4690",
      "[::1]:4690",
      "[fd00::1]",
    ];
    for (const host of hosts) expect([host, await statusOf({ host })]).toEqual([host, 200]);
    for (const host of hosts)
      expect([host, await statusOf({ host: "localhost", "x-forwarded-host": host })]).toEqual([host, 200]);
  });

  it("is refused if its name could be made to point here", async () => {
    const names = [
      "evil.example",
      "devbox.evil.example",
      "evildevbox",
      "devbox.",
      "devbox.:4690",
      "example.com.",
      "evilexample.com",
      "example.com.evil.example:4690",
      "localhost.",
      "a.localhost",
      "127.0.0.1.nip.io",
      "xn--devbox",
    ];
    for (const name of names) {
      expect([name, await statusOf({ host: name })]).toEqual([name, expect.toBeOneOf([400, 421])]);
      expect([name, await statusOf({ "x-forwarded-host": name })]).toEqual([name, 421]);
      expect([name, await statusOf({ "x-forwarded-host": `${name}, devbox` })]).toEqual([name, 421]);
    }
    for (const host of [
      " ",
      "a b",
      "devbox:x",
      "devbox:99999",
      "user@devbox",
      "devbox/",
      "devbox?",
      "[::1",
      "::1",
      "*",
    ]) {
      expect([host, await statusOf({ host })]).toEqual([host, expect.toBeOneOf([400, 401, 421])]);
    }
  });

  it("is also taken from the request target if that is a whole URL", async () => {
    expect(await statusOf({ host: "devbox" }, "http://evil.example/api/project")).toBe(421);
    expect(await statusOf({ host: "evil.example" }, "http://devbox/api/project")).toBe(421);
    expect(await statusOf({ host: "devbox" }, "http://devbox/api/project")).toBe(200);
    const local = await project.preview();
    const { host } = new URL(local.running.url);
    expect((await local.ask(`http://evil.example/api/project`, { headers: { host } })).status).toBe(421);
    for (const target of ["*", "evil.example:80", "devbox"])
      expect([target, await statusLine(`GET ${target} HTTP/1.1\r\nHost: devbox\r\nCookie: ${cookie}`)]).toEqual([
        target,
        expect.not.stringContaining(" 200 "),
      ]);
    expect(await statusLine(`GET /api/inbox HTTP/1.1\r\nHost:\r\nCookie: ${cookie}`)).toContain(" 400 ");
  });

  it("is refused with the flag that allows it, as a page for browsers, whatever its name is", async () => {
    const refused = await preview.ask("/", { headers: { ...opening, host: "review.example:8080" } });
    expect([refused.status, refused.headers["content-type"]]).toEqual([421, "text/html; charset=UTF-8"]);
    expect(refused.text).toContain("<h1>This preview doesn&#39;t accept requests for review.example:8080.</h1>");
    expect(refused.text).toContain("<code>--allowed-host review.example</code>");
    const local = await project.preview();
    const { host } = new URL(local.running.url);
    for (const [name, flag] of [
      ["review.example", "review.example"],
      ["192.168.1.5:4690", "192.168.1.5"],
      ["[fd00::1]:4690", "fd00::1"],
    ] as const) {
      const attempts: readonly Headers[] = [{ host: name }, { host, "x-forwarded-host": name }];
      for (const headers of attempts) {
        const { status, text } = await local.ask("/api/project", { headers });
        expect([name, status]).toEqual([name, 421]);
        expect(JSON.parse(text).error.hint).toContain(`\`--allowed-host ${flag}\``);
      }
    }
    const script = await preview.ask("/", { headers: { ...opening, "x-forwarded-host": "<script>alert(1)</script>" } });
    expect([script.status, script.text.includes("<script>")]).toEqual([400, false]);
  });
});

describe("an origin", () => {
  it("is the page's own behind a proxy that forwards the host, rewrites it, or rewrites both", async () => {
    const passed: readonly Headers[] = [
      { host: "devbox:4690", origin: "http://devbox:4690" },
      { host: "devbox", origin: "https://devbox" },
      { host: "devbox:443", origin: "https://devbox" },
      { host: "localhost:8080", origin: "http://localhost:8080" },
      { host: "127.0.0.1:4690", "x-forwarded-host": "review.example.com", origin: "https://review.example.com" },
      { host: "localhost", "x-forwarded-host": "review.example.com:443", origin: "https://review.example.com" },
      { host: "localhost:4690", "x-forwarded-host": "review.example.com", origin: "https://localhost:4690" },
      { host: "[::1]:4690", origin: "http://[::1]:4690" },
    ];
    for (const headers of passed) {
      const { status, text } = await save({ "sec-fetch-site": "same-origin", ...headers });
      expect([headers, status, text]).toEqual([headers, 200, expect.anything()]);
    }
  });

  it("is refused if it belongs to another page, even with the cookie", async () => {
    const host = "devbox:4690";
    const strangers: readonly Headers[] = [
      { origin: "http://evil.example" },
      { origin: "null" },
      { origin: "" },
      { origin: "http://devbox" },
      { origin: "http://devbox:4691" },
      { origin: "ftp://devbox:4690" },
      { origin: "https://devbox.:4690" },
      { origin: "http://devbox:4690.evil.example" },
      { origin: "http://example.com" },
      { origin: "http://localhost:4690" },
      { origin: "https://evil.example", "x-forwarded-host": "example.com" },
      { origin: "http://devbox:4690", "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of strangers) {
      const { status } = await save({ host, ...headers });
      expect([headers, status]).toEqual([headers, 403]);
    }
    const believed = await save({ host, origin: "https://evil.example", "x-forwarded-host": "evil.example" });
    expect(believed.status).toBe(421);
  });

  it("explains how to configure the proxy", async () => {
    const { text } = await save({ host: "127.0.0.1:4690", origin: "https://review.example.com" });
    expect(JSON.parse(text).error.hint).toContain("forward the browser's Host header");
  });

  it("of a form on another site sends nothing", async () => {
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=a"]) {
      const form = { host: "devbox:4690", origin: "https://evil.example", "content-type": type, ...opening };
      const { status, headers } = await save(form);
      expect([type, status, headers["content-type"]]).toEqual([type, 403, "text/html; charset=UTF-8"]);
      // A browser without Origin and fetch metadata does not send a Lax cookie either.
      const bare = { host: "devbox:4690", "content-type": type, cookie: "" };
      expect([type, (await save(bare)).status]).toEqual([type, 401]);
    }
  });
});

/** Sends requests that no regular client would. */
function statusLine(head: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(preview.running.port, "127.0.0.1", () => socket.end(`${head}\r\nConnection: close\r\n\r\n`));
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("end", () => resolve(text.split("\r\n")[0] ?? ""));
    socket.on("error", reject);
  });
}
