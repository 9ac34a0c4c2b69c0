import { App, Chart, Duration, JsonPatch, Size } from 'cdk8s';
import { Construct } from 'constructs';
import * as virt8s from '../../../../src';
import { SIGNATURES } from '../../../../src/constructs/generated/signatures';
import { odd, wrongValues } from './weird';

interface ClassSignature {
  readonly init?: readonly string[];
  readonly constants?: readonly string[];
  readonly statics?: Readonly<Record<string, readonly string[]>>;
  readonly methods?: Readonly<Record<string, readonly string[]>>;
}

/** Parameters of the library's functions, from the table that is checked at run time. */
export const signatures = JSON.parse(SIGNATURES) as {
  readonly structs: Readonly<Record<string, readonly string[]>>;
  readonly interfaces: Readonly<Record<string, readonly string[]>>;
  readonly classes: Readonly<Record<string, ClassSignature>>;
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- everything is called with everything
export type AnyFunction = (...given: any[]) => any;
export const exported = virt8s as unknown as Readonly<Record<string, AnyFunction & Record<string, unknown>>>;

/** Classes whose objects are constructs: `new X(scope, id, props)`. */
export const constructClasses = Object.entries(signatures.classes).flatMap(([name, { init }]) =>
  init?.[0] === 'scope: #Construct' && !['Guest', 'Resource', 'ImportedVirtualMachine'].includes(name) ? [name] : [],
);

/** Static factories of a class: those that take something, and those that take nothing. */
export function factoriesOf(name: string): (readonly [method: string, takes: readonly string[]])[] {
  const type = exported[name];
  const known = signatures.classes[name]?.statics ?? {};
  const own = type ? Object.getOwnPropertyNames(type) : [];
  return (
    own
      .filter((each) => !/^(length|name|prototype|_.*)$/.test(each) && typeof type[each] === 'function')
      // private ones take something, and are not in the table
      .filter((each) => known[each] || (type[each] as AnyFunction).length === 0)
      .map((each) => [each, known[each] ?? []])
  );
}

/** Chooses a number below the limit. */
export type Draw = (count: number) => number;

/** Values that fit some property of the API: by the last word of its name. */
const hints: readonly (readonly [RegExp, readonly unknown[]])[] = [
  [/mac/i, ['02:00:00:12:34:56', '02-00-00-12-34-56']],
  [/url|endpoint|server/i, ['https://mirror.example/os.qcow2', 's3://bucket/key', 'http://user:word@h.example/x']],
  [/image/i, ['registry.example/os:1', 'docker://registry.example/os:1']],
  [/path|mountpoint|folder/i, ['/etc/motd', '/disks/a.img', '/dev/vdb', 'a/b']],
  [/cidr|subnet|range|addresses|gateway/i, ['10.0.2.0/24', 'fd10::/120', '192.0.2.5/24', '192.0.2.1']],
  [/ip(s|address|4|6)?$/i, ['192.0.2.5', '2001:db8::1']],
  [/cron|schedule/i, ['0 3 * * *', '*/5 * * * *', '@daily']],
  [/quantity|amount|requests|limits|cpu|memory/i, ['1', '500m', '2Gi', '64Mi']],
  [/key/i, ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA me', 'key']],
  [/xml|answer/i, ['<unattend xmlns="urn:schemas-microsoft-com:unattend"/>']],
  [/userdata|text|content|document|config/i, ['#cloud-config\n{}\n', '#!/bin/sh\ntrue\n', 'text', '{}', 'a: b']],
  [/resource|device|label|taint|annotation/i, ['example.com/gpu', 'team', 'example.com/a=b:NoSchedule']],
  [/uuid|uid/i, ['5d307ca9-b3ef-428c-8861-06e72d69f223']],
  [/host|domain|fqdn/i, ['web.example.com', 'web']],
  [/address/i, ['0000:81:00.0', '192.0.2.1', '02:00:00:12:34:56']],
  [/port/i, [80, 443, 8080]],
  [/mode|permissions/i, ['0644']],
];
/** Is in texts that may hold a secret, and in no message. */
export const CANARY = 'CANARYhunter2';
const SECRETS =
  /^(args|authorizedKeys|bootcmd|command|config|content|extraHeaders|finalMessage|firstLogonCommands|setupCommands|headers|key|gpgKey|message|networkConfig|post|raw|runcmd|script|session|sshKeys|sudoRules|text|userData|xml)$/;
const words = [
  'web',
  'db-1',
  'root',
  'data',
  'example.com/x',
  'vm',
  'default',
  '1.2.3.4',
  '80',
  'Ab_c',
  'b'.repeat(64),
];
const numbers = [0, 1, 2, 3, 4, 8, 10, 80, 100, 512, 1024, 4096, 65535, 65536, 0.5, -1, 1e6, 2 ** 31, 2 ** 53, 1e21];

/** Values of the types in signatures; sometimes a value of another type. */
export class Values {
  /** Constructs of the app, which others may be given. */
  public readonly constructs: object[] = [];
  /** Code that created each object, for the report of a failure. */
  private readonly code = new WeakMap<object, string>();

  /** `wrong`: one of this many values is wrong; 0 for none. */
  public constructor(
    private readonly draw: Draw,
    private readonly wrong: number,
  ) {}

  public pick<T>(from: readonly T[]): T {
    return from[this.draw(from.length)];
  }

  /** Whether to do something that is done once in this many times. */
  public once(times: number): boolean {
    return this.draw(times) === 0;
  }

  /** Like `once`, but never if no value may be wrong. */
  public wrong0(times: number): boolean {
    return this.wrong > 0 && this.once(times);
  }

  public given(parameters: readonly string[], depth = 0): unknown[] {
    return parameters.flatMap((text) => {
      const { name, optional, variadic, type } = parameter(text);
      if (variadic) return Array.from({ length: this.draw(3) }, () => this.value(type, name, depth));
      return optional && this.once(3) ? [] : [this.value(type, name, depth)];
    });
  }

  public value(type: string, name: string, depth: number): unknown {
    if (this.wrong > 0 && this.once(this.wrong)) return this.wrongValue();
    const sides = split(type);
    const side = this.pick(sides);
    if (side.startsWith('[')) {
      return Array.from({ length: this.draw(depth > 3 ? 2 : 4) }, () => this.value(side.slice(1, -1), name, depth + 1));
    }
    if (side.startsWith('{')) {
      const keys = Array.from({ length: this.draw(3) }, () => this.text('label'));
      const entries = keys.map((key) => [key, this.value(side.slice(1, -1), name, depth + 1)] as const);
      return Object.fromEntries(entries);
    }
    return this.single(side, name, depth);
  }

  /** A value of no matter which type. */
  public wrongValue(): unknown {
    return this.once(4) ? this.pick(odd) : this.pick(wrongValues)();
  }

  public text(name: string): string {
    if (SECRETS.test(name) && this.once(4))
      return this.pick([CANARY, `#cloud-config\npassword: ${CANARY}\n`, `a: b\n${CANARY}`]);
    if (/url/i.test(name) && this.once(3))
      return `${this.pick(['https', 'ftp', 'docker', ''])}://me:${CANARY}@a.example/?${CANARY}`;
    if (this.wrong > 0 && this.once(this.wrong * 2)) return this.pick(odd);
    const fitting = hints.flatMap(([pattern, some]) => (pattern.test(name) ? some : []));
    return String(fitting.length > 0 && !this.once(4) ? this.pick(fitting) : this.pick(words));
  }

  /** The code that makes a value, shortened. */
  public show(value: unknown, depth = 0): string {
    if (typeof value === 'string')
      return value.length > 80 ? `'${value.slice(0, 8)}'×${value.length}` : JSON.stringify(value);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return String(value);
    if (depth > 6) return '…';
    try {
      const made = this.code.get(value);
      if (made !== undefined) return made;
      if (Construct.isConstruct(value))
        return `<${(value as Construct).constructor.name} ${(value as Construct).node.path}>`;
      if (Array.isArray(value) && value.length > 50) return `<${value.length} items>`;
      if (Array.isArray(value)) return `[${value.map((each) => this.show(each, depth + 1)).join(', ')}]`;
      const plain = Object.entries(value).map(([key, each]) => `${key}: ${this.show(each, depth + 1)}`);
      const type = Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null;
      return `${type?.constructor === Object ? '' : `${type?.constructor?.name} `}{ ${plain.join(', ')} }`;
    } catch {
      return '<unreadable>';
    }
  }

  /** Calls and remembers how. */
  public call(code: string, given: readonly unknown[], make: AnyFunction): unknown {
    const made: unknown = make(...given);
    if (typeof made === 'object' && made !== null && !this.code.has(made)) {
      this.code.set(made, `${code}(${given.map((each) => this.show(each)).join(', ')})`);
    }
    return made;
  }

  private single(type: string, name: string, depth: number): unknown {
    switch (type) {
      case 'string':
        return this.text(name);
      case 'number':
        return this.pick(numbers);
      case 'boolean':
        return this.once(2);
      case 'date':
        return new Date(1e12);
      case 'any':
      case 'json':
        return this.anything(name, depth);
      case '#Size':
        return this.pick([
          Size.gibibytes(1),
          Size.mebibytes(64),
          Size.kibibytes(4),
          Size.gibibytes(0),
          Size.tebibytes(9e3),
        ]);
      case '#Duration':
        return this.pick([
          Duration.minutes(5),
          Duration.seconds(1),
          Duration.hours(30),
          Duration.millis(1500),
          Duration.days(999),
        ]);
      case '#JsonPatch':
        return this.pick([
          JsonPatch.add('/metadata/labels/a', 'b'),
          JsonPatch.remove('/spec/none'),
          JsonPatch.replace('/spec', {}),
        ]);
      case '#Construct':
        return this.constructs.length > 0 && this.once(6) ? this.pick(this.constructs) : new Chart(new App(), 'other');
      case '@ApiObjectMetadata':
        return this.fields({
          name: () => this.text('metadata'),
          namespace: () => this.text('metadata'),
          labels: () => ({ [this.text('label')]: this.value('string', 'value', depth + 1) }),
          annotations: () => ({ [this.text('label')]: this.value('string', 'value', depth + 1) }),
          finalizers: () => [this.text('label')],
        });
      case '@LabelSelector':
        return this.fields({
          matchLabels: () => ({ [this.text('label')]: this.text('value') }),
          matchExpressions: () => [{ key: 'a', operator: this.pick(['In', 'Exists', 'Nope']), values: ['b'] }],
        });
      case '@Toleration':
        return this.fields({ key: () => 'a', operator: () => this.pick(['Exists', 'Equal', 'No']), value: () => 'b' });
      case 'INamedObject':
      case 'IServiceTarget':
      case 'IGuestPods':
      case 'IPodTarget':
        if (this.constructs.length > 0 && !this.once(3)) return this.pick(this.constructs);
        return this.fields({ name: () => this.text('name'), metadata: () => ({ namespace: this.text('name') }) }, [
          'name',
        ]);
    }
    const struct = signatures.structs[type];
    if (struct) return this.struct(struct, depth);
    if (/^[@#]/.test(type)) return this.anything(name, depth);
    return this.instance(type, depth);
  }

  private struct(properties: readonly string[], depth: number): unknown {
    const some = Math.max(2, Math.ceil(properties.length / (depth > 2 ? 1.5 : 4)));
    const made: Record<string, unknown> = {};
    for (const text of properties) {
      const { name, optional, type } = parameter(text);
      if (optional ? !this.once(some) : this.wrong > 0 && this.once(this.wrong)) continue;
      made[name] = this.value(type, name, depth + 1);
    }
    if (this.wrong > 0 && this.once(this.wrong * 2)) made[this.pick(odd)] = this.wrongValue();
    return this.wrong > 0 && this.once(this.wrong * 4) ? Object.freeze(made) : made;
  }

  /** An object of one of our classes: what nobody could make is nothing. */
  private instance(type: string, depth: number): unknown {
    const { constants = [] } = signatures.classes[type] ?? {};
    const cls = exported[type];
    const factories = factoriesOf(type).filter(([, takes]) => !takes[0]?.startsWith('scope'));
    if (constants.length > 0 && (factories.length === 0 || depth > 4 || !this.once(4)))
      return cls[this.pick(constants)];
    for (let tries = 0; tries < 3 && factories.length > 0; tries += 1) {
      const [method, takes] = this.pick(factories);
      const made = this.factory(type, method, takes, depth);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  /** Result of a factory; undefined if it throws a mistake. */
  public factory(type: string, method: string, takes: readonly string[], depth: number): unknown {
    const given = this.given(takes, depth + 1);
    return this.tried(`${type}.${method}`, given, exported[type][method] as AnyFunction, exported[type]);
  }

  /** To be replaced: how a call is made that may be refused. */
  public tried: (code: string, given: readonly unknown[], call: AnyFunction, on: unknown) => unknown = (
    code,
    given,
    call,
    on,
  ) => this.call(code, given, (...all: unknown[]) => call.apply(on, all) as unknown);

  private fields(makers: Readonly<Record<string, () => unknown>>, required: readonly string[] = []): object {
    return Object.fromEntries(
      Object.entries(makers).flatMap(([key, make]) =>
        required.includes(key) || this.once(3)
          ? [[key, this.wrong > 0 && this.once(this.wrong) ? this.wrongValue() : make()] as const]
          : [],
      ),
    );
  }

  private anything(name: string, depth: number): unknown {
    const leaf = depth > 5 || this.once(2);
    if (leaf) return this.once(2) ? this.text(name) : this.pick<unknown>([1, 0.5, true, false, null, '', 'a', [], {}]);
    if (this.once(2)) return Array.from({ length: this.draw(3) }, () => this.anything(name, depth + 1));
    const keys = ['spec', 'domain', 'users', 'version', 'ethernets', 'type', 'name', 'devices', 'runcmd', 'cpu'];
    return Object.fromEntries(
      Array.from({ length: this.draw(3) }, () => [this.pick(keys), this.anything(name, depth + 1)]),
    );
  }
}

function parameter(text: string): { name: string; optional: boolean; variadic: boolean; type: string } {
  const [, name, optional, variadic, type] = /^(\w+)(\?)?(\*)?: (.*)$/.exec(text) as RegExpExecArray;
  return { name, optional: optional !== undefined, variadic: variadic !== undefined, type };
}

/** Sides of a union. */
function split(type: string): string[] {
  const sides = [''];
  let depth = 0;
  for (const letter of type) {
    depth += '[{'.includes(letter) ? 1 : 0;
    depth -= ']}'.includes(letter) ? 1 : 0;
    if (letter === '|' && depth === 0) sides.push('');
    else sides[sides.length - 1] += letter;
  }
  return sides;
}
