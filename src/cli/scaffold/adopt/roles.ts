import path from "node:path";
import { type ESTree, walk } from "../../../process/rolldown.js";
import { type Binding, type Components, type Declared, unwrapped } from "./components.js";
import { type ElementInModule, propertiesSetOn } from "./example-props.js";
import type { SourceModule } from "./source-modules.js";

export type Role =
  | { readonly kind: "emails"; readonly emails: readonly EmailComponent[]; readonly hasDefault: boolean }
  | { readonly kind: "part"; readonly why: string }
  | { readonly kind: "unclear"; readonly why: string };

export interface EmailComponent {
  readonly exportName: string;
  readonly component: Declared;
  /** What the user should know about it. */
  readonly note?: string;
  /** The element that previews it, from a component of the same module. */
  readonly preview?: ElementInModule | undefined;
}

interface Candidate {
  readonly exportName: string;
  readonly component: Declared;
  readonly document: Document;
  readonly takesChildren: boolean;
  readonly hasElements: boolean;
  readonly hasExample: boolean;
  readonly users: readonly Declared[];
  /** The only element that it renders, if it takes no props. */
  readonly shows: ElementInModule | undefined;
  readonly preview?: ElementInModule | undefined;
}

/**
 * Distinguishes emails from layouts and other parts. An email renders a whole document, possibly through the project's
 * components. So does a layout, but it takes `children` or is rendered by an email.
 *
 * @param isAtTop Whether a module is directly in that folder, where React Email treats every default export as an email.
 */
export async function rolesOf(
  modules: readonly SourceModule[],
  components: Components,
  isAtTop: (module: SourceModule) => boolean,
): Promise<ReadonlyMap<SourceModule, Role>> {
  const users = await usersIn(modules, components);
  const files = new Set(modules.map(({ file }) => file));
  const exports: { readonly module: SourceModule; readonly hasDefault: boolean; readonly candidates: Candidate[] }[] =
    [];
  for (const module of modules) {
    const candidates: Candidate[] = [];
    const exported = await components.exportsOf(module);
    for (const [exportName, binding] of exported) {
      const isOfAnother = binding.kind === "declared" && binding.module !== module && files.has(binding.module.file);
      if (binding.kind === "foreign" || isOfAnother || !(await isComponent(exportName, binding, components))) continue;
      if (candidates.some(({ component }) => component.node === binding.node)) continue;
      candidates.push({
        exportName,
        component: binding,
        document: await documentOf(binding, components, new Set()),
        takesChildren: await hasChildren(binding, components),
        hasElements: components.hasElements(binding),
        hasExample: propertiesSetOn(binding).has("PreviewProps"),
        users: (users.get(binding.node) ?? []).filter(({ node }) => node !== binding.node),
        shows: await onlyElementOf(binding, components),
      });
    }
    exports.push({ module, candidates, hasDefault: exported.has("default") });
  }
  const collections = collectionsAmong(exports.flatMap(({ candidates }) => candidates));
  return new Map(
    exports.map(({ module, candidates, hasDefault }) => {
      const single = candidates
        .filter(({ component }) => !collections.has(component.node))
        .map((each) => ({ ...each, users: each.users.filter(({ node }) => !collections.has(node)) }));
      return [module, roleOf(single, { isAtTop: isAtTop(module), hasDefault })];
    }),
  );
}

/** Components that render several emails, such as a gallery of all emails. */
function collectionsAmong(candidates: readonly Candidate[]): ReadonlySet<ESTree.Node> {
  const rendered = new Map<ESTree.Node, number>();
  for (const { document, takesChildren, users } of candidates)
    for (const node of new Set(document.isWhole && !takesChildren ? users.map((user) => user.node) : []))
      rendered.set(node, (rendered.get(node) ?? 0) + 1);
  return new Set([...rendered].filter(([, documents]) => documents > 1).map(([node]) => node));
}

function roleOf(
  all: readonly Candidate[],
  { isAtTop, hasDefault }: { readonly isAtTop: boolean; readonly hasDefault: boolean },
): Role {
  const [previewed, preview] = previewIn(all);
  const candidates = all
    .filter((each) => each !== preview)
    .map((each) => (each === previewed ? { ...each, users: [], preview: preview?.shows } : each));
  const layouts = candidates.filter(isLayout);
  const emails = candidates.filter((each) => each.document.isWhole && !layouts.includes(each));
  if (emails.length > 0) return { kind: "emails", emails, hasDefault };
  const [layout] = layouts;
  if (layout)
    return {
      kind: "part",
      why: layout.takesChildren ? "a layout, because it takes children" : `a layout of ${namesOf(layout.users)}`,
    };
  const [mjml] = candidates.filter(({ document }) => document.isMjml);
  if (mjml) return { kind: "unclear", why: "It renders MJML with React components. Convert it to an .mjml file." };
  const only =
    candidates.find(({ exportName }) => exportName === "default") ??
    (candidates.length === 1 ? candidates[0] : undefined);
  if (!only?.hasElements || only.users.length > 0 || only.takesChildren) return { kind: "part", why: "" };
  const unknown = only.document.unknown[0];
  const note =
    unknown === undefined
      ? "It does not render <Html>."
      : `It does not render <Html>, unless <${unknown.name}> from ${unknown.specifier} does.`;
  if (only.hasExample || (isAtTop && only.exportName === "default"))
    return { kind: "emails", emails: [{ ...only, note }], hasDefault };
  return { kind: "unclear", why: `${note} To make it a template, move it to templates/NAME/NAME.tsx.` };
}

