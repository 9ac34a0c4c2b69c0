/** Results of linting objects, which are kept because most objects do not change, and because many are alike. */
import type { ClusterConfig } from '../api/cluster-config';
import type { Finding } from '../api/findings';
import { lintObject, type World } from '../api/lint';
import type { KubeObject } from '../api/meta';

interface Verdict {
  readonly object: KubeObject;
  readonly config: ClusterConfig;
  readonly errors: readonly Finding[];
}

/** Kinds of which an app may have thousands, made in a loop. No rule compares their name with their content. */
const NUMEROUS: ReadonlySet<string> = new Set(['VirtualMachine', 'Service']);

/** The last object of each such kind that has no mistake. */
const sound = new Map<string, Verdict>();

/** Returns the findings of an object by itself. */
export type Lint = (object: KubeObject, config: ClusterConfig, world: World) => readonly Finding[];

/** Returns a function that lints one object, and lints it again only after a change. */
export function lintOnChange(): Lint {
  let last: Verdict | undefined;
  return (object, config, world) => {
    if (last && answers(last, object, config)) return last.errors;
    const like = sound.get(object.kind);
    if (like && answers(like, object, config)) {
      last = { object, config, errors: like.errors };
      return last.errors;
    }
    // the other objects may change without notice
    let isAlone = true;
    const find: World['find'] = (...which) => {
      isAlone = false;
      return world.find(...which);
    };
    const errors = lintObject(object, config, { ...world, find });
    last = isAlone ? { object, config, errors } : undefined;
    if (last && errors.length === 0 && NUMEROUS.has(object.kind)) sound.set(object.kind, last);
    return errors;
  };
}

function answers({ object: known, config: by, errors }: Verdict, object: KubeObject, config: ClusterConfig): boolean {
  if (by !== config) return false;
  const { metadata: before, ...parts } = known;
  const { metadata, ...now } = object;
  if (!isSame(parts, now)) return false;
  if (before.name === metadata.name) return isSame(before, metadata);
  const isUnnoticed = errors.length === 0 && isPlainName(before.name) && isPlainName(metadata.name);
  return isUnnoticed && isSame({ ...before, name: '' }, { ...metadata, name: '' });
}

/** Whether both hold the same data. Much faster than Node's own comparison, which supports every class. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(other, key) || !isSame(one[key], other[key])) return false;
  }
  return true;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype);

/** Whether every rule accepts the name. */
const isPlainName = (name: string | undefined): boolean =>
  /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name ?? '') && !/undefined|nan/.test(name ?? '');
