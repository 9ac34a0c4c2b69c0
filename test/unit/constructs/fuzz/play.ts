import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { admit, clusterConfig, contextOf, type KubeObject } from '../../../../src/api';
import { WorkCounter } from '../../../support/work';
import { type AnyFunction, CANARY, constructClasses, type Draw, exported, signatures, Values } from './values';
import { UsersOwn } from './weird';

/** Errors that cdk8s and constructs document. */
const ofLibraries =
  /^(There is already a Construct with name '|Only root constructs may have an empty ID|cannot find a parent chart|unable to synthesize)/;
const oneMistake = /^[^\n]+: [^\n]+\n {2}[^\n]+ \[[a-z0-9-]+\]$/;
const MOST_TEXT = 2_000;
/** Limit of the functions called for one program; a program that writes much may do more. */
const MOST_CALLS = 4_000_000;
const MOST_CALLS_PER_LETTER = 60;
const work = new WorkCounter();

const context = contextOf(
  clusterConfig({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: {}, spec: {} } as never),
);

/** Counts of what happened, for the report. */
export const seen: Record<string, number> = {};
const count = (what: string): void => void (seen[what] = (seen[what] ?? 0) + 1);

/** Checks the form of a message: cause, place, remedy and rule, in a readable length. */
export function badlyTold(error: unknown): string | undefined {
  if (error instanceof UsersOwn) return undefined;
  if (!(error instanceof Error)) return `${typeof error} was thrown`;
  const { name, message, stack } = error;
  if (message.includes(CANARY)) return `a secret is repeated: ${message.slice(0, 600)}`;
  if (name === 'Error' && ofLibraries.test(message)) {
    return message.length > MOST_TEXT ? 'an error of the library that is too long' : undefined;
  }
  const flaw = (what: string): string =>
    `${what}: ${name}: ${message.slice(0, 600)}\n${stack?.split('\n    at ').slice(1, 9).join('\n    at ')}`;
  const synth = message.startsWith('Validation failed with the following errors:');
  if (!synth && name !== 'ValidationError') return flaw('not a ValidationError');
  const rules = message.match(/ \[[a-z0-9-]+\]$/gm)?.length ?? 0;
  if (rules === 0) return flaw('no rule');
  if (message.length > MOST_TEXT * (rules + 1)) return flaw(`${message.length} letters for ${rules} mistakes`);
  if (!synth && rules === 1 && !oneMistake.test(message)) return flaw('not in the form of one mistake');
  return undefined;
}

/** One program of a user: makes constructs, calls their methods, and synthesizes. Throws when a message has a flaw. */
export class Play {
  private readonly values: Values;
  private readonly log: string[] = [];
  private readonly folder = mkdtempSync(join(tmpdir(), 'virt8s-fuzz-'));
  private readonly app: App;
  /** Objects that the user changed past all rules. */
  private readonly patched = new Set<string>();

  public constructor(
    private readonly draw: Draw,
    wrong: number,
    private readonly only: readonly string[] = constructClasses,
  ) {
    this.values = new Values(draw, wrong);
    this.values.tried = (code, given, call, on) => this.attempt(code, given, call, on);
    const yamlOutputType = this.values.pick([
      YamlOutputType.FILE_PER_CHART,
      YamlOutputType.FILE_PER_CHART,
      YamlOutputType.FILE_PER_APP,
      YamlOutputType.FILE_PER_RESOURCE,
      YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
    ]);
    this.app = new App({ outdir: join(this.folder, 'dist'), yamlOutputType });
  }

  public run(): void {
    work.take();
    try {
      this.constructs();
      this.synth();
      const calls = work.take();
      const letters = filesOf(this.app.outdir).reduce((sum, [, text]) => sum + text.length, 0);
      const most = MOST_CALLS + MOST_CALLS_PER_LETTER * letters;
      if (calls > most) this.fail(`took ${calls} calls of functions for ${letters} letters; the limit is ${most}`);
      if ('polluted' in {}) this.fail('Object.prototype was changed');
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  /** Calls one factory. */
  public static factory(draw: Draw, wrong: number, type: string, method: string, takes: readonly string[]): void {
    const play = new Play(draw, wrong);
    try {
      const made = play.values.factory(type, method, takes, 0);
      if (made !== undefined) play.read(`${type}.${method}`, made as object);
    } finally {
      rmSync(play.folder, { recursive: true, force: true });
    }
  }

  private constructs(): void {
    const { values } = this;
    const charts = ['web', 'data'].map(
      (id) =>
        new Chart(this.app, id, {
          disableResourceNameHashes: values.once(2),
          namespace: values.once(2) ? 'ns' : undefined,
        }),
    );
    const amount = 1 + this.draw(3);
    for (let i = 0; i < amount; i += 1) {
      const type = values.pick(this.only);
      const [, , props] = signatures.classes[type].init!;
      const scope = values.wrong0(40)
        ? values.wrongValue()
        : values.constructs.length > 0 && values.once(12)
          ? values.pick(values.constructs)
          : values.pick(charts);
      const id = values.wrong0(20) ? values.wrongValue() : values.once(30) ? 'c0' : `c${i}`;
      const given = [scope, id, ...values.given([props], 0)];
      const made = this.attempt(
        `new ${type}`,
        given,
        (...all: unknown[]) => new (exported[type] as never as new (...all: unknown[]) => object)(...all),
        undefined,
      );
      if (made === undefined) continue;
      values.constructs.push(made as object);
      this.methods(`c${i}`, type, made as object);
      this.patch(made as never);
    }
  }

  private methods(code: string, type: string, made: object): void {
    this.read(code, made);
    const calls = methodsOf(made, type);
    for (let n = this.draw(4); n > 0 && calls.length > 0; n -= 1) {
      const [on, method, takes] = this.values.pick(calls);
      const given = this.values.given(takes, 1);
      const result = this.attempt(`${code}.${method}`, given, (on as Record<string, AnyFunction>)[method], on);
      if (result !== undefined && typeof result === 'object') this.read(`${code}.${method}()`, result as object);
    }
    this.read(code, made);
  }

  private patch(made: { readonly apiObject?: ApiObject }): void {
    if (!made.apiObject || !this.values.once(12)) return;
    const value = this.values.wrongValue();
    // a ConfigMap has no spec
    const inner = made.apiObject.kind === 'ConfigMap' ? '/data/kubevirt.json' : '/spec/template';
    const patch = this.values.pick([
      () => JsonPatch.add('/metadata/labels', value),
      () => JsonPatch.add('/spec', value),
      () => JsonPatch.replace('/kind', value),
      () => JsonPatch.add(inner, value),
    ])();
    this.log.push(`apiObject.addJsonPatch(${this.values.show(patch)})`);
    made.apiObject.addJsonPatch(patch);
    this.patched.add(made.apiObject.name);
  }

  /** All that can be read of an object. */
  private read(code: string, made: object): void {
    for (
      let at = Object.getPrototypeOf(made) as object;
      at && at !== Object.prototype;
      at = Object.getPrototypeOf(at) as object
    ) {
      for (const [key, { get }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
        if (get && !key.startsWith('_'))
          this.attempt(`${code}.${key}`, [], () => get.call(made) as unknown, made, true);
      }
    }
  }

  private attempt(code: string, given: readonly unknown[], call: AnyFunction, on: unknown, quiet = false): unknown {
    if (!quiet) this.log.push(`${code}(${given.map((each) => this.values.show(each)).join(', ')})`);
    try {
      const made = this.values.call(code, given, (...all: unknown[]) => call.apply(on, all) as unknown);
      count('calls that were taken');
      return made;
    } catch (error) {
      count('calls that were refused');
      const bad = badlyTold(error);
      if (bad) this.fail(bad);
      return undefined;
    }
  }

  private synth(): void {
    const before = this.values.once(2);
    if (before) {
      mkdirSync(this.app.outdir);
      writeFileSync(join(this.app.outdir, 'web.k8s.yaml'), 'old: result\n');
      writeFileSync(join(this.app.outdir, 'data.k8s.yaml'), 'older: result\n');
    }
    const old = filesOf(this.app.outdir);
    try {
      this.app.synth();
    } catch (error) {
      count('synths that were refused');
      const bad = badlyTold(error);
      if (bad) this.fail(`synth: ${bad}`);
      if (JSON.stringify(filesOf(this.app.outdir)) !== JSON.stringify(old)) this.fail('the folder is half-written');
      return;
    }
    count('synths that were written');
    const written = filesOf(this.app.outdir);
    for (const [file, text] of written)
      if (!old.some(([each, was]) => each === file && was === text)) this.check(file, text);
    try {
      this.app.synth();
    } catch (error) {
      this.fail(`the second synth: ${(error as Error).stack}`);
    }
    if (JSON.stringify(filesOf(this.app.outdir)) !== JSON.stringify(written))
      this.fail('the second synth wrote something else');
  }

  /** Checks that all written files are YAML which admission accepts. */
  private check(file: string, text: string): void {
    for (const document of parseAllDocuments(text, { version: '1.1' })) {
      if (document.errors.length > 0) this.fail(`${file} is not YAML: ${document.errors[0].message}`);
      const object = document.toJS() as KubeObject | null;
      if (!object) continue;
      count('objects that were written');
      if (this.patched.has(object.metadata?.name ?? '') || this.patched.has(`${object.kind}`)) continue;
      const { errors } = admit(object, context);
      const [first] = errors.filter(({ rule }) => !openWorld.has(rule));
      if (first)
        this.fail(`written, and refused by admission: ${first.path}: ${first.cause.slice(0, 600)} [${first.rule}]`);
    }
  }

  private fail(what: string): never {
    throw new Error(`${what}\n\nThe program:\n${this.log.join('\n').slice(-6_000)}`);
  }
}

/** Rules about what the cluster holds. */
const openWorld = new Set(['migration-instance', 'clone-source']);

function methodsOf(made: object, type: string): (readonly [on: object, method: string, takes: readonly string[]])[] {
  const found: (readonly [object, string, readonly string[]])[] = [];
  for (const [name, { methods = {} }] of Object.entries(signatures.classes)) {
    const cls = exported[name];
    if (typeof cls !== 'function') continue;
    const facets = [made, (made as Record<string, unknown>).devices, (made as Record<string, unknown>).scheduling];
    for (const on of facets) {
      if (typeof on !== 'object' || on === null || !(on instanceof (cls as never as new () => object))) continue;
      for (const [method, takes] of Object.entries(methods)) found.push([on, method, takes]);
    }
  }
  void type;
  return found;
}

/** Names and texts of all files in a folder, sorted. */
function filesOf(folder: string): (readonly [string, string])[] {
  try {
    return (readdirSync(folder, { recursive: true }) as string[])
      .sort()
      .filter((file) => statSync(join(folder, file)).isFile())
      .map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
  } catch {
    return [];
  }
}
