import { mistakeInCode } from '../constructs/validation';

/** Text that `toString()` and `toJSON()` of an Output return instead of its value. */
const STRINGIFIED = /Calling \[(toString|toJSON)\] on an \[Output<T>\]/;

/**
 * Rejects strings into which an Output was inserted as if it were a string: they contain a notice of Pulumi instead of
 * the value.
 *
 * @param call - receiver of the value: name of a component, a method or a factory
 * @param value - plain data; class instances in it were checked when they were created
 */
export function rejectStringifiedOutputs(call: string, value: unknown): void {
  const at = pathOfStringified(value);
  if (at === undefined) return;
  const cause = 'the text contains an Output that was converted to a string, not its value';
  const remedy = 'write pulumi.interpolate`…${output}…` instead of `…${output}…`, or use output.apply()';
  mistakeInCode(call, at.replace(/^\./, ''), cause, remedy, 'pulumi-interpolate');
}

/** Returns the path of such a string, such as `disks[0].name`; undefined if there is no such string. */
function pathOfStringified(value: unknown): string | undefined {
  if (typeof value === 'string') return STRINGIFIED.test(value) ? '' : undefined;
  if (Array.isArray(value)) return firstOf(value.map((item, i) => [`[${i}]`, item]));
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const key = Object.keys(value).find((name) => STRINGIFIED.test(name));
  return key === undefined ? firstOf(Object.entries(value).map(([name, item]) => [`.${name}`, item])) : '';
}

function firstOf(parts: readonly (readonly [string, unknown])[]): string | undefined {
  for (const [part, item] of parts) {
    const below = pathOfStringified(item);
    if (below !== undefined) return `${part}${below}`;
  }
  return undefined;
}
