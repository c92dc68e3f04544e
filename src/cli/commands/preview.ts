import { nearest } from "../../nearest.js";
import { kebab, UsageError, wholeNumber } from "../arguments.js";
import { type CommandWord, defineCommand, exitCode } from "../command.js";

const words = {
  build: {
    summary: "Write the page as files that need no server, to publish or to pass on",
    flags: { out: "Write them here" },
    examples: ["templates preview build --out review"],
  },
  shot: {
    summary: "Take pictures of templates, and compare them with others",
    operands: "[names…]",
    flags: {
      out: "Write the pictures here",
      width: "Widths in pixels (default 390,720)",
      scheme: "light, dark or both (default light,dark)",
      fixture: "Only this fixture",
      remoteImages: "Fetch the images of other hosts, too",
      compare: "Compare with the pictures here; exit code 1 where one differs or is gone",
      threshold: "Share of pixels that may differ, in percent (default 0)",
    },
    examples: [
      "templates preview shot --out pictures",
      "templates preview shot receipt --out after --compare before --threshold 0.1",
    ],
  },
} as const satisfies Readonly<Record<string, CommandWord>>;

type Word = keyof typeof words | "serve";

/** The flags that each of the command's words takes; without a word, it serves the page. */
const flagsOf: Readonly<Record<Word, readonly string[]>> = {
  serve: ["port", "host", "allowedHost", "open"],
  build: Object.keys(words.build.flags),
  shot: Object.keys(words.shot.flags),
};

export const preview = defineCommand({
  summary: "Open the page that shows every template with every fixture, live",
  operands: "[build|shot [names…]]",
  flags: {
    port: { summary: "Listen on this port (default: the last one, 4690 or a free one)", value: "N" },
    host: { summary: "Listen on this address (default 127.0.0.1)", value: "H" },
    allowedHost: {
      summary: "Also answer to this host name, such as a tunnel's; .NAME includes all names below it",
      value: "NAME",
      many: true,
    },
    open: { summary: "Open the page in the browser" },
    out: { summary: "build, shot: write the page's copy, or the pictures, here", value: "DIR" },
    width: { summary: "shot: widths in pixels (default 390,720)", value: "N,N" },
    scheme: { summary: "shot: light, dark or both (default light,dark)", value: "S,S" },
    fixture: { summary: "shot: only this fixture", value: "F", many: true },
    remoteImages: { summary: "shot: fetch the images of other hosts, too" },
    compare: {
      summary: "shot: compare with the pictures here; exit code 1 where one differs or is gone",
      value: "DIR",
    },
    threshold: { summary: "shot: share of pixels that may differ, in percent (default 0)", value: "N" },
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
    if (word === "shot") return (await import("../preview/shot.js")).takePictures(names, flags, output, signal);

    const port = wholeNumber("--port", flags.port, 0, 65_535);
    const [{ servePreview }, { printUrls }] = await Promise.all([
      import("../preview/serve.js"),
      import("../preview/preview-urls.js"),
    ]);
    await servePreview({
      flags,
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
        output.note("Ctrl-C ends it.");
      },
    });
    return exitCode.done;
  },
});

function isWord(text: string): text is Word {
  return Object.hasOwn(flagsOf, text);
}

function unknownWord(word: string): UsageError {
  const near = nearest(word, ["build", "shot"]);
  return new UsageError(`"templates preview" does not know "${word}".`, {
    hint:
      near === undefined
        ? "It opens all templates; it knows build and shot besides."
        : `Did you mean: templates preview ${near}?`,
  });
}

/** A flag that is not heeded would be a promise that is not kept. */
function checkFlags(word: Word, names: readonly string[], flags: Readonly<Record<string, unknown>>): void {
  const command = word === "serve" ? "templates preview" : `templates preview ${word}`;
  const taken = flagsOf[word];
  const wrong = [...new Set(Object.values(flagsOf).flat())].find(
    (name) => !taken.includes(name) && isGiven(flags[name]),
  );
  if (wrong !== undefined) throw new UsageError(`"${command}" does not take --${kebab(wrong)}.`);
  if (word === "build" && names.length > 0) throw new UsageError(`"${command}" takes no names: it copies all of them.`);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}
