import { createHash } from 'node:crypto';

/** Names of an engine's objects in the host's network, unique per engine. Pure. */

const ID = /^[a-z0-9]{1,8}$/;

export function checkId(id: string): string {
  if (!ID.test(id)) throw new Error(`engine id "${id}": 1 to 8 of a-z and 0-9 are allowed (interface names are short)`);
  return id;
}

/** Link with the gateway's addresses. */
export const gatewayName = (id: string): string => `v8s-${checkId(id)}`;

export const tableName = (id: string): string => `virt8s_${checkId(id)}`;

/** Table of the network policies. */
export const policyTableName = (id: string): string => `${tableName(id)}_policies`;

/** Host end of a Pod's veth pair: `v` + 6 of the engine's id hash + 8 of the Pod's (15 is the kernel's limit). */
export const vethName = (id: string, podUid: string): string => `${vethPrefix(id)}${hash(podUid, 8)}`;

export const vethPrefix = (id: string): string => `v${hash(checkId(id), 6)}`;

/** Link of the machine to a further node of an engine; `id` is that of the node. */
export const nodeLinkName = (id: string): string => `w${hash(checkId(id), 6)}`;

const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);
