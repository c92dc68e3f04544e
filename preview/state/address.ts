import {
  type Pane,
  type View,
  bottomTabs,
  desktop,
  envelopeClients,
  furtherFolders,
  mailParts,
  modes,
  paneFromWords,
  paneToWords,
  paneZoom,
  schemes,
  clamp,
} from "./view.js";

const devices = ["desktop", "phone"] as const;

export const mostPanes = 4;

/** Maximum length of edits in a link, as JSON. Email and chat programs cut off longer links. */
const LONGEST_EDITS = 4_000;

export const startView: View = {
  screen: "template",
  panes: [desktop],
  mode: "rendered",
  right: "form",
  client: "iphone",
};

/** The fragment of a view's URL. Settings with their default value are left out. */
export const hashOf = (view: View): string => {
  const isInbox = view.screen === "inbox";
  const named = isInbox ? view.mail : view.template;
  const path = `/${isInbox ? "inbox" : "templates"}${named ? `/${encode(named)}` : ""}`;
  const usesDefaultPane = view.panes.length === 1 && hasUsualWords(view.panes[0] ?? desktop);
  const members = [
    ["template", isInbox ? view.template : undefined],
    ["mail", isInbox ? undefined : view.mail],
    ["folder", view.folder],
    ["state", view.messageState],
    ["of", view.messageTemplate],
    ["for", view.messageTarget],
    ["part", view.mailPart],
    ["device", view.isMailOnPhone === undefined ? undefined : devices[Number(view.isMailOnPhone)]],
    ["scheme", view.mailScheme],
    ["fixture", view.fixture],
    ["mode", view.mode === startView.mode ? undefined : view.mode],
    ["client", view.client === startView.client ? undefined : view.client],
    ["right", view.right === startView.right ? undefined : (view.right ?? "hidden")],
    ["bottom", view.bottom],
    ["sidebar", view.isSidebarHidden ? "hidden" : undefined],
    ["scale", view.zoom?.toString()],
    ["scroll", view.scrollsApart ? "apart" : undefined],
    ["inspect", view.isInspecting ? "on" : undefined],
    ["place", view.place?.toString()],
    ["file", view.source?.file],
    ["line", view.source?.line?.toString()],
    ["column", view.source?.column?.toString()],
    ["search", view.search],
    ["edited", view.edited],
  ].flatMap(([key, value]) => (key && value ? [`${key}=${encode(value)}`] : []));
  const panes = usesDefaultPane ? [] : view.panes.map((pane) => `pane=${paneToWords(pane).map(encode).join(",")}`);
  const query = [...panes, ...members].join("&");
  return path === "/templates" && query === "" ? "" : `${path}${query && `?${query}`}`;
};

/** Whether the edits fit into a link. */
export const fitsLink = ({ edited = "" }: View): boolean => edited.length <= LONGEST_EDITS;

/** The same as `hashOf`, without edits that are too large for a link. */
export const linkHashOf = (view: View): string => hashOf(fitsLink(view) ? view : { ...view, edited: undefined });

const hasUsualWords = (pane: Pane) => paneToWords(pane).join() === paneToWords(desktop).join();

/** The view of a URL's fragment. Unknown and malformed parts are ignored. */
export const viewOf = (hash: string): View => {
  const text = hash.replace(/^#/, "");
  const mark = text.indexOf("?");
  const [, first, ...rest] = (mark < 0 ? text : text.slice(0, mark)).split("/");
  const query = (mark < 0 ? "" : text.slice(mark + 1)).split("&").map(pairOf);
  const value = (key: string) => {
    const pair = query.find(([name, raw]) => name === key && raw !== "");
    return pair && decode(pair[1]);
  };
  const screen = first === "inbox" ? "inbox" : startView.screen;
  const named = decode(rest.join("/"));
  const panes = query.flatMap(([key, raw]) =>
    key === "pane" ? [paneFromWords(raw.split(",").map((word) => decode(word) ?? ""))] : [],
  );
  const device = oneOf(devices, value("device"));
  const file = value("file");
  const right = value("right");
  return compact({
    screen,
    template: screen === "template" ? named : value("template"),
    mail: screen === "inbox" ? named : value("mail"),
    folder: oneOf(furtherFolders, value("folder")),
    messageState: value("state"),
    messageTemplate: value("of"),
    messageTarget: value("for"),
    mailPart: oneOf(mailParts, value("part")),
    isMailOnPhone: device === undefined ? undefined : device === "phone",
    mailScheme: oneOf(schemes, value("scheme")),
    fixture: value("fixture"),
    panes: panes.length === 0 ? startView.panes : panes.slice(0, mostPanes),
    mode: oneOf(modes, value("mode")) ?? startView.mode,
    client: oneOf(envelopeClients, value("client")) ?? startView.client,
    right: right === "hidden" ? undefined : (oneOf(["form", "json"] as const, right) ?? startView.right),
    bottom: oneOf(bottomTabs, value("bottom")),
    isSidebarHidden: value("sidebar") === "hidden" || undefined,
    zoom: zoomOf(value("scale")),
    scrollsApart: value("scroll") === "apart" || undefined,
    isInspecting: value("inspect") === "on" || undefined,
    place: count(value("place")),
    source: file ? compact({ file, line: count(value("line")), column: count(value("column")) }) : undefined,
    search: value("search"),
    edited: value("edited"),
  });
};

const pairOf = (pair: string): readonly [string, string] => {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
};

const oneOf = <Word extends string>(words: readonly Word[], text: string | undefined): Word | undefined =>
  words.find((word) => word === text);

const count = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

/** Links of earlier versions have `full` for 100. */
const zoomOf = (text: string | undefined): number | undefined => {
  const zoom = text === "full" ? 100 : count(text);
  return zoom === undefined ? undefined : clamp(zoom, paneZoom);
};

/** A lone surrogate cannot be encoded in a URL. */
const encode = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd")).replace(/%(?:2F|3A|40)/g, decodeURIComponent);

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text) || undefined;
  } catch {
    return undefined;
  }
};

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

/** Drops undefined members, which JSON does not have. */
const compact = <Value extends object>(value: Value): Defined<Value> => {
  const kept: Defined<Value> = JSON.parse(JSON.stringify(value));
  return kept;
};

/**
 * Applies a change. Members that are set to undefined are removed, and so are members that belonged to the previous
 * template or fixture.
 */
export const applyChange = (view: View, change: Partial<View>): View => {
  const isOtherTemplate = "template" in change && change.template !== view.template;
  const isOtherFixture = isOtherTemplate || ("fixture" in change && change.fixture !== view.fixture);
  const next: Partial<View> = {
    ...view,
    ...(isOtherFixture && { edited: undefined, place: undefined }),
    ...(isOtherTemplate && {
      fixture: undefined,
      source: undefined,
      panes: view.panes.map((pane) => ({ ...pane, fixture: undefined })),
    }),
    ...change,
  };
  const { screen, panes, mode, client } = startView;
  return {
    screen,
    panes,
    mode,
    client,
    ...Object.fromEntries(Object.entries(next).filter(([, member]) => member !== undefined)),
  };
};
