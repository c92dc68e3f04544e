import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyChange, hashOf, linkHashOf, startView, viewOf } from "../../../preview/state/address.js";
import {
  bottomTabs,
  envelopeClients,
  mailParts,
  modes,
  desktop,
  type Pane,
  paneTextSize,
  paneWidth,
  schemes,
  type View,
} from "../../../preview/state/view.js";

const words = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !/\p{Surrogate}/u.test(text));
const position = fc.nat({ max: 999_999_999 });

/** An environment's version or a commit's, never both. */
const versions = fc.oneof(fc.constant({}), fc.record({ deployedTo: words }), fc.record({ commit: words }));

const ways: fc.Arbitrary<Pane> = fc.record(
  {
    width: fc.integer({ min: paneWidth.least, max: paneWidth.most }),
    scheme: fc.constantFrom(...schemes),
    areImagesBlocked: fc.boolean(),
    textSize: fc.integer({ min: paneTextSize.least, max: paneTextSize.most }),
    isRightToLeft: fc.boolean(),
    fixture: words,
    locale: words,
    timeZone: words,
  },
  { requiredKeys: ["width", "scheme", "areImagesBlocked", "textSize", "isRightToLeft"] },
);

const panes: fc.Arbitrary<Pane> = fc.tuple(ways, versions).map(([way, version]) => ({ ...way, ...version }));

const views: fc.Arbitrary<View> = fc.record(
  {
    screen: fc.constantFrom("template", "inbox"),
    template: words,
    folder: fc.constantFrom("forwarded", "outbox"),
    mail: words,
    messageState: words,
    messageTemplate: words,
    messageTarget: words,
    fixture: words,
    panes: fc.array(panes, { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom(...modes),
    mailPart: fc.constantFrom(...mailParts),
    isMailOnPhone: fc.boolean(),
    mailScheme: fc.constantFrom(...schemes),
    source: fc.record({ file: words, line: position, column: position }, { requiredKeys: ["file"] }),
    bottom: fc.constantFrom(...bottomTabs),
    right: fc.constantFrom("form", "json"),
    isSidebarHidden: fc.constant(true),
    zoom: fc.integer({ min: 25, max: 400 }),
    scrollsApart: fc.constant(true),
    isInspecting: fc.constant(true),
    search: words,
    client: fc.constantFrom(...envelopeClients),
    place: position,
    edited: words,
  },
  { requiredKeys: ["screen", "panes", "mode", "client"] },
);

test("a view is restored completely from its URL", () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(viewOf(`#${hashOf(view)}`)).toEqual(view);
    }),
  );
});

test("a link leaves out edits that are too large", () => {
  const view = { ...startView, template: "receipt" };
  const links = (edited: string) => linkHashOf({ ...view, edited }) === hashOf({ ...view, edited });
  expect(links(JSON.stringify({ name: "Ada" }))).toBe(true);
  const edited = JSON.stringify({ name: "Ada".repeat(2000) });
  expect(links(edited)).toBe(false);
  expect(linkHashOf({ ...view, edited })).toBe("/templates/receipt");
});

test("a URL contains nothing that a browser would escape", () => {
  fc.assert(
    fc.property(views, (view) => {
      const address = `http://127.0.0.1/#${hashOf(view)}`;
      expect(new URL(address).href).toBe(address);
    }),
  );
});

test("every URL gives a view, and the view's own URL gives the same view", () => {
  const parts = fc.constantFrom(
    "/templates/",
    "/inbox",
    "?",
    "&",
    "pane=",
    "375",
    ",",
    "dark",
    "%",
    "%zz",
    "text:",
    "=",
    "mode=",
  );
  const addresses = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.oneof(parts, fc.string())).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(addresses, (address) => {
      const view = viewOf(address);
      expect(view.panes.length).toBeGreaterThan(0);
      expect(view.panes.length).toBeLessThanOrEqual(4);
      expect(viewOf(hashOf(view))).toEqual(view);
    }),
  );
});

test("the plain URL shows one light desktop pane and needs no hash", () => {
  expect(viewOf("")).toEqual(startView);
  expect(hashOf(startView)).toBe("");
  expect(startView.panes).toEqual([{ ...desktop, width: 800, scheme: "light" }]);
});

test("URLs are readable", () => {
  const view: View = {
    ...startView,
    template: "receipt",
    mode: "html",
    bottom: "problems",
    panes: [desktop, { ...desktop, width: 375, scheme: "dark", locale: "de-CH", timeZone: "Europe/Zurich" }],
  };
  expect(hashOf(view)).toBe(
    "/templates/receipt?pane=800&pane=375,dark,locale:de-CH,zone:Europe/Zurich&mode=html&bottom=problems",
  );
});

test("malformed parts fall back to their defaults, the rest stays", () => {
  const view = viewOf(
    "#/templates/receipt?mode=shiny&pane=9e9,purple,text:x&pane=99999&place=-1&bottom=links&line=3&%zz=%zz",
  );
  expect(view).toEqual({
    ...startView,
    template: "receipt",
    bottom: "links",
    panes: [desktop, { ...desktop, width: paneWidth.most }],
  });
});

test("a link of an earlier version opens at full size, and zoom stays within its limits", () => {
  expect(viewOf("#/templates/receipt?scale=full").zoom).toBe(100);
  expect(viewOf("#/templates/receipt?scale=9000").zoom).toBe(400);
  expect(viewOf("#/templates/receipt?scale=large")).not.toHaveProperty("zoom");
});

test("another template keeps only settings that are not about the previous one", () => {
  const view: View = {
    ...startView,
    template: "receipt",
    fixture: "long",
    edited: "{}",
    place: 3,
    source: { file: "receipt.mjml" },
    bottom: "links",
    panes: [{ ...desktop, width: 375, fixture: "empty" }],
  };
  expect(applyChange(view, { template: "welcome" })).toEqual({
    ...startView,
    template: "welcome",
    bottom: "links",
    panes: [{ ...desktop, width: 375 }],
  });
  expect(applyChange(view, { fixture: "default" })).toMatchObject({ fixture: "default", source: view.source });
  expect(applyChange(view, { fixture: "default" })).not.toHaveProperty("edited");
  expect(applyChange(view, { bottom: undefined })).not.toHaveProperty("bottom");
});
