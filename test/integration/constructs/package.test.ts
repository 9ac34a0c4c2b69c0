import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { typesIn } from '../../../scripts/assembly/assembly';
import { apiPages } from '../../../scripts/assembly/pages';

const checkout = resolve(__dirname, '../../..');
const bin = (name: string): string => join(checkout, 'node_modules/.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'virt8s-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Docs {
  example?: string;
  summary?: string;
  remarks?: string;
  default?: string;
}
interface Property {
  name: string;
  optional?: boolean;
  static?: boolean;
  type: { primitive?: string };
  docs?: Docs;
}
interface Method {
  name: string;
  static?: boolean;
  protected?: boolean;
  parameters?: Property[];
  returns?: { type: { fqn?: string } };
  docs?: Docs;
}
interface Type {
  kind: string;
  name: string;
  fqn: string;
  base?: string;
  abstract?: boolean;
  docs?: Docs;
  datatype?: boolean;
  properties?: Property[];
  methods?: Method[];
  initializer?: { parameters?: Property[]; protected?: boolean };
}

const textOf = (...docs: (Docs | undefined)[]): string =>
  docs.map((each) => `${each?.summary} ${each?.remarks} ${each?.default}`).join(' ');

/** A bound, a unit, a default, or that something is counted. */
const SCALE = /\d|percent|bytes|Mbit|[Ss]econds|[Hh]ow (many|often)|[Nn]umber/;

/** Factories that refuse what never reaches a manifest: as their errors call them. */
function refusing(): string[] {
  const folder = join(checkout, 'src/constructs');
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const call = /\b(?:mistakeInCode|refuse|nameOf|ofKind|virtualMachine)\(\s*'([A-Z]\w+)/g;
  return sources.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(call)].map(([, type]) => type!),
  );
}

