import { type CelInput, type CelValue, celUint, isCelList, isCelMap, isCelType, isCelUint } from "@bufbuild/cel";
import type { Value } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import { type JsonValue, type Message, type Registry, toJson } from "@bufbuild/protobuf";
import { isReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Any, anyUnpack } from "@bufbuild/protobuf/wkt";

/* Converts values of the conformance cases to inputs of an evaluator and to comparable strings. */

/** A case's value as an input of the evaluator. */
export function inputOf({ kind }: Value, registry: Registry): CelInput {
  if (kind.case === "uint64Value") return celUint(kind.value);
  if (kind.case === "enumValue") return BigInt(kind.value.value);
  if (kind.case === "nullValue" || kind.case === undefined) return null;
  if (kind.case === "objectValue") return unpacked(kind.value, registry);
  if (kind.case === "listValue") return kind.value.values.map((value) => inputOf(value, registry));
  if (kind.case === "mapValue") {
    return new Map(
      kind.value.entries.flatMap(({ key, value }) =>
        key && value ? [[inputOf(key, registry) as string, inputOf(value, registry)] as const] : [],
      ),
    );
  }
  if (kind.case === "typeValue") throw new Error("Types are no inputs.");
  return kind.value;
}

/** A case's value with its type as a string. Two values are equal exactly if their strings are. */
export function expectedText(expected: Value, registry: Registry): string {
  const { kind } = expected;
  if (kind.case === "typeValue") return `type ${kind.value}`;
  if (kind.case === "objectValue") return messageText(unpacked(kind.value, registry), registry);
  if (kind.case === "listValue") return listText(kind.value.values.map((value) => expectedText(value, registry)));
  if (kind.case === "mapValue") {
    return mapText(
      kind.value.entries.map(({ key, value }) => [key, value].map((part) => part && expectedText(part, registry))),
    );
  }
  return scalarText(inputOf(expected, registry));
}

/** The same for an evaluator's result. */
export function resultText(result: CelValue, registry: Registry): string {
  if (isCelList(result)) return listText([...result].map((value) => resultText(value, registry)));
  if (isCelMap(result)) {
    return mapText([...result].map((entry) => entry.map((part) => resultText(part, registry))));
  }
  if (isCelType(result)) return `type ${result.name}`;
  if (isReflectMessage(result)) return messageText(result.message, registry);
  return scalarText(result);
}

function scalarText(value: unknown): string {
  if (isCelUint(value)) return `uint ${value.value}`;
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  if (typeof value === "bigint") return `int ${value}`;
  // Both zeros are equal: no other numbers have two representations.
  return typeof value === "number" ? `double ${value}` : JSON.stringify(value);
}

function messageText(message: Message, registry: Registry): string {
  const descriptor = registry.getMessage(message.$typeName);
  if (!descriptor) throw new Error(`There is no ${message.$typeName}.`);
  return `${message.$typeName} ${jsonText(toJson(descriptor, message, { registry }))}`;
}

/** A struct's members may be in any order. */
function jsonText(value: JsonValue): string {
  if (Array.isArray(value)) return listText(value.map(jsonText));
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return mapText(Object.entries(value).map(([name, inner]) => [name, jsonText(inner)]));
}

function listText(items: readonly string[]): string {
  return `[${items.join(", ")}]`;
}

function mapText(entries: readonly (readonly (string | undefined)[])[]): string {
  return `{${entries
    .map((entry) => entry.join(": "))
    .toSorted()
    .join(", ")}}`;
}

function unpacked(any: Any, registry: Registry): Message {
  const message = anyUnpack(any, registry);
  if (!message) throw new Error(`There is no ${any.typeUrl}.`);
  return message;
}
