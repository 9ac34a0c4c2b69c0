/** Templates of VMs: parameters in any text, `${NAME}` within a string, or `${{NAME}}` for a value that is not a string. */
import { Finding, Path, root } from './findings';
import type { Parameter, VirtualMachineTemplateSpec } from './generated/template-v1beta1';
import type { VirtualMachine } from './generated/kubevirt-v1';
import { refusal } from './kinds/refusal';
import { validateSchema } from './schema';

const PARAMETER = /\$\{([A-Za-z0-9_]+)\}/g;
const VALUE = /^\$\{\{([A-Za-z0-9_]+)\}\}$/;
const spec = root.at('spec');
const parameters = spec.at('parameters');
const machine = spec.at('virtualMachine');

/** Random number from 0 to below `n`, for the letters of generated values. */
export type Pick = (n: number) => number;

/** VM from a template and its message for the user, or the first mistake. */
export type Processed =
  | { readonly vm: VirtualMachine; readonly message: string; readonly errors?: undefined }
  | { readonly vm?: undefined; readonly message?: undefined; readonly errors: Finding[] };

/** Limit of the VM's size: Kubernetes does not accept a larger one. */
const MOST_CHARACTERS = 3 * 1024 * 1024;

/** Remaining size of the VM, because a parameter can be long and used often. */
class Room {
  private left = MOST_CHARACTERS;

  public take(text: string): string {
    this.left -= text.length;
    if (this.left < 0) throw new Error(`the VM would have more than ${MOST_CHARACTERS} characters`);
    return text;
  }
}

/** Fills in the parameters. A literal namespace is dropped: the VM is created in the namespace of the request. */
export function processTemplate(template: VirtualMachineTemplateSpec, pick: Pick): Processed {
  const values = new Map<string, string>();
  let generated = 0;
  for (const [i, parameter] of (template.parameters ?? []).entries()) {
    const at = parameters.at(i);
    const value = valueOf(parameter, values, at, pick);
    if (typeof value !== 'string') return { errors: [value] };
    if (parameter.generate && !parameter.value) generated += value.length;
    if (generated > MOST_GENERATED) {
      const message = `the parameters generate more than ${MOST_GENERATED} characters`;
      return { errors: [refusal('template-from', at.at('from'), message, 'generate shorter values')] };
    }
    values.set(parameter.name, value);
  }
  const { metadata, ...rest } = template.virtualMachine as { metadata?: { namespace?: string } };
  const { namespace, ...meta } = metadata ?? {};
  const kept = typeof namespace === 'string' && namespace.search(PARAMETER) >= 0 ? { namespace } : {};
  try {
    const whole = { ...rest, metadata: { ...meta, ...kept }, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' };
    const room = new Room();
    const vm = filled(whole, values, room) as VirtualMachine;
    const errors = strictErrors(vm);
    if (errors.length > 0) return { errors };
    return { vm, message: inText(template.message ?? '', values, room) };
  } catch (error) {
    const message = `error processing template: ${(error as Error).message}`;
    return { errors: [refusal('template-parameter', parameters, message, 'define each parameter that is used')] };
  }
}

/** Returns the names that a template uses, in keys and values of the VM and in the message. */
export function referencedParameters({ virtualMachine, message = '' }: VirtualMachineTemplateSpec): Set<string> {
  const names = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [, name] of value.matchAll(PARAMETER)) names.add(name);
      const whole = VALUE.exec(value);
      if (whole) names.add(whole[1]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) collect(key);
        collect(inner);
      }
    }
  };
  collect(virtualMachine);
  collect(message);
  return names;
}

function valueOf(
  { name, value = '', generate, from = '', required }: Parameter,
  earlier: ReadonlyMap<string, string>,
  at: Path,
  pick: Pick,
): string | Finding {
  if (name === '') return refusal('template-name', at.at('name'), 'parameter name is empty', 'write a name');
  if (earlier.has(name)) {
    const extra = { value: name, type: 'FieldValueDuplicate' } as const;
    return refusal('template-name', at.at('name'), `Duplicate value: "${name}"`, 'rename one of them', extra);
  }
  if (value !== '' || !generate) {
    if (value !== '' || !required) return value;
    const message = `parameter '${name}' is required and a value must be specified`;
    return refusal('template-value', at.at('value'), message, 'write a value', { type: 'FieldValueRequired' });
  }
  if (generate !== 'expression') {
    const message = `unknown generator name '${generate as string}' for parameter '${name}'`;
    return refusal('template-generate', at.at('generate'), message, 'write generate: expression', {
      value: generate as string,
    });
  }
  const generated = from === '' ? { problem: fromIsEmpty(name, generate) } : generateText(from, pick);
  if ('text' in generated) return generated.text;
  return refusal('template-from', at.at('from'), generated.problem, 'write it like [a-z0-9]{8}', { value: from });
}

