import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually, sleep, type TestEngine } from '../engine';
import { insist } from './killer';

const IMMEDIATE = { 'cdi.kubevirt.io/storage.bind.immediate.requested': 'true' };
const FIRST_LOOK_MS = 150;

export interface Wanted {
  readonly name: string;
  readonly namespace?: string;
  readonly source: object;
  readonly volumeMode?: 'Filesystem' | 'Block';
}

/** DataVolumes of a run. Each must be filled with the same bytes, and must not be bound before it has them. */
export class Disks {
  public constructor(
    private readonly engine: TestEngine,
    private readonly content: Buffer,
  ) {}

  public objectOf({ name, namespace = 'default', source, volumeMode = 'Filesystem' }: Wanted): object {
    return {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: { name, namespace, annotations: IMMEDIATE },
      spec: { source, storage: { resources: { requests: { storage: '64Mi' } }, volumeMode } },
    };
  }

  /** Creates a DataVolume, waits until it is filled, and deletes it. `send`: what a client does meanwhile. */
  public async fill(wanted: Wanted, send?: (isFilled: () => Promise<boolean>) => Promise<void>): Promise<void> {
    await insist(() => this.engine.mustApply(this.objectOf(wanted)));
    const bound = this.checkWhenBound(wanted);
    const isFilled = async (): Promise<boolean> =>
      (await this.engine.get('dv', wanted.name, wanted.namespace)).status?.phase === 'Succeeded';
    await send?.(isFilled);
    await insist(async () => {
      const { status } = await this.engine.get('dv', wanted.name, wanted.namespace);
      if (status?.phase !== 'Succeeded') throw new Error(`DataVolume ${wanted.name}: ${JSON.stringify(status)}`);
    });
    await bound;
    await this.hasContent(wanted);
    await this.remove(wanted);
  }

  /** Creates a DataVolume, and deletes it after some time, with its claim. */
  public async abort(wanted: Wanted, afterMs: number): Promise<void> {
    await insist(() => this.engine.mustApply(this.objectOf(wanted)));
    await sleep(afterMs);
    await this.remove(wanted);
  }

  public async hasContent(wanted: Pick<Wanted, 'name' | 'namespace'>): Promise<void> {
    const digest = await insist(() => this.digest(wanted));
    if (digest === digestOf(this.content)) return;
    throw new Error(`the disk of ${wanted.name} has the digest ${digest}, not ${digestOf(this.content)}`);
  }

  public async remove({ name, namespace = 'default' }: Pick<Wanted, 'name' | 'namespace'>): Promise<void> {
    const args = ['dv', name, '-n', namespace, '--ignore-not-found', '--timeout=1m'];
    await insist(() => this.engine.kubectl('delete', ...args));
  }

  /** Reads the disk as soon as its claim is bound: a Pod could use it from then on. */
  private async checkWhenBound(wanted: Wanted): Promise<void> {
    for (;;) {
      const claim = await this.engine.get('pvc', wanted.name, wanted.namespace).catch(() => undefined);
      if (claim?.status?.phase === 'Bound') return this.hasContent(wanted);
      await sleep(FIRST_LOOK_MS);
    }
  }

  /** Digest of the part of the disk that has content. Volumes are mounted only for the engine. */
  private async digest({ name, namespace }: Pick<Wanted, 'name' | 'namespace'>): Promise<string> {
    return digestOf((await readVolume(this.engine, name, namespace)).subarray(0, this.content.length));
  }
}

/** Content of the volume of a claim: its device, or the disk in its file system. */
export async function readVolume(engine: TestEngine, claim: string, namespace?: string): Promise<Buffer> {
  const { spec } = await engine.get('pv', (await engine.get('pvc', claim, namespace)).spec.volumeName);
  const path = spec.volumeMode === 'Block' ? spec.local.path : `${spec.local.path}/disk.img`;
  return eventually(() => readFileSync(`/proc/${engine.componentPid('engine')}/root${path}`));
}

export const digestOf = (data: Buffer): string => createHash('md5').update(data).digest('hex');
