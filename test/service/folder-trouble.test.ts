import { expect, test } from "vitest";
import { folderProblem } from "../../src/service/folder.js";

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: mkdir '/data'`), { code });
}

test.each([
  ["EROFS", "it is on a read-only disk"],
  ["EACCES", "this user has no permission to write there"],
  ["EPERM", "this user has no permission to write there"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota of this user is used up"],
  ["ENOTDIR", "a part of its path is a file, not a folder"],
])("%s is about the data folder", (code, reason) => {
  expect(folderProblem(systemError(code))).toBe(reason);
});

test.each([systemError("EADDRINUSE"), new Error("EROFS"), "EROFS"])("%s is not", (error) => {
  expect(folderProblem(error)).toBeUndefined();
});