describe('the library as jsii sees it', () => {
  // jsii's assembly; does nothing if the sources did not change
  beforeAll(() => void execFileSync(bin('tsx'), ['scripts/library.ts'], { cwd: checkout, stdio: 'pipe' }));
  const types = (): Type[] => Object.values(typesIn(checkout)) as unknown as Type[];

  test('every type and property is documented, every optional property has its default', () => {
    const gaps = types().flatMap(({ name, docs, datatype, properties = [] }) => [
      ...(docs?.summary ? [] : [name]),
      ...properties
        .filter((property) => !property.docs?.summary || (datatype && property.optional && !property.docs.default))
        .map((property) => `${name}.${property.name}`),
    ]);
    expect(gaps).toEqual([]);
  });

  test('every method is documented', () => {
    const methods = types().flatMap(({ name, methods: all = [] }) => all.map((each) => ({ ...each, of: name })));
    expect(methods.filter(({ docs }) => !docs?.summary).map((each) => `${each.of}.${each.name}`)).toEqual([]);
  });

  test('every parameter of every method and constructor is described', () => {
    const gaps = types().flatMap(({ name, initializer, methods = [] }) =>
      [{ name: 'new', ...initializer }, ...methods.filter((method) => !method.protected)].flatMap((method) =>
        (method.parameters ?? [])
          .filter(({ docs }) => !docs?.summary)
          .map((parameter) => `${name}.${method.name}(${parameter.name})`),
      ),
    );
    expect(gaps).toEqual([]);
  });

  test('every construct and every factory has an example', () => {
    const all = new Map(types().map((type) => [type.fqn, type]));
    const extendsOne = (type: Type | undefined, base: string): boolean =>
      type !== undefined && (type.base === base || extendsOne(all.get(type.base ?? ''), base));
    const gaps = [...all.values()].flatMap((type) => {
      const isMade = extendsOne(type, 'constructs.Construct') && !type.abstract && type.initializer;
      // the way out of a choice has no typical use
      const factories = (type.methods ?? []).filter(
        ({ name, static: isStatic, returns }) =>
          isStatic && all.has(returns?.type.fqn ?? '') && !(name === 'of' && extendsOne(type, 'virt8s.Choice')),
      );
      return [
        ...(isMade && !type.docs?.example ? [type.name] : []),
        ...factories.filter(({ docs }) => !docs?.example).map(({ name }) => `${type.name}.${name}`),
      ];
    });
    expect(gaps).toEqual([]);
  });

  test('every number that a user writes documents its unit, its bounds, or what it counts', () => {
    const isNumber = ({ type }: Property): boolean => type.primitive === 'number';
    const gaps = types().flatMap(({ name, datatype, properties = [], methods = [] }) => [
      ...(datatype ? properties : [])
        .filter((each) => isNumber(each) && !SCALE.test(textOf(each.docs)))
        .map((each) => `${name}.${each.name}`),
      ...methods.flatMap((method) =>
        (method.parameters ?? [])
          .filter((each) => isNumber(each) && !SCALE.test(textOf(method.docs, each.docs)))
          .map((each) => `${name}.${method.name}(${each.name})`),
      ),
    ]);
    expect(gaps).toEqual([]);
  });

  test('a class whose factories reject values documents it', () => {
    const all = refusing();
    expect(all.length).toBeGreaterThan(20);
    const gaps = types()
      .filter(({ name, kind, initializer }) => kind === 'class' && !initializer && all.includes(name))
      .filter(({ docs, methods = [] }) => !/reject|[Tt]hrow/.test(textOf(docs, ...methods.map((each) => each.docs))));
    expect(gaps.map(({ name }) => name)).toEqual([]);
  });

  // The conventions: an existing object is referred to by fromName; sizes and durations are Size and Duration of cdk8s;
  // a vocabulary is a class of constants with of(); alternatives are a class of factories, and plain fields a struct.

  test('existing objects are referred to by fromName', () => {
    const factories = types().flatMap(({ name, methods = [] }) =>
      methods.filter((each) => each.static && /^from\w*Name$/.test(each.name)).map((each) => `${name}.${each.name}`),
    );
    expect(factories.length).toBeGreaterThan(4);
    expect(factories.filter((factory) => !factory.endsWith('.fromName'))).toEqual([]);
  });

  /** A time that may be negative, which a Duration cannot be, and a count. */
  const SCALARS = ['UtcClockOptions.offsetSeconds', 'WorkloadUpdate.batchSize'];

  test('sizes and durations are Size and Duration', () => {
    const named =
      /(^|[a-z])(size|memory|capacity|bytes|bandwidth|deadline|period|timeout|duration|interval|ttl|delay|maxAge|seconds)$/i;
    const gaps = types().flatMap(({ name, properties = [], methods = [] }) => [
      ...properties
        .filter((each) => each.type.primitive && each.type.primitive !== 'boolean' && named.test(each.name))
        .map((each) => `${name}.${each.name}`),
      ...methods.flatMap((method) =>
        (method.parameters ?? [])
          .filter((each) => each.type.primitive && named.test(each.name))
          .map((each) => `${name}.${method.name}(${each.name})`),
      ),
    ]);
    expect(gaps.filter((gap) => !SCALARS.includes(gap))).toEqual([]);
  });

  test('a vocabulary is a class of constants, never an enum or a string that lists its values', () => {
    expect(types().filter(({ kind }) => kind === 'enum')).toEqual([]);
    const lists = /`[\w-]+`(?:, `[\w-]+`)* or `[\w-]+`\./;
    const gaps = types().flatMap(({ name, datatype, properties = [] }) =>
      (datatype ? properties : [])
        .filter(({ type, docs }) => type.primitive === 'string' && lists.test(docs?.summary ?? ''))
        .filter(({ docs }) => !/such as/.test(docs?.summary ?? ''))
        .map((each) => `${name}.${each.name}`),
    );
    expect(gaps).toEqual([]);
    const choices = types().filter(({ base }) => base === 'virt8s.Choice');
    expect(choices.length).toBeGreaterThan(60);
    expect(choices.filter(({ properties = [] }) => !properties.some((each) => each.static))).toEqual([]);
  });

  test('a class is a construct, or has factories or constants and no public constructor', () => {
    const all = new Map(types().map((type) => [`virt8s.${type.name}`, type]));
    const isConstruct = (type: Type | undefined): boolean =>
      type !== undefined && (type.base === 'constructs.Construct' || isConstruct(all.get(type.base ?? '')));
    const constructors = types().filter(
      (type) => type.kind === 'class' && type.initializer && !type.initializer.protected && !isConstruct(type),
    );
    expect(constructors.map(({ name }) => name)).toEqual([]);
  });

  test('an imported VM has every request of a declared one', () => {
    const methodsOf = (wanted: string): string[] =>
      types()
        .find(({ name }) => name === wanted)!
        .methods!.filter((each) => !each.static)
        .map(({ name }) => name);
    const declared = methodsOf('VirtualMachine').filter((name) => name !== 'hotplug');
    expect(declared.length).toBeGreaterThan(4);
    expect(methodsOf('ImportedVirtualMachine')).toEqual(expect.arrayContaining(declared));
  });

  test('API.md and docs/api are current', () => {
    const pages = apiPages(typesIn(checkout));
    expect(pages.size).toBeGreaterThan(8);
    for (const [path, text] of pages) expect(readFileSync(join(checkout, path), 'utf8')).toBe(text);
    const written = readdirSync(join(checkout, 'docs/api')).map((name) => `docs/api/${name}`);
    expect(['API.md', ...written].sort()).toEqual([...pages.keys()].sort());
  });
});

describe('examples/hello-vm', () => {
  const output = join(folder, 'dist'); // cdk8s empties it
  const synth = (env: Record<string, string>): { kind: string; metadata: { name: string } }[] => {
    execFileSync(bin('cdk8s'), ['synth', '-o', output, '--no-check-upgrade'], {
      cwd: join(checkout, 'examples/hello-vm'),
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
    return parseAllDocuments(readFileSync(join(output, 'hello.k8s.yaml'), 'utf8')).map((document) => document.toJSON());
  };

  test('synthesizes a VM and its Service, both named hello', () => {
    const objects = synth({ SSH_PUBLIC_KEY_FILE: '/nonexistent' });
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'VirtualMachine/hello',
      'Service/hello',
    ]);
    expect(JSON.stringify(objects)).not.toContain('ssh_authorized_keys');
  });

  test('carries the key that the environment names', () => {
    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
    expect(JSON.stringify(synth({ SSH_PUBLIC_KEY_FILE: `${key}.pub` }))).toContain(publicKey);
  });
});
