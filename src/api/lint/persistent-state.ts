/** The claim that keeps a guest's TPM and EFI variables. */
import { mistake } from '../admission/rule';
import type { ClusterConfig } from '../cluster-config';
import type { Finding } from '../findings';
import type { KubeObject } from '../meta';
import { guestsIn } from './network-guests';
import { mustMove } from './migration';
import { read } from './read';
import type { World } from './world';

/**
 * Two nodes can use the claim only when the administrator named a storage class for it. Otherwise it is ReadWriteOnce,
 * and the guest cannot leave its node.
 */
export function stateCanMove(object: KubeObject, _: World, config: ClusterConfig): Finding[] {
  const guests = guestsIn(object);
  if (!guests || !mustMove(guests, config) || config.raw.vmStateStorageClass) return [];
  const domain = guests.at.at('domain');
  const tpm = read(guests.spec, 'domain', 'devices', 'tpm', 'persistent') === true;
  const efi = read(guests.spec, 'domain', 'firmware', 'bootloader', 'efi', 'persistent') === true;
  if (!tpm && !efi) return [];
  const path = tpm
    ? domain.at('devices', 'tpm', 'persistent')
    : domain.at('firmware', 'bootloader', 'efi', 'persistent');
  const cause = `${tpm ? 'the TPM' : 'the firmware'} keeps its state on a claim of one node: with evictionStrategy LiveMigrate the guest cannot leave it, so a drain never ends`;
  const remedy =
    'set vmStateStorageClass of the KubeVirt object to a class with ReadWriteMany, or choose evictionStrategy LiveMigrateIfPossible or None';
  return mistake('migration-state', path, cause, remedy);
}
