/**
 * Why recipients can't reach a host, as the end of a sentence; undefined if they can.
 *
 * @example
 * whyPrivate("192.168.1.10"); // "is an address in a private network"
 */
export function whyPrivate(host: string): string | undefined {
  return KINDS.find(([pattern]) => pattern.test(host))?.[1];
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^(?:localhost|.*\.localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|::1|::)$/, "is on the machine that opens it"],
  [
    /^(?:10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2}|169\.254(?:\.\d+){2}|f[cd][0-9a-f]{2}:.*|fe80:.*)$/,
    "is an address in a private network",
  ],
  [/\.(?:local|internal|intranet|lan|corp|home|home\.arpa|localdomain)$/, "is a host in a private network"],
  [/(?:^|\.)(?:test|invalid)$/, "is on a domain that is reserved for tests"],
  [
    /(?:^|\.)(?:ngrok\.io|ngrok\.app|ngrok\.dev|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|localtunnel\.me|serveo\.net|lvh\.me|nip\.io|sslip\.io)$/,
    "is a tunnel to a developer's machine",
  ],
  [/^(?!0x)(?=[\d-]*[a-z])[a-z0-9-]+$/, "is a host name that only a private network knows"],
];
