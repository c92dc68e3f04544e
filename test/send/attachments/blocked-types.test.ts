import { expect, test } from "vitest";
import {
  BLOCK_LISTS,
  blockListOf,
  CARRIERS,
  GMAIL,
  OFFICE_MACROS,
  OUTLOOK,
  SERVICE,
} from "../../../src/send/attachments/blocked-types.js";

test.each(BLOCK_LISTS)("has extensions in lower case without the dot in the list $reason", (list) => {
  for (const extension of list.extensions) expect(extension).toMatch(/^[a-z0-9_-]+$/);
});

test("has every extension of the published lists", () => {
  expect(GMAIL.extensions.size).toBe(54);
  expect(OUTLOOK.extensions.size).toBe(133);
});

test.each([
  ["exe bat js vbs ps1 scr", SERVICE],
  ["ex", GMAIL],
  ["py pl asp aspx cer crt der mdb mda mdw mat tmp pst mht mhtml udl wsb cdxml pssc printerexport xnk", OUTLOOK],
  ["docm dotm xlsm xltm xlam xla pptm potm ppsm ppam ppa sldm vsdm vssm vstm", OFFICE_MACROS],
  ["one onepkg slk", CARRIERS],
])("%s", (extensions, list) => {
  for (const extension of extensions.split(" ")) expect(blockListOf(extension), extension).toBe(list);
});

test("checks archives for the types that the service and Gmail block", () => {
  const blocked = BLOCK_LISTS.flatMap(({ extensions }) => [...extensions]).filter((extension) =>
    blockListOf(extension, { inArchive: true }),
  );
  expect(new Set(blocked)).toEqual(new Set([...SERVICE.extensions, ...GMAIL.extensions]));
});

test.each("pdf docx xlsx pptx xlsb doc xls ppt odt epub zip svg html htm ics eml msg pem p7m csv sql json".split(" "))(
  "does not block %s",
  (extension) => {
    expect(blockListOf(extension)).toBeUndefined();
  },
);
