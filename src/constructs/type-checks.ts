/** Checks values against the types of the public API. */
import { boundCheck, dataCheck, tooLong } from './data-checks';
import { foreignCheck } from './foreign-checks';
import { allOf, brief, broken, type Check, joined, right, type Wrong, wrong } from './type-mistakes';
import { type ClassMembers, listOf, MISSING, remedyFor } from './type-remedies';
import { adviceFor, type Found, type Meant, meantBy } from './unknown-properties';
import {
  classNames,
  isBare,
  isComponent,
  isObject,
  isRecord,
  isPulumiResource,
  isToken,
  withArticle,
} from './value-kinds';

/** Fields of metadata that cdk8s reads. */
const METADATA: readonly string[] = [
  'annotations?: {text}',
  'finalizers?: [text]',
  'labels?: {text}',
  'name?: string',
  'namespace?: string',
  'ownerReferences?: [{any}]',
];

/** Types of the public API, by name. */
export interface KnownTypes {
  /** Properties of each struct, such as `cpu?: Cpu`. */
  readonly structs: Readonly<Record<string, readonly string[]>>;
  readonly interfaces: Readonly<Record<string, readonly string[]>>;
  readonly classes: ClassMembers;
  /** Returns the class itself: bundlers may rename it, so its name is not reliable. */
  classOf(name: string): (abstract new (...given: never[]) => object) | undefined;
}

/** Checks of parameters by their declared types. A check is built when it is first needed, and cached. */
export class TypeChecks {
  private readonly checks = new Map<string, Check>();
  private readonly parameters = new Map<string, Parameter>();
  private known?: ReadonlySet<string>;
  private ofSubclass = false;
  private ofCall = true;

  public constructor(private readonly types: KnownTypes) {}

  /** Returns everything that is wrong with the props of a construct: `props?: VirtualMachineProps`. */
  public wrongInProps(parameter: string, given: unknown, ofSubclass: boolean): readonly Wrong[] {
    this.ofCall = false;
    this.ofSubclass = ofSubclass;
    try {
      return this.wrongIn(parameter, [given]);
    } finally {
      this.ofCall = true;
      this.ofSubclass = false;
    }
  }

  /** Returns everything that is wrong with the arguments of a call for a parameter such as `options?: DiskOptions`. */
  public wrongIn(parameter: string, given: readonly unknown[]): readonly Wrong[] {
    const { name, optional, variadic, check } = this.parameter(parameter);
    const found = allOf(variadic ? given : [given[0]], (value) =>
      value === undefined && optional && !variadic ? right : check(value, name),
    );
    return found.length === 0 ? found : found.map((each) => this.withRemedy(each, optional && each.at === name));
  }

  private withRemedy(found: Wrong, optional: boolean): Wrong {
    const { at, type, got, remedy } = found;
    if (type === undefined) return found;
    return {
      ...found,
      remedy: remedyFor({ at, type, got, optional: optional || found.optional }, remedy, this.types.classes),
    };
  }

  private parameter(text: string): Parameter {
    let parameter = this.parameters.get(text);
    if (!parameter) {
      const [, name, optional, variadic, type] = /^(\w+)(\?)?(\*)?: (.*)$/.exec(text) as RegExpExecArray;
      // built on first use: a struct may contain itself
      let check: Check | undefined;
      parameter = {
        name,
        optional: optional !== undefined,
        variadic: variadic !== undefined,
        check: (value, at) => (check ??= this.check(type))(value, at),
      };
      this.parameters.set(text, parameter);
    }
    return parameter;
  }

  private check(type: string): Check {
    let check = this.checks.get(type);
    if (!check) this.checks.set(type, (check = this.newCheck(type)));
    return check;
  }

  private newCheck(type: string): Check {
    const choices = choicesOf(type);
    if (choices.length > 1) return this.oneOf(choices);
    if (type.startsWith('[')) {
      const element = this.check(type.slice(1, -1));
      return (value, at) =>
        Array.isArray(value)
          ? (tooLong(value, at) ?? allOf(value, (each, i) => element(each, `${at}[${i}]`)))
          : wrong(at, value, 'a list', 'write it in brackets: […]', type);
    }
    if (type.startsWith('{')) {
      const element = this.check(type.slice(1, -1));
      return (value, at) =>
        isRecord(value)
          ? allOf(Object.entries(value), ([key, each]) => element(each, `${at}.${brief(key)}`))
          : wrong(at, value, 'an object', 'write it in braces: { key: value }');
    }
    if (type === '@ApiObjectMetadata') return this.metadataCheck();
    return primitive(type) ?? foreignCheck(type) ?? this.ownCheck(type);
  }

