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

test.each(BLOCK_LISTS)("the list $reason has extensions in lower case, without the dot", (list) => {
  for (const extension of list.extensions) expect(extension).toMatch(/^[a-z0-9_-]+$/);
});

test("no extension was lost from a published list", () => {
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

test("archives are checked for what the service and Gmail block", () => {
  const blocked = BLOCK_LISTS.flatMap(({ extensions }) => [...extensions]).filter((extension) =>
    blockListOf(extension, { inArchive: true }),
  );
  expect(new Set(blocked)).toEqual(new Set([...SERVICE.extensions, ...GMAIL.extensions]));
});

test.each("pdf docx xlsx pptx xlsb doc xls ppt odt epub zip svg html htm ics eml msg pem p7m csv sql json".split(" "))(
  "%s is not blocked",
  (extension) => {
    expect(blockListOf(extension)).toBeUndefined();
  },
);
