import { readFile } from "node:fs/promises";
import path from "node:path";
import { attempt } from "../../files.js";
import { isRecord } from "../../values.js";
import type { WriteFile } from "./fixtures/write-file.js";

export interface Preferences {
  /** Whether images of other hosts are shown. */
  readonly remoteImages: boolean;
  /** The port on which the preview last listened. */
  readonly port?: number;
}

/** The preview's settings for a project, stored in `.lettershop/preview.json`. */
export class PreferenceFile {
  readonly #file: string;
  readonly #write: WriteFile;
  #last: Promise<unknown> = Promise.resolve();

  constructor(dataFolder: string, write: WriteFile) {
    this.#write = write;
    this.#file = path.join(dataFolder, "preview.json");
  }

  /** Missing and invalid values get their defaults. */
  async read(): Promise<Preferences> {
    const text = await readFile(this.#file, "utf8").catch(() => "");
    const content: unknown = attempt(() => JSON.parse(text));
    const { remoteImages, port } = isRecord(content) ? content : {};
    return {
      remoteImages: remoteImages === true,
      ...(typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536 && { port }),
    };
  }

  async change(change: Partial<Preferences>): Promise<void> {
    const write = async () => {
      const text = `${JSON.stringify({ ...(await this.read()), ...change }, null, 2)}\n`;
      await this.#write(this.#file, text, true);
    };
    this.#last = this.#last.then(write, write);
    await this.#last;
  }
}