  private oneOf(choices: readonly string[]): Check {
    const each = choices.map((choice) => this.check(choice));
    return (value, at) => {
      const tried = each.map((check) => check(value, at));
      if (tried.some((found) => found.length === 0)) return right;
      // one alternative has the right type, and the mistake is inside the value
      const inside = tried.find(([found]) => found.at !== at);
      return inside ?? [{ ...tried[0][0], must: tried.map(([found]) => found.must).join(' or ') }];
    };
  }

  /**
   * cdk8s copies the metadata before any rule reads it, and accepts only data. Labels may be tokens that are resolved
   * at synth.
   */
  private metadataCheck(): Check {
    const properties = METADATA.map((text) => this.parameter(text));
    const remedy = 'write it in braces: { name, labels, annotations … }';
    return (value, at) => {
      if (!isRecord(value) || isToken(value)) return wrong(at, value, 'an ApiObjectMetadata', remedy);
      const found = allOf(properties, (property) => propertyCheck(value, property, at));
      return found.length > 0 ? found : dataCheck(value, at, []);
    };
  }

  private ownCheck(name: string): Check {
    const { structs, interfaces, classes } = this.types;
    const named = withArticle(name);
    if (structs[name]) {
      const properties = structs[name].map((text) => this.parameter(text));
      const names = properties.map((property) => property.name);
      const some = names.slice(0, 3);
      const own = new Set(names);
      return (value, at) =>
        isRecord(value)
          ? joined(
              allOf(properties, (property) => propertyCheck(value, property, at)),
              this.unknown(value, own, at, name),
            )
          : wrong(at, value, named, `write it in braces: { ${some.join(', ')} … }`, name);
    }
    if (interfaces[name]) {
      const required = interfaces[name].map((text) => this.parameter(text)).filter(({ optional }) => !optional);
      const fields = required.map((property) => `${property.name}: …`).join(', ');
      const remedy = `pass a construct${fields === '' ? '' : `, or { ${fields} } of one that exists`}`;
      return (value, at) => {
        if (!isObject(value)) return wrong(at, value, named, remedy, name);
        const found = allOf(required, (property) => propertyCheck(value, property, at));
        return found.length > 0 && isPulumiResource(value)
          ? wrong(at, value, named, isComponent(value) ? COMPONENT : 'pass its name: { name: ….metadata.name }')
          : found;
      };
    }
    const { constants = [], statics = {} } = classes[name] ?? {};
    const ways = [...constants, ...Object.keys(statics).map((factory) => `${factory}(…)`)].map(
      (way) => `${name}.${way}`,
    );
    const remedy = ways.length > 0 ? `use ${listOf(ways)}` : `pass ${named}`;
    return (value, at) =>
      isObject(value) && this.isInstance(value, name) ? right : wrong(at, value, named, remedy, name);
  }

  /** Reports properties that the struct does not have, if another property was probably meant. */
  private unknown(
    value: Readonly<Record<string, unknown>>,
    names: ReadonlySet<string>,
    at: string,
    struct: string,
  ): readonly Wrong[] {
    const others = Object.keys(value).filter((name) => !names.has(name) && value[name] !== undefined);
    if (others.length === 0) return right;
    const found: Found = {
      properties: [...names],
      isGiven: (name) => value[name] !== undefined,
      isKnown: (name) => (this.known ??= this.allNames()).has(name),
      ofSubclass: this.ofSubclass && at === 'props',
    };
    // a construct passes its own props on to the constructs in it; options are written for one call, in braces: a
    // construct, too, can be passed where options are expected
    const isClosed = this.ofCall && isBare(value);
    return allOf(others, (name) => {
      const meant = this.singularOf(name, value, found, this.types.structs[struct]) ?? meantBy(name, found);
      if (!meant && isClosed) return this.extra(name, names, at, struct, found);
      if (!meant) return right;
      const { property, example } = meant;
      const remedy = `did you mean "${property}"?${example === undefined ? '' : ` Write ${property}: ${example}`}`;
      return [unknownProperty(struct, name, at, remedy)];
    });
  }

