/** Finds the persistent state of a VM that was restored or cloned from one with another name or UUID. */
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../api';
import { nvramFile } from '../domain/firmware';
import { log } from '../log';
import type { LauncherPaths } from '../paths';

const VARIABLES = /_VARS\.fd$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** libvirt finds UEFI variables by the name of the VM, and the TPM by its UUID: both get those of this VM. */
export async function adoptState(
  { metadata, spec }: VirtualMachineInstance,
  { nvram, swtpm }: Pick<LauncherPaths, 'nvram' | 'swtpm'>,
): Promise<void> {
  const { firmware, devices } = spec.domain;
  if (firmware?.bootloader?.efi?.persistent) await adopt(nvram, nvramFile(metadata.name), VARIABLES);
  if (devices.tpm?.persistent && firmware?.uuid) await adopt(swtpm, firmware.uuid, UUID);
}

/** Renames the only entry of its kind. Of several, none is known to be the right one. */
async function adopt(folder: string, name: string, kind: RegExp): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (entries.includes(name)) return;
  const [other, ...more] = entries.filter((entry) => kind.test(entry));
  if (other === undefined || more.length > 0) return;
  await rename(join(folder, other), join(folder, name));
  log('info', 'adopted the state of another VM', { folder, from: other, to: name });
}
