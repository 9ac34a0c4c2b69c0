/** Creates the lines that declare one object. The lines were run and render the same object. */
import { equal, isFields, leaves, plain, pointer, type Step, steps } from './difference';
import {
  call,
  construct,
  type Expression,
  method,
  object,
  type ObjectOf,
  type Statement,
  value,
  variable,
} from './expression';
import { type Candidate, type Manifest, type Surroundings } from './kinds/kind';
import { mappingOf } from './kinds';
import { literal } from './literal';
import { metadataOf } from './metadata';
import { chartVariable, type Libraries, type Outcome, type Constant, type Rejection, tryOut } from './trial';

/** Declaration of an object in code. */
export interface Declared {
  readonly statements: readonly Statement[];
  /** Number of fields that construct properties set, and of all fields without apiVersion, kind and metadata. */
  readonly idiomatic: number;
  readonly fields: number;
  /** Reason why the construct of its kind cannot declare it. */
  readonly rejection?: Rejection;
  /** Feature gates that it requires. */
  readonly gates?: readonly string[];
}

/** Context in which an object is declared. */
export interface DeclarationContext {
  /** Id of the construct. */
  readonly id: string;
  readonly around: Surroundings;
  /** Constants that earlier lines declare. */
  readonly constants: ReadonlyMap<string, Constant>;
  /** Whether an object of the input sets the feature gates. */
  readonly configured?: boolean;
}

/** Declares the object with the construct of its kind, or as a raw object. */
export function declare(libraries: Libraries, given: Manifest, place: DeclarationContext): Declared {
  const candidate = mappingOf(given)?.(given, place.around);
  if (!candidate) return raw(libraries, given, place);
  const made = byConstruct(libraries, given, place, candidate);
  if (made !== OTHER && 'statements' in made) return made;
  return raw(libraries, given, place, made === OTHER ? undefined : made);
}

/** The object is valid, but the construct cannot express it. */
const OTHER = 'other';

/** Declares the object with a construct and patches for the differences. Returns the rejection if the construct rejects it. */
function byConstruct(
  libraries: Libraries,
  given: Manifest,
  place: DeclarationContext,
  candidate: Candidate,
): Declared | Rejection | typeof OTHER {
  const { rest } = candidate;
  const attempt = (overlay: unknown, patches: readonly Step[]): Statement[] => {
    const props = object({
      metadata: candidate.ownName ? undefined : metadataOf(given.metadata, place.around.name),
      ...candidate.props,
    });
    const whole =
      rest && overlay !== undefined ? withRest(props, rest.property, literal(overlay, place.around.name)) : props;
    return statementsOf(place, construct(candidate.construct, chartVariable, value(place.id), whole), [
      ...(candidate.calls?.(variable(place.around.name)) ?? []),
      ...patched(place, 'apiObject', patches),
    ]);
  };
  const first = tryOut(libraries, attempt(undefined, []), place.constants, false);
  if (!first.objects) return first.rejection!;
  if (first.objects.length !== 1) return OTHER;
  const all = steps(first.objects[0], given);
  const over = rest ? overlayOf(all, rest.path) : { overlay: undefined, others: all };
  const statements = attempt(over.overlay, over.others);
  const { objects, rejection, gates } = validatedWithGates(libraries, statements, place);
  if (rejection !== undefined) return rejection;
  if (objects!.length !== 1 || !equal(objects![0], given)) return OTHER;
  const fields = fieldsOf(given);
  const inPatches = over.others
    .filter(({ path }) => path[0] !== 'metadata')
    .reduce((sum, step) => sum + Math.max(1, leaves(step.value)), 0);
  const said = (over.overlay === undefined ? 0 : statementsIn(over.overlay)) + inPatches;
  const idiomatic = Math.max(0, fields - said);
  // more patches than properties
  if (inPatches > 2 * idiomatic) return OTHER;
  return { statements, fields, idiomatic, ...(gates.length > 0 ? { gates } : {}) };
}

/** Adds a property, which may be nested. */
function withRest(props: ObjectOf, property: string, rest: Expression): ObjectOf {
  const [name, ...inner] = property.split('.') as [string, ...string[]];
  const known = props.entries.find(([key]) => key === name)?.[1];
  const below = known?.type === 'object' ? known : object({});
  const entry = [name, inner.length === 0 ? rest : withRest(below, inner.join('.'), rest)] as const;
  if (!known) return { ...props, entries: [...props.entries, entry] };
  return { ...props, entries: props.entries.map((each) => (each[0] === name ? entry : each)) };
}