  /** Reports a property that options do not have, unless the object may be intended for other options, too. */
  private extra(
    name: string,
    names: ReadonlySet<string>,
    at: string,
    struct: string,
    { isKnown }: Found,
  ): readonly Wrong[] {
    const advice = adviceFor(name, names);
    if (advice === undefined && isKnown(name)) return right;
    const remedy = advice ?? (names.size > 0 ? `use ${listOf([...names])}` : 'remove it');
    return [unknownProperty(struct, name, at, remedy)];
  }

  /** Returns the list that was meant by its singular, such as `disks` by `disk`, if it accepts the value. */
  private singularOf(
    name: string,
    value: Readonly<Record<string, unknown>>,
    found: Found,
    texts: readonly string[],
  ): Meant | undefined {
    const text = found.ofSubclass ? undefined : texts.find((each) => each.startsWith(`${name}s?: [`));
    if (text === undefined || found.isGiven(`${name}s`)) return undefined;
    const item = value[name];
    const fits = this.wrongIn(text, [Array.isArray(item) ? item : [item]]).length === 0;
    return fits ? { property: `${name}s`, example: Array.isArray(item) ? undefined : '[…]' } : undefined;
  }

  private allNames(): ReadonlySet<string> {
    const { structs } = this.types;
    return new Set(Object.values(structs).flatMap((texts) => texts.map((text) => this.parameter(text).name)));
  }

  /** Recognizes instances of this copy of the library and of any other copy. */
  private isInstance(value: object, name: string): boolean {
    const type = this.types.classOf(name);
    return (type !== undefined && value instanceof type) || classNames(value).includes(name);
  }
}

interface Parameter {
  readonly name: string;
  readonly optional: boolean;
  readonly variadic: boolean;
  readonly check: Check;
}

/** Splits a union at its `|`, ignoring those inside a list or a map. */
function choicesOf(type: string): string[] {
  const choices = [''];
  let depth = 0;
  for (const letter of type) {
    if (letter === '|' && depth === 0) choices.push('');
    else choices[choices.length - 1] += letter;
    if (letter === '[' || letter === '{') depth += 1;
    if (letter === ']' || letter === '}') depth -= 1;
  }
  return choices;
}

function primitive(type: string): Check | undefined {
  const check =
    (fits: (value: unknown) => boolean, remedy: string): Check =>
    (value, at) =>
      fits(value) ? right : wrong(at, value, withArticle(type === 'date' ? 'Date' : type), remedy, type);
  if (type === 'any' || type === 'json') return (value, at) => boundCheck(value, at, 0, new Set());
  if (type === 'text') return (value, at) => (typeof value === 'string' || isToken(value) ? right : notText(at, value));
  if (type === 'string') return check((value) => typeof value === 'string', 'write it in quotes');
  if (type === 'boolean') return check((value) => typeof value === 'boolean', 'write true or false, without quotes');
  if (type === 'number') return check(Number.isFinite, 'write a number, without quotes');
  if (type === 'date') return check((value) => value instanceof Date, 'use new Date(…)');
  return undefined;
}

const notText = (at: string, got: unknown): readonly Wrong[] =>
  wrong(at, got, 'a string', 'write it in quotes', 'text');

function propertyCheck(value: object, { name, optional, check }: Parameter, at: string): readonly Wrong[] {
  const own = (value as Record<string, unknown>)[name];
  if (own === undefined && optional) return right;
  const where = at === '' ? name : `${at}.${name}`;
  if (own === undefined) return broken(where, 'there', MISSING);
  const found = check(own, where);
  return own === null && optional ? found.map((each) => ({ ...each, optional })) : found;
}

const COMPONENT = 'use the component of virt8s/pulumi instead of the construct, or pass both to fromChart';

const unknownProperty = (struct: string, name: string, at: string, remedy: string): Wrong => ({
  at: `${at}.${brief(name)}`,
  must: hasNo(struct, brief(name)),
  remedy,
  rule: 'unknown-property',
});
/** Message about a property that the properties or options of a call do not have. */
export const hasNo = (struct: string, property: string): string => `${struct} has no property "${property}"`;
