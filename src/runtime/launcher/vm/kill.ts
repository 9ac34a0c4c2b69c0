/** The end of QEMU, and how long a kill may take. */
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { LibvirtError } from '../libvirt/errors';

/** Time that a kill waits for libvirt's two answers. */
export interface KillDeadlines {
  readonly lookupMs: number;
  readonly destroyMs: number;
}

/** virt-handler waits 20 s for the end of a kill, and repeats it. */
export const FOR_HANDLER: KillDeadlines = { lookupMs: 5_000, destroyMs: 12_000 };
/** Deadline of a kill that is not repeated: libvirt waits up to 40 s for the end of a killed QEMU. */
export const KILL_ONCE: KillDeadlines = { lookupMs: 45_000, destroyMs: 45_000 };

/** Kills QEMU. Succeeds if it has ended already. */
export async function destroy(client: LibvirtClient, dom: DomainRef, deadlineMs: number): Promise<void> {
  await client.destroy(dom, deadlineMs).catch((error: unknown) => {
    if (!(error instanceof LibvirtError) || !error.is('ERR_OPERATION_INVALID')) throw error;
  });
}
