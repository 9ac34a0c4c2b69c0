import { Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type CodeFinding, formatFindings, root, ValidationError } from '../api/findings';
import { SIGNATURES } from './generated/signatures';
import { hasFieldsOfMetadata, misplacedMetadata } from './misplaced-metadata';
import { hasNo, TypeChecks } from './type-checks';
import { allOf, joined, right, type Wrong } from './type-mistakes';
import { isObject, kindOf } from './value-kinds';
import { withSubject } from './subject';

/**
 * The public API's types hold for callers without a type checker, too: wrong arguments are one clear error that names
 * each, instead of a TypeError from inside.
 */
interface Signatures {
  readonly structs: Readonly<Record<string, readonly string[]>>;
  readonly interfaces: Readonly<Record<string, readonly string[]>>;
  readonly classes: Readonly<Record<string, ClassSignature>>;
}

interface ClassSignature {
  readonly init?: readonly string[];
  readonly constants?: readonly string[];
  readonly statics?: Readonly<Record<string, readonly string[]>>;
  readonly methods?: Readonly<Record<string, readonly string[]>>;
}

type AnyClass = (abstract new (...given: never[]) => object) & { readonly prototype: object };

const classes = new Map<string, AnyClass>();
const names = new Map<object, string>();

let parsed: Signatures | undefined;
const signatures = (): Signatures => (parsed ??= JSON.parse(SIGNATURES) as Signatures);
let made: TypeChecks | undefined;
const checks = (): TypeChecks => (made ??= new TypeChecks({ ...signatures(), classOf: (name) => classes.get(name) }));

/**
 * Checks the props of `new X(scope, id, props)`. Constructors call it before anything else. `type` is `new.target`: the
 * class itself or a subclass.
 *
 * @throws when props do not have the type that the class declares; the error lists every mistake
 */
export function checkProps(construct: IConstruct, type: object, props: unknown): void {
  for (let at: object | null = type; at; at = Object.getPrototypeOf(at) as object | null) {
    const takes = signatures().classes[names.get(at) ?? '']?.init?.find((text) => text.startsWith('props'));
    if (!takes) continue;
    const found = checks().wrongInProps(takes, props, at !== type);
    // a subclass may have properties of these names
    const all = at === type ? joined(found, misplaced(construct, props, takes)) : found;
    // the path is computed, so only for an error
    if (all.length > 0) throwAll(construct.node.path, all);
    return;
  }
}

function misplaced(construct: IConstruct, props: unknown, takes: string): readonly Wrong[] {
  if (!hasFieldsOfMetadata(props)) return right;
  const struct = takes.replace(/^\w+\??: /, '');
  const properties = signatures().structs[struct] ?? [];
  return misplacedMetadata(construct, props, properties).map((field) => ({
    at: field,
    must: `${hasNo(struct, field)}, so the object does not get it`,
    remedy: `write metadata: { ${field}: … }`,
    rule: 'unknown-property',
  }));
}

/** Every message about a construct begins with its path, so ids must not be too long to read. */
const LONGEST_ID = 253;

/**
 * Checks the scope and the id of `new X(scope, id)`.
 *
 * @throws when the scope is not a construct, or the id is not a string
 */
export function checkPlace(scope: unknown, id: unknown): void {
  const found: Wrong[] = [];
  if (!isConstruct(scope)) {
    const remedy = 'pass the Chart or the construct that contains this one';
    found.push({ at: 'scope', must: 'a Construct', got: scope, remedy });
  } else if (!isInChart(scope)) {
    found.push({ at: 'scope', must: 'in a Chart', remedy: 'pass a Chart, or a construct within one' });
  }
  // without a scope, every argument is at the place of the next one
  if (typeof id !== 'string' && typeof scope !== 'string') {
    const remedy = isObject(id) ? "pass it before the properties: (chart, 'web', { … })" : 'write it in quotes';
    found.push({ at: 'id', must: 'a string', got: id, remedy });
  } else if (id === '') {
    found.push({ at: 'id', must: 'at least one character long', remedy: 'name the construct' });
  } else if (typeof id === 'string' && id.length > LONGEST_ID) {
    const remedy = 'shorten it: object names are generated from ids';
    found.push({ at: 'id', must: `at most ${LONGEST_ID} characters long`, remedy });
  }
  throwAll('new construct', found);
}

/** Recognizes constructs of any copy of the `constructs` library. */
const isConstruct = (value: unknown): value is IConstruct =>
  typeof value === 'object' && value !== null && typeof (value as Partial<IConstruct>).node?.id === 'string';

/** Whether a construct is a chart or within one, of any copy of cdk8s. */
function isInChart(construct: IConstruct): boolean {
  for (let at: IConstruct | undefined = construct; at; at = at.node.scope) if (Chart.isChart(at)) return true;
  return false;
}

/** Wraps the methods and factories of these classes so that they check their arguments. */
export function checkCalls(exported: Readonly<Record<string, unknown>>): void {
  for (const [name, { statics = {}, methods = {} }] of Object.entries(signatures().classes)) {
    const type = exported[name] as AnyClass | undefined;
    if (typeof type !== 'function') continue;
    classes.set(name, type);
    names.set(type, name);
    for (const [method, takes] of Object.entries(statics)) checkCall(type, method, `${name}.${method}`, takes);
    for (const [method, takes] of Object.entries(methods))
      checkCall(type.prototype, method, `${name}.${method}`, takes);
  }
}

function checkCall(owner: object, method: string, call: string, takes: readonly string[]): void {
  const own = Object.getOwnPropertyDescriptor(owner, method);
  if (typeof own?.value !== 'function') return;
  const original = own.value as (...given: unknown[]) => unknown;
  const takesId = takes[0] === 'id: string' && takes.length > 1;
  const checked = function (this: unknown, ...given: unknown[]): unknown {
    // without the id, every argument is at the place of the next one
    if (takesId && given.length < takes.length && isObject(given[0])) {
      const remedy = `pass it before the options: ${method}('…', { … })`;
      throwAll(call, [{ at: 'id', must: 'a string', got: given[0], remedy }]);
    }
    throwAll(
      call,
      allOf(takes, (parameter, i) => checks().wrongIn(parameter, i === takes.length - 1 ? given.slice(i) : [given[i]])),
    );
    return withSubject(call, () => original.apply(this, given));
  };
  Object.defineProperty(checked, 'name', { value: method });
  Object.defineProperty(owner, method, { ...own, value: checked });
}

/** Limit of the findings in one error: nobody reads more. */
const MOST_MISTAKES = 100;

function throwAll(call: string, all: readonly Wrong[]): void {
  if (all.length === 0) return;
  const findings = all.slice(0, MOST_MISTAKES).map(({ at, must, remedy, rule, ...value }): CodeFinding => {
    const not = 'got' in value ? `, not ${kindOf(value.got)}` : '';
    const property = at.replace(/^props\./, '');
    const cause = rule === undefined ? `must be ${must}${not}` : must;
    return { rule: rule ?? 'type', path: root, subject: call, property, cause, remedy };
  });
  throw new ValidationError(findings, formatFindings(findings, all.length));
}