/** Enables the feature gates that findings require, as long as that helps. */
function validatedWithGates(
  libraries: Libraries,
  statements: readonly Statement[],
  { constants, configured }: DeclarationContext,
): Outcome & { readonly gates: readonly string[] } {
  let gates: readonly string[] = [];
  for (;;) {
    const outcome = tryOut(libraries, statements, constants, true, gates);
    const more = (outcome.rejection?.gates ?? []).filter((gate) => !gates.includes(gate));
    if (more.length === 0 || configured) return { ...outcome, gates };
    gates = [...gates, ...more];
  }
}

/** Declares the object as an ApiObject. */
export function raw(libraries: Libraries, given: Manifest, place: DeclarationContext, rejection?: Rejection): Declared {
  const { apiVersion, kind, metadata, ...fields } = given;
  const { name } = place.around;
  const attempt = (held: Readonly<Record<string, unknown>>, patches: readonly Step[]): Statement[] => {
    const props = object({
      apiVersion: value(apiVersion),
      kind: value(kind),
      metadata: metadataOf(metadata, name),
      ...Object.fromEntries(Object.entries(held).map(([key, field]) => [key, literal(field, name)])),
    });
    return statementsOf(
      place,
      construct('ApiObject', chartVariable, value(place.id), props),
      patched(place, undefined, patches),
      rejection === undefined ? undefined : commentOf(kind, rejection),
    );
  };
  for (const held of [plain(fields) as Readonly<Record<string, unknown>>, {}]) {
    const first = tryOut(libraries, attempt(held, []), place.constants, true);
    if (!first.objects) continue;
    const statements = attempt(held, steps(first.objects[0], given));
    const { objects } = tryOut(libraries, statements, place.constants, true);
    if (objects && equal(objects[0], given)) {
      return { statements, fields: fieldsOf(given), idiomatic: 0, rejection };
    }
  }
  throw new Error(`${kind} ${String(metadata.name)} cannot be declared in code`);
}

/** Fields that an overlay sets and removes. */
const statementsIn = (overlay: unknown): number =>
  isFields(overlay) && Object.keys(overlay).length > 0
    ? Object.values(overlay).reduce<number>((sum, inner) => sum + statementsIn(inner), 0)
    : overlay === undefined
      ? 1
      : leaves(overlay);

const fieldsOf = ({ apiVersion: _, kind: __, metadata: ___, ...fields }: Manifest): number => leaves(fields);

/** Comment that explains why no construct is used. */
const commentOf = (kind: string, { lines }: Rejection): string[] => [
  `Not a ${kind} construct, because its rules reject this:`,
  ...lines.map((line) => `  ${line}`),
];

function statementsOf(
  { around }: DeclarationContext,
  made: Expression,
  then: readonly Expression[],
  comment?: readonly string[],
): Statement[] {
  if (then.length === 0) return [{ expression: made, comment }];
  return [{ declares: around.name, expression: made, comment }, ...then.map((expression) => ({ expression }))];
}

/** Applies the remaining steps through the escape hatch of cdk8s. */
function patched({ around }: DeclarationContext, member: string | undefined, patches: readonly Step[]): Expression[] {
  if (patches.length === 0) return [];
  const operations = patches.map(({ op, path, from, value: to }) => {
    const at = value(pointer(path));
    if (op === 'remove') return call('JsonPatch.remove', at);
    if (op === 'move') return call('JsonPatch.move', value(pointer(from!)), at);
    return call(`JsonPatch.${op}`, at, literal(to, around.name, path.at(-1)));
  });
  const self = variable(around.name);
  const names = member === undefined ? 'addJsonPatch' : `${member}.addJsonPatch`;
  return [keepAll(method(self, names), operations)];
}

/** Arguments without omissions. */
const keepAll = <T extends { readonly args: readonly Expression[] }>(of: T, args: readonly Expression[]): T => ({
  ...of,
  args,
});

/** Combines steps below a path that change no list into one object to merge. */
function overlayOf(all: readonly Step[], below: readonly string[]): { overlay?: unknown; others: Step[] } {
  const overlay: Record<string, unknown> = {};
  const others: Step[] = [];
  let used = false;
  for (const step of all) {
    const path = step.path.slice(below.length);
    const inside = path.length > 0 && below.every((part, i) => step.path[i] === part);
    const throughList = path.some((part) => /^(\d+|-)$/.test(part));
    const reserved = path.includes('constructor') || !equal(plain(step.value), step.value);
    if (!inside || throughList || reserved) others.push(step);
    else {
      used = true;
      const parent = path.slice(0, -1).reduce<Record<string, unknown>>((of, part) => {
        if (!isFields(of[part])) of[part] = {};
        return of[part] as Record<string, unknown>;
      }, overlay);
      parent[path.at(-1)!] = step.value;
    }
  }
  return { overlay: used ? overlay : undefined, others };
}
