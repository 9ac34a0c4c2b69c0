/** Results of linting objects, which are kept because most objects do not change, and because many are alike. */
import type { ClusterConfig } from '../api/cluster-config';
import type { Finding } from '../api/findings';
import { keys } from '../api/keys';
import { lintObject, type World } from '../api/lint';
import { read } from '../api/lint/read';
import type { KubeObject } from '../api/meta';
import { type Comparison, isSame, sameBut, snapshot } from './same';

interface Verdict {
  readonly object: KubeObject;
  readonly config: ClusterConfig;
  readonly errors: readonly Finding[];
}

/** Whether every rule accepts the name. */
const isPlainName = (name: unknown): boolean =>
  typeof name === 'string' && /^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name) && !/undefined|nan/.test(name);

const bothPlain: Comparison = (one, other) => one === other || (isPlainName(one) && isPlainName(other));

const metadata = sameBut({ name: bothPlain });

/** The name that a template repeats must be that of the VM; no other field must. */
const repeatsName = (vm: unknown): boolean => read(vm, 'spec', 'template', 'metadata', 'name') !== undefined;

const alikeMachines = sameBut({ metadata });

/**
 * Kinds of which an app may have thousands, made in a loop: whether one object has no mistake if another has none. They
 * may differ in plain names, because no rule compares those with the rest of the object.
 */
const ALIKE: Readonly<Record<string, Comparison>> = {
  VirtualMachine: (one, other) => (repeatsName(one) ? isSame(one, other) : alikeMachines(one, other)),
  Service: sameBut({
    metadata,
    spec: sameBut({ selector: sameBut({ [keys.vmName]: bothPlain, [keys.vmiId]: bothPlain }) }),
  }),
};

/** The last object of each such kind that has no mistake. */
const sound = new Map<string, Verdict>();

/** Findings of one object, which is linted again only after a change. A class, because an app may have thousands. */
export class KeptVerdict {
  private last?: Verdict;

  /** Returns the findings of the object alone. */
  public lint(object: KubeObject, config: ClusterConfig, world: Pick<World, 'find'>): readonly Finding[] {
    if (this.last && answers(this.last, object, config)) return this.last.errors;
    const like = sound.get(object.kind);
    if (like && answers(like, object, config)) {
      this.last = { object, config, errors: like.errors };
      return like.errors;
    }
    // the other objects may change without notice
    let isAlone = true;
    const find: World['find'] = (...which) => {
      isAlone = false;
      return world.find(...which);
    };
    const errors = lintObject(object, config, { find });
    this.last = isAlone ? { object, config, errors } : undefined;
    if (this.last && errors.length === 0 && Object.hasOwn(ALIKE, object.kind)) {
      // a program may pass the same data again after a change
      sound.set(object.kind, { ...this.last, object: snapshot(object) });
    }
    return errors;
  }
}

function answers({ object: known, config: by, errors }: Verdict, object: KubeObject, config: ClusterConfig): boolean {
  if (by !== config) return false;
  const compare = errors.length === 0 && Object.hasOwn(ALIKE, known.kind) ? ALIKE[known.kind] : isSame;
  return compare(known, object);
}
