import { ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  ConflictError,
  PatchError,
  serverSideApply,
  strategicMergePatch,
  updateManagedFields,
} from '../../src/local/api-server/patch';
import { builtinSchema, TypeSchema } from '../../src/local/api-server/schema';
import { cacheDir } from '../../src/local/engine/cache';
import { sorted } from './normal';

interface Request {
  do: 'apply' | 'update' | 'strategic';
  kind: string;
  apiVersion: string;
  live?: object;
  object: object;
  manager?: string;
  force?: boolean;
}

interface Outcome {
  object?: object;
  error?: string;
}

/** Kubernetes' apply and strategic merge of built-in types, in a process of their own. */
class MergeOracle {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>;
  private readonly waiting: ((answer: Outcome) => void)[] = [];

  public constructor() {
    const bin = join(cacheDir(), 'oracle/merge');
    if (!existsSync(bin)) throw new Error(`${bin} is missing; run scripts/oracle/build.sh`);
    this.child = spawn(bin, [], { stdio: ['pipe', 'pipe', 'ignore'] });
    createInterface(this.child.stdout).on('line', (line) => this.waiting.shift()?.(JSON.parse(line) as Outcome));
  }

  public send(request: Request): Promise<Outcome> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.child.stdin.write(`${JSON.stringify(request)}\n`);
    });
  }

  public stop(): void {
    this.child.stdin.end();
  }
}

function ours({ do: what, kind, apiVersion, live, object, manager = '', force }: Request): Outcome {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const schema = builtinSchema(group, version, kind) as TypeSchema;
  const common = { manager, apiVersion, schema, now: new Date() };
  try {
    if (what === 'strategic') return { object: strategicMergePatch(live, object, schema) as object };
    if (what === 'apply')
      return { object: serverSideApply({ ...common, live, config: object, force, kind }).object as object };
    return { object: updateManagedFields({ ...common, live, next: object, operation: 'Update' }) as object };
  } catch (error) {
    if (error instanceof PatchError || error instanceof ConflictError) return { error: error.message };
    throw error;
  }
}

function normal({ object, error }: Outcome): unknown {
  // several conflicts come in no order
  if (error !== undefined) return { error: error.split('\n').sort().join('\n') };
  const copy = structuredClone(object ?? {}) as { metadata?: { managedFields?: { time?: string }[] } };
  for (const entry of copy.metadata?.managedFields ?? []) if (entry.time) entry.time = 'some time';
  const entries = (copy.metadata?.managedFields ?? []).map((e) => JSON.stringify(sorted(e))).sort();
  if (copy.metadata?.managedFields) (copy.metadata as { managedFields: unknown }).managedFields = entries;
  return sorted(copy);
}

const word = fc.constantFrom('a', 'b', 'c');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const labels = fc.dictionary(word, word, { maxKeys: 2, noNullPrototype: true });
const unique = <T>(value: fc.Arbitrary<T>, key: (v: T) => string, minLength = 0) =>
  fc.uniqueArray(value, { selector: key, maxLength: 3, minLength });

