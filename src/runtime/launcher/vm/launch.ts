/** Starts the guest: prepares its disks, defines its domain and starts QEMU. */
import { mkdir } from 'node:fs/promises';
import type { VirtualMachineInstance } from '../../../api';
import type { VirtualMachineOptions } from '../../protocol';
import { prepareDisks } from '../disks/prepare';
import { renderDomainXml } from '../domain/render';
import type { DomainRef, LibvirtClient } from '../libvirt/client';
import { LibvirtError } from '../libvirt/errors';
import { log } from '../log';
import type { LauncherPaths } from '../paths';
import { type GuestDisk, guestDisks } from './guest-disks';
import { gatherFacts } from './node-facts';
import { type Condition, conditionOf } from './state';
import { rejectUnsupported, rejectUnsupportedDisks } from './supported-fields';

const START_DEADLINE_MS = 110_000;

export interface Launch {
  readonly vmi: VirtualMachineInstance;
  readonly options: VirtualMachineOptions;
  readonly paths: LauncherPaths;
  /** Throws if the guest must not start any more. */
  readonly rejectForbidden: () => void;
}

export async function launch(
  client: LibvirtClient,
  { vmi, options, paths, rejectForbidden }: Launch,
): Promise<{ dom: DomainRef; disks: GuestDisk[] }> {
  const began = performance.now();
  rejectUnsupported(vmi);
  await mkdir(paths.runtime(vmi.metadata.uid!), { recursive: true });
  const disks = await prepareDisks({ vmi, paths });
  rejectUnsupportedDisks(vmi, disks);
  const xml = renderDomainXml(vmi, await gatherFacts(vmi, options, disks, paths));
  const prepared = performance.now();
  const dom = await client.define(xml);
  const defined = performance.now();
  try {
    rejectForbidden();
  } catch (error) {
    await client.undefine(dom);
    throw error;
  }
  try {
    await client.start(dom, vmi.spec.startStrategy === 'Paused', START_DEADLINE_MS);
  } catch (error) {
    // after a launcher exited in the middle of a start, the domain may be running already
    const { status } = await readCondition(client, dom);
    if (!(error instanceof LibvirtError) || status === 'Shutoff') throw error;
  }
  const ms = (from: number, to: number): number => Math.round(to - from);
  const started = performance.now();
  log('info', 'guest started', {
    prepareMs: ms(began, prepared),
    defineMs: ms(prepared, defined),
    startMs: ms(defined, started),
  });
  return { dom, disks: guestDisks(disks) };
}

export async function readCondition(client: LibvirtClient, dom: DomainRef): Promise<Condition> {
  const { state, reason } = await client.state(dom);
  return conditionOf(state, reason);
}
