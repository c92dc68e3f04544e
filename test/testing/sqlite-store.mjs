import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "../../dist/send/clock.js";
import { openMailStore } from "../../dist/send/store/sqlite.js";

/** Opens a store in a file of the folder for temporary files. */
export default (name) => openMailStore(path.join(tmpdir(), "lettershop-stores", `${name}.db`), systemClock);