/** Whether a component renders a whole document that other components fill. */
function isLayout({ document, takesChildren, hasExample, users }: Candidate): boolean {
  return document.isWhole && (takesChildren || (users.length > 0 && !hasExample));
}

/** A document, and a component in the same module that takes no props and renders this document with example props. */
function previewIn(candidates: readonly Candidate[]): readonly [Candidate?, Candidate?] {
  for (const preview of candidates) {
    const name = preview.shows?.element.openingElement.name;
    const previewed = candidates.find(
      ({ component, document, takesChildren }) =>
        name?.type === "JSXIdentifier" && component.name === name.name && document.isWhole && !takesChildren,
    );
    if (previewed) return [previewed, preview];
  }
  return [];
}

function namesOf([first, ...others]: readonly Declared[]): string {
  const name = first?.name ?? path.basename(first?.module.file ?? "");
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

/** The components of these modules that render each component. */
async function usersIn(
  modules: readonly SourceModule[],
  components: Components,
): Promise<ReadonlyMap<ESTree.Node, readonly Declared[]>> {
  const usersOf = new Map<ESTree.Node, Declared[]>();
  for (const module of modules) {
    const exported = [...(await components.exportsOf(module)).values()].filter(isDeclared);
    const declared = components.declaredIn(module);
    const nodes = new Set(declared.map(({ node }) => node));
    const users = [...declared, ...exported.filter((each) => each.module === module && !nodes.has(each.node))];
    for (const user of users.filter(({ name }) => name === undefined || /^[A-Z]/.test(name)))
      for (const used of (await components.usedBy(user)).filter(isDeclared))
        usersOf.set(used.node, [...(usersOf.get(used.node) ?? []), user]);
  }
  return usersOf;
}

function isDeclared(binding: Binding): binding is Declared {
  return binding.kind === "declared";
}

/** Whether an export is a component: a function or class whose name begins with a capital, or a default export. */
async function isComponent(exportName: string, binding: Declared, components: Components): Promise<boolean> {
  const { node, name = "" } = binding;
  if (exportName === "default" ? /^(?:send|render|get)(?![a-z])/.test(name) : !/^[A-Z]/.test(exportName)) return false;
  if (node.type === "ClassDeclaration" || node.type === "ClassExpression") return true;
  return (await components.functionOf(binding)) !== undefined;
}

/** What is known about a component's HTML. */
interface Document {
  readonly isWhole: boolean;
  readonly isMjml: boolean;
  /** Elements of packages that may render the document. */
  readonly unknown: readonly { readonly specifier: string; readonly name: string }[];
}

const NOTHING: Document = { isWhole: false, isMjml: false, unknown: [] };

async function documentOf(component: Declared, components: Components, seen: Set<ESTree.Node>): Promise<Document> {
  if (seen.has(component.node)) return NOTHING;
  seen.add(component.node);
  let result = NOTHING;
  for (const used of await components.usedBy(component)) {
    const { isWhole, isMjml, unknown } =
      used.kind === "declared" ? await documentOf(used, components, seen) : documentOfForeign(used);
    result = {
      isWhole: result.isWhole || isWhole,
      isMjml: result.isMjml || isMjml,
      unknown: [...result.unknown, ...unknown],
    };
  }
  return result;
}

function documentOfForeign({ specifier, name }: { readonly specifier: string; readonly name: string }): Document {
  if (specifier === "next/document") return NOTHING;
  if (/^html$/i.test(name)) return { ...NOTHING, isWhole: true };
  if (/^mjml$/i.test(name)) return { ...NOTHING, isMjml: true };
  const isKnown =
    !/^[A-Z]/.test(name) || /^(?:react|next|@react-email|react-email|jsx-email)(?:\/|$)|^$/.test(specifier);
  return isKnown ? NOTHING : { ...NOTHING, unknown: [{ specifier, name }] };
}

/** `<Email {...example} />` in `() => <Email {...example} />` */
async function onlyElementOf(component: Declared, components: Components): Promise<ElementInModule | undefined> {
  const defined = await components.functionOf(component);
  if (!defined || defined.node.params.length > 0) return undefined;
  const { body } = defined.node;
  const [last] = body?.type === "BlockStatement" ? body.body.slice(-1) : [];
  const value = last?.type === "ReturnStatement" ? last.argument : body;
  const element = value ? unwrapped(value) : undefined;
  return element?.type === "JSXElement" ? { element, module: defined.module } : undefined;
}

/** Whether a component uses `children`, destructured or as a member of its props. */
async function hasChildren(component: Declared, components: Components): Promise<boolean> {
  const { node } = (await components.functionOf(component)) ?? component;
  let isUsed = false;
  const props = "params" in node ? node.params[0] : undefined;
  if (props) walk(props, (each) => void (isUsed ||= each.type === "Property" && isNamed(each.key, "children")));
  const received = props?.type === "Identifier" ? props.name : "props";
  walk(node, (each) => {
    if (each.type === "MemberExpression" && isNamed(each.property, "children")) {
      const object = unwrapped(each.object);
      isUsed ||= isNamed(object, received) || (object.type === "MemberExpression" && isNamed(object.property, "props"));
    }
    if (each.type !== "VariableDeclarator" || each.id.type !== "ObjectPattern" || !isNamed(each.init, received)) return;
    isUsed ||= each.id.properties.some((property) => property.type === "Property" && isNamed(property.key, "children"));
  });
  return isUsed;
}

function isNamed(node: ESTree.Node | null | undefined, name: string): boolean {
  return node?.type === "Identifier" && node.name === name;
}
