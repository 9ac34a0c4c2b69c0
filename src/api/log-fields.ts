/** Object that a log line is about. */
interface Named {
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
}

/**
 * Fields of a log line about a VM or its instance, the same in every program: `vm` is `namespace/name`, and an instance has
 * the name of its VM. `uid` is that of the instance: a restart of the VM creates another one.
 */
export interface VmLogFields {
  readonly vm: string;
  readonly uid?: string;
}

/** Returns the fields for an object. */
export const vmFields = ({ namespace = '', name = '', uid }: Named): VmLogFields => ({
  vm: `${namespace}/${name}`,
  ...(uid !== undefined && { uid }),
});

/** Kinds whose keys in work queues are `namespace/name` of a VM. */
const OF_VMS = new Set(['vm', 'vmi']);

/** Returns the fields for a key of a work queue. */
export const keyFields = (kind: string, key: string): { kind: string } & ({ vm: string } | { key: string }) =>
  OF_VMS.has(kind) ? { kind, vm: key } : { kind, key };
