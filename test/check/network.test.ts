import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RULES } from "../../src/check/catalogue.js";
import { page, useFindings } from "./findings.js";

/** Every host is here, but for those that are nowhere. */
const lookup: LookupFunction = (host, options, done) => {
  const error = Object.assign(new Error(`getaddrinfo ${host}`), {
    code: host.includes("offline") ? "EAI_AGAIN" : "ENOTFOUND",
  });
  if (host.includes("nowhere") || host.includes("offline")) return done(error, "", 4);
  return options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);
};

const { diagnostics } = useFindings(RULES.filter(({ needsNetwork }) => needsNetwork));

const requests: string[] = [];
let underWay = 0;
let mostUnderWay = 0;

function answer({ method, url = "" }: IncomingMessage, response: ServerResponse): void {
  requests.push(`${method} ${url}`);
  underWay += 1;
  mostUnderWay = Math.max(mostUnderWay, underWay);
  response.on("close", () => (underWay -= 1));
  const send = (status: number, headers: Record<string, string | number> = {}, body = ""): void => {
    response.writeHead(status, headers);
    response.end(method === "HEAD" ? undefined : body);
  };
  const [, route = "", rest = ""] = url.split("/");
  if (route === "status") return send(Number(rest));
  if (route === "no-head") return send(method === "HEAD" ? 405 : 200);
  if (route === "image")
    return send(200, { "content-type": "image/png", "content-length": rest }, "x".repeat(Number(rest)));
  if (route === "unsized") return send(200, { "content-type": "image/png" }, "x".repeat(300_000));
  if (route === "page") return send(200, { "content-type": "text/html; charset=utf-8", "content-length": 2 }, "ok");
  if (route === "moved") return send(302, { location: `http://other.shop.net:${port}/ok` });
  if (route === "within") return send(301, { location: `http://www.fernhill.net:${port}/ok` });
  if (route === "inside") return send(302, { location: "http://192.168.0.1/" });
  if (route === "circle") return send(302, { location: "/circle" });
  if (route === "silent") return;
  if (route === "slow") return void setTimeout(() => send(200), 50);
  send(200);
}

const server = createServer(answer);
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
beforeEach(() => {
  requests.length = 0;
  mostUnderWay = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const address = (path: string, host = "fernhill.net"): string => `http://${host}:${port}${path}`;
const link = (path: string, host?: string): string => `<p>a</p>\n<a href="${address(path, host)}">Open</a>`;
const image = (path: string): string => `<p>a</p>\n<img alt="" src="${address(path)}">`;

async function found(body: string, network = true, timeoutMs = 60_000): Promise<string[]> {
  const all = await diagnostics({ "x.html": page(body) }, { settings: { network, probing: { lookup, timeoutMs } } });
  return all.map(({ rule, severity, at, message }) => {
    const shown = message.replaceAll(`:${port}`, "");
    return `${rule} ${severity} ${at?.line}:${at?.column} ${shown}`;
  });
}

describe("with the network", () => {
  it("requests nothing unless allowed", async () => {
    expect(await found(link("/status/404"), false)).toEqual([]);
    expect(requests).toEqual([]);
  });

  it.each(["/", "/ok#part", "/no-head", "/status/401", "/status/403", "/status/429", "/within", "/page"])(
    "accepts the link %s",
    async (path) => {
      expect(await found(link(path))).toEqual([]);
    },
  );

  it.each(["/image/9000"])("accepts the image %s", async (path) => {
    expect(await found(image(path))).toEqual([]);
  });

  it("skips URLs with tags, private hosts and example domains", async () => {
    const others = [
      "http://127.0.0.1:1/",
      "https://a.example/",
      "https://example.com/",
      "mailto:a@b.c",
      address("/{{id}}"),
    ];
    expect(await found(others.map((other) => `<a href="${other}">Open</a>`).join(""))).toEqual([]);
    expect(requests).toEqual([]);
  });

  it.each([
    [
      link("/status/404"),
      "dead-address error 15:4 http://fernhill.net/status/404 can't be opened: its server responds with 404.",
    ],
    [
      link("/status/500"),
      "dead-address warning 15:4 http://fernhill.net/status/500 can't be opened: its server responds with 500.",
    ],
    [
      image("/status/403"),
      "dead-address warning 15:13 http://fernhill.net/status/403 can't be opened: its server responds with 403.",
    ],
    [
      link("/circle"),
      "dead-address error 15:4 http://fernhill.net/circle can't be opened: it redirects more than 5 times.",
    ],
    [
      link("/inside"),
      "dead-address error 15:4 http://fernhill.net/inside can't be opened: it redirects to 192.168.0.1, which is not reachable from outside.",
    ],
    [
      link("/moved"),
      "redirected-address info 15:4 http://fernhill.net/moved redirects to http://other.shop.net/ok, which is another site.",
    ],
    [
      image("/page"),
      "image-content-type error 15:13 http://fernhill.net/page is not an image: its content type is text/html.",
    ],
    [
      image("/image/250000"),
      "image-weight info 15:13 http://fernhill.net/image/250000 is 250 kB, which takes long to load on a phone.",
    ],
    [
      image("/unsized"),
      "image-weight info 15:13 http://fernhill.net/unsized is 300 kB, which takes long to load on a phone.",
    ],
    [
      image("/image/1500000"),
      "image-weight warning 15:13 http://fernhill.net/image/1500000 is 1.5 MB, which takes long to load on a phone.",
    ],
  ])("finds %#", async (body, expected) => {
    // The addresses in the table have no port yet.
    expect(await found(body.replaceAll("fernhill.net:0", `fernhill.net:${port}`))).toEqual([expected]);
  });

  it("gives up on a silent server after the timeout", async () => {
    expect(await found(link("/silent"), true, 1000)).toEqual([
      "dead-address warning 15:4 http://fernhill.net/silent can't be opened: it did not respond within 1 s.",
    ]);
  });

  it("adds up the images of a template", async () => {
    const all = Array.from({ length: 6 }, (_, index) => image(`/image/${190_000 + index}`)).join("\n");
    expect(await found(all)).toEqual([
      "image-weight warning undefined:undefined The 6 images together are 1.1 MB, which takes long to load on a phone.",
    ]);
  });

  it("reports a host that does not exist, if others do", async () => {
    expect(await found(link("/ok") + link("/x", "nowhere.net"))).toEqual([
      "dead-address error 16:4 http://nowhere.net/x can't be opened: its host does not exist.",
    ]);
  });

  it("reports a missing network instead of dead links", async () => {
    expect(await found(link("/x", "offline.net") + link("/y", "offline2.net"))).toEqual([
      "network-unavailable warning undefined:undefined None of 2 links and images could be opened, for example http://offline.net/x: its host name could not be looked up. They were not checked.",
    ]);
  });

  it("requests each URL once, and a few at the same time", async () => {
    const slow = Array.from({ length: 12 }, (_, index) => link(`/slow/${index}`));
    expect(await found([...slow, ...slow].join(""))).toEqual([]);
    expect(requests).toHaveLength(12);
    expect(mostUnderWay).toBeGreaterThan(1);
    expect(mostUnderWay).toBeLessThanOrEqual(8);
  });
});
