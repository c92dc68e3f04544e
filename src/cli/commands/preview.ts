import { didYouMean, refuseOtherFlags, UsageError, wholeNumber } from "../arguments.js";
import { storeFlags } from "../outbox/store-flags.js";
import { type CommandWord, defineCommand, exitCode } from "../command.js";

const words = {
  build: {
    summary: "Write the preview as static files to publish or share",
    flags: { out: "Write the files to this folder" },
    examples: ["templates preview build --out review"],
  },
  shot: {
    summary: "Take screenshots of templates and compare them with earlier ones",
    operands: "[names…]",
    flags: {
      out: "Write the screenshots to this folder",
      width: "Widths in pixels (default 390,720)",
      scheme: "Colour schemes: light, dark or both (default light,dark)",
      fixture: "Only this fixture",
      remoteImages: "Load images from other hosts",
      compare: "Compare with the screenshots in this folder; exit with 1 if one differs or is missing",
      threshold: "Percentage of pixels that may differ (default 0)",
    },
    examples: [
      "templates preview shot --out screenshots",
      "templates preview shot receipt --out after --compare before --threshold 0.1",
    ],
  },
} as const satisfies Readonly<Record<string, CommandWord>>;

type Word = keyof typeof words | "serve";

/** The flags that each subcommand accepts; without a subcommand, the page is served. */
const flagsOf: Readonly<Record<Word, readonly string[]>> = {
  serve: ["port", "host", "allowedHost", "open", "store", "schema"],
  build: Object.keys(words.build.flags),
  shot: Object.keys(words.shot.flags),
};

export const command = defineCommand({
  operands: "[build|shot [names…]]",
  flags: {
    port: { summary: "Listen on this port (default: the last one used, 4690 or a free one)", value: "N" },
    host: { summary: "Listen on this address (default 127.0.0.1)", value: "H" },
    allowedHost: {
      summary: "Also allow requests for this host name, such as a tunnel's; .NAME includes subdomains",
      value: "NAME",
      many: true,
    },
    open: { summary: "Open the preview in a browser" },
    ...storeFlags("for the page's outbox"),
    out: { summary: "build, shot: write the files or screenshots to this folder", value: "DIR" },
    width: { summary: "shot: widths in pixels (default 390,720)", value: "N,N" },
    scheme: { summary: "shot: colour schemes: light, dark or both (default light,dark)", value: "S,S" },
    fixture: { summary: "shot: only this fixture", value: "F", many: true },
    remoteImages: { summary: "shot: load images from other hosts" },
    compare: {
      summary: "shot: compare with the screenshots in this folder; exit with 1 if one differs or is missing",
      value: "DIR",
    },
    threshold: { summary: "shot: percentage of pixels that may differ (default 0)", value: "N" },
  },
  examples: [
    "templates preview --open",
    "templates preview --host 0.0.0.0 --allowed-host devbox.example.com",
    ...words.build.examples,
    ...words.shot.examples,
  ],
  words,
  async run({ names: [name, ...names], flags, output, signal }) {
    const word = name ?? "serve";
    if (name === "serve" || !isWord(word)) throw unknownWord(word);
    checkFlags(word, names, flags);
    if (word === "build") return (await import("../preview/copy.js")).buildCopy(flags, output);
    if (word === "shot") return (await import("../preview/shot.js")).takeScreenshots(names, flags, output, signal);

    const port = wholeNumber("--port", flags.port, 0, 65_535);
    const [{ servePreview }, { printUrls }] = await Promise.all([
      import("../preview/serve.js"),
      import("../preview/preview-urls.js"),
    ]);
    await servePreview({
      flags,
      store: flags,
      host: flags.host,
      allowedHosts: flags.allowedHost,
      port,
      open: flags.open,
      isSynced: false,
      output,
      signal,
      onListening(urls) {
        printUrls(output, "Preview at ", urls);
        output.json({ url: urls[0].url, urls });
        output.note("Press Ctrl-C to stop.");
      },
    });
    return exitCode.done;
  },
});

function isWord(text: string): text is Word {
  return Object.hasOwn(flagsOf, text);
}

function unknownWord(word: string): UsageError {
  return new UsageError(`"templates preview" has no subcommand "${word}".`, {
    hint:
      didYouMean(word, ["build", "shot"], ": templates preview ") ??
      "Run it without arguments to serve all templates. The subcommands are build and shot.",
  });
}

function checkFlags(word: Word, names: readonly string[], flags: Readonly<Record<string, unknown>>): void {
  const usage = word === "serve" ? "templates preview" : `templates preview ${word}`;
  refuseOtherFlags(usage, word, flagsOf, flags);
  if (word === "build" && names.length > 0)
    throw new UsageError(`"${usage}" does not accept names: it copies all templates.`);
}