const container = fc.record({
  name: word,
  image: maybe(word),
  args: maybe(fc.array(word, { maxLength: 2 })),
  env: maybe(unique(fc.record({ name: word, value: maybe(word) }), (e) => e.name)),
  ports: maybe(unique(fc.record({ containerPort: fc.constantFrom(80, 443), protocol: maybe(fc.constantFrom('TCP', 'UDP')), name: maybe(word) }), (p) => `${p.containerPort}/${p.protocol ?? 'TCP'}`)),
  resources: maybe(fc.record({ limits: maybe(fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2'), { noNullPrototype: true })) })),
  volumeMounts: maybe(unique(fc.record({ name: word, mountPath: fc.constantFrom('/a', '/b') }), (v) => v.mountPath)),
}); // prettier-ignore

const podSpec = fc.record({
  containers: maybe(unique(container, (c) => c.name)),
  volumes: maybe(unique(fc.oneof(fc.record({ name: word, emptyDir: fc.constant({}) }), fc.record({ name: word, configMap: fc.record({ name: word }) })), (v) => v.name)),
  tolerations: maybe(fc.array(fc.record({ key: word, value: maybe(word) }), { maxLength: 2 })),
  nodeSelector: maybe(labels),
  terminationGracePeriodSeconds: maybe(fc.integer({ min: 0, max: 2 })),
  securityContext: maybe(fc.record({ fsGroup: maybe(fc.constant(5)), supplementalGroups: maybe(fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 })) })),
  hostAliases: maybe(unique(fc.record({ ip: word, hostnames: fc.array(word, { maxLength: 2 }) }), (h) => h.ip)),
}); // prettier-ignore

const serviceSpec = fc.record({
  ports: maybe(unique(fc.record({ port: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP'), name: maybe(word), targetPort: maybe(fc.constantFrom(8080, 'http')) }), (p) => `${p.port}/${p.protocol}`)),
  selector: maybe(labels),
  externalIPs: maybe(fc.array(word, { maxLength: 2 })),
  type: maybe(word),
}); // prettier-ignore

const metadata = fc.record({
  name: fc.constant('n'),
  labels: maybe(labels),
  annotations: maybe(labels),
  finalizers: maybe(fc.uniqueArray(word, { maxLength: 2 })),
  ownerReferences: maybe(unique(fc.record({ apiVersion: fc.constant('v1'), kind: word, name: word, uid: word }), (o) => o.uid)),
}); // prettier-ignore

const object = fc.oneof(
  fc.record({ apiVersion: fc.constant('v1'), kind: fc.constant('Pod'), metadata, spec: podSpec }),
  fc.record({ apiVersion: fc.constant('v1'), kind: fc.constant('Service'), metadata, spec: serviceSpec }),
  fc.record({ apiVersion: fc.constant('apps/v1'), kind: fc.constant('Deployment'), metadata, spec: fc.record({ replicas: maybe(fc.constant(2)), selector: maybe(fc.record({ matchLabels: labels })), template: maybe(fc.record({ metadata, spec: podSpec })) }) }),
  fc.record({ apiVersion: fc.constant('v1'), kind: fc.constant('ConfigMap'), metadata, data: maybe(labels) }),
); // prettier-ignore

/** Objects of one kind, as JSON has them: no undefined fields. */
const history = fc
  .array(object, { minLength: 1, maxLength: 40 })
  .map((list) => (JSON.parse(JSON.stringify(list)) as { kind: string; apiVersion: string }[]).filter((o, _, [first]) => o.kind === first?.kind).slice(0, 5)); // prettier-ignore

const step = fc.record({ update: fc.nat(4), force: fc.boolean(), manager: fc.constantFrom('one', 'two') });

/** Sprinkles a patch with what only patches have. */
function withDirectives(patch: object, choice: number): object {
  const spec = (patch as { spec?: Record<string, unknown> }).spec;
  if (!spec) return patch;
  const list = (spec.containers ?? spec.ports) as Record<string, unknown>[] | undefined;
  if (choice === 1 && list?.[0]) list[0] = { ...list[0], $patch: 'delete' };
  if (choice === 2 && list) list.push({ $patch: 'replace' });
  if (choice === 3) spec.nodeSelector = null;
  if (choice === 4 && spec.containers) {
    const order = [...(spec.containers as { name: string }[])].reverse().map(({ name }) => ({ name }));
    spec['$setElementOrder/containers'] = [...order, { name: 'z' }].slice(0, order.length + 1);
    (spec.containers as unknown[]).reverse();
  }
  if (choice === 5) spec.$patch = 'replace';
  return patch;
}

/** Random histories of built-in objects, and random strategic merges, on both sides. */
export async function compareBuiltin(runs: number, seed?: number): Promise<{ compared: number; failed: number }> {
  const oracle = new MergeOracle();
  let compared = 0;
  const same = async (given: Request): Promise<Outcome> => {
    const request = JSON.parse(JSON.stringify(given)) as Request;
    const theirs = await oracle.send(request);
    const mine = ours(request);
    compared++;
    const [a, b] = [normal(theirs), normal(mine)];
    if (!isDeepStrictEqual(a, b))
      throw new Error(`${JSON.stringify(request)}\n  theirs ${JSON.stringify(a)}\n  ours   ${JSON.stringify(b)}`);
    return theirs;
  };
  const applied = fc.asyncProperty(history, fc.array(step, { minLength: 5, maxLength: 5 }), async (objects, steps) => {
    let live: { metadata?: { uid?: string } } | undefined;
    for (const [i, next] of objects.entries()) {
      const { update, force, manager } = steps[i] ?? { update: 0, force: false, manager: 'one' };
      const what = update === 0 ? 'update' : 'apply';
      const { kind, apiVersion } = next;
      const stored = structuredClone(next) as typeof live & object;
      if (what === 'update') stored.metadata = { ...stored.metadata, uid: live ? 'u' : undefined };
      const { object: result } = await same({ do: what, kind, apiVersion, live, object: stored, manager, force });
      if (result) live = { ...result, metadata: { ...(result as { metadata?: object }).metadata, uid: 'u' } };
    }
  });
  const merged = fc.asyncProperty(history, fc.nat(6), async (objects, choice) => {
    const [live, patch = live] = objects;
    if (!live || !patch) return;
    const { kind, apiVersion } = live;
    await same({ do: 'strategic', kind, apiVersion, live, object: withDirectives(structuredClone(patch), choice) });
  });
  let failed = 0;
  for (const [name, property] of Object.entries({ 'built-in apply': applied, 'strategic merge': merged })) {
    const before = compared;
    const result = await fc.check(property as fc.IAsyncProperty<unknown>, {
      numRuns: runs,
      ...(seed === undefined ? {} : { seed }),
    });
    if (result.failed) {
      failed++;
      console.log((result.errorInstance as Error | null)?.message, fc.defaultReportMessage(result));
    }
    console.log(
      `${name}: ${compared - before} answers compared, seed ${result.seed}: ${result.failed ? 'DIFFERS' : 'same'}`,
    );
  }
  oracle.stop();
  return { compared, failed };
}
