import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where the files of tests that flush them all the time are: in memory, where the system has a folder for that. */
export const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
