/**
 * `virt8s/client`: manages virtual machines of a cluster or the local engine from scripts and tests.
 *
 * ```ts
 * import { Client } from 'virt8s/client';
 *
 * const client = Client.fromKubeconfig({ namespace: 'shop' });
 * const vm = client.vm('web');
 * await vm.start();
 * await vm.waitFor('Ready', { timeoutMs: 60_000 });
 * const { stdout } = await vm.ssh('uptime', { user: 'debian' });
 * ```
 *
 * Requests that the API server rejects throw an `ApiError` (`code`, `reason`, `remedy`); requests that never reach it
 * throw a `ClientError`.
 */
export { ApiError, isAlreadyExists, isConflict, isNotFound } from './kube';
export { Client } from './client';
export type { ApplyOptions, ListOptions } from './client';
export { ClientError } from './errors';
export type { LocalPort } from './forward';
export type { ObjectHandle } from './handle';
export type { ConnectionFlags } from './kubeconfig';
export type { VirtualMachineHandle, PortForwardOptions } from './virtual-machine';
export type { CommandResult, SshOptions } from './ssh';
export type { WaitOptions } from './wait';