const fromIsEmpty = (name: string, generate: string): string =>
  `from cannot be empty for parameter '${name}' using generator '${generate}'`;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';
const SYMBOLS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const CLASSES: Readonly<Record<string, string>> = {
  '\\w': `${LETTERS}${DIGITS}_`,
  '\\d': DIGITS,
  '\\a': LETTERS + DIGITS,
  '\\A': SYMBOLS,
};

/** Limit of generated text, which is a password or a part of a name. */
const MOST_GENERATED = 64 * 1024;

/** Replaces each `[letters]{length}` with that number of random letters. */
export function generateText(from: string, pick: Pick): { text: string } | { problem: string } {
  let text = '';
  let rest = from;
  for (;;) {
    const found = /\[([a-zA-Z0-9\-\\]+)\]\{(\w+)\}/.exec(rest);
    if (!found) return { text: text + rest };
    const [whole, ranges, count] = found;
    if (text.length >= MOST_GENERATED) return { problem: `the text would have more than ${MOST_GENERATED} characters` };
    const alphabet = alphabetOf(ranges);
    if ('problem' in alphabet) return alphabet;
    if (!/^\d+$/.test(count)) return { problem: `malformed length syntax: ${count}` };
    const length = Number(count);
    if (length < 1 || length > 255) return { problem: `range must be within [1-255] characters: ${count}` };
    const letters = Array.from({ length }, () => alphabet.letters[pick(alphabet.letters.length)]);
    text += rest.slice(0, found.index) + letters.join('');
    rest = rest.slice(found.index + whole.length);
  }
}

function alphabetOf(ranges: string): { letters: string } | { problem: string } {
  const parts = ranges.match(/\\[wdaA]|.-.|[a-zA-Z0-9]+/g);
  if (!parts) return { problem: `malformed ranges syntax: ${ranges}` };
  const letters = new Set<string>();
  for (const part of parts) {
    const range = part.length === 3 && part[1] === '-' ? between(part[0], part[2]) : { letters: CLASSES[part] ?? part };
    if ('problem' in range) return range;
    for (const letter of range.letters) letters.add(letter);
  }
  return { letters: [...letters].sort().join('') };
}

function between(from: string, to: string): { letters: string } | { problem: string } {
  const all = LETTERS + DIGITS;
  const [first, last] = [all.indexOf(from), all.indexOf(to)];
  if (first < 0) return { problem: `invalid start character in range: ${from}` };
  if (last < 0) return { problem: `invalid end character in range: ${to}` };
  if (first > last) return { problem: `invalid range specified: ${from}-${to}` };
  return { letters: all.slice(first, last + 1) };
}

function lookUp(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name);
  if (value === undefined) throw new Error(`found parameter '${name}' but it was not defined`);
  return value;
}

function inText(text: string, values: ReadonlyMap<string, string>, room: Room): string {
  return text.replace(PARAMETER, (_, name: string) => room.take(lookUp(name, values)));
}

function filled(value: unknown, values: ReadonlyMap<string, string>, room: Room): unknown {
  if (typeof value === 'string') {
    const whole = VALUE.exec(value);
    return whole ? asValue(room.take(lookUp(whole[1], values))) : inText(value, values, room);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, values, room));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [inText(key, values, room), filled(inner, values, room)]),
  );
}

/** Parses `8` and `true` as JSON; other text stays a string. */
function asValue(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (value === null) throw new Error('cannot assign nil value');
  return value;
}

/** The result must have the shape of a VM; its other mistakes are reported when the VM is created. */
function strictErrors(vm: VirtualMachine): Finding[] {
  const wrong = ['schema-type', 'schema-unknown-field', 'schema-quantity'];
  return validateSchema(vm, ({ rule }) => wrong.includes(rule)).map((error) => ({
    ...error,
    path: machine.at(...error.path.parts),
  }));
}
