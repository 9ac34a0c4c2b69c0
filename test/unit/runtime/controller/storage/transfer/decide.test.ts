import {
  decide,
  type Action,
  type ObjectTransfer,
  type Observed,
} from '../../../../../../src/runtime/controller/storage/transfer/decide';
import type { DataVolume } from '../../../../../../src/runtime/controller/storage/data-volume/decide';
import type { PersistentVolume, StorageClaim } from '../../../../../../src/runtime/controller/storage/types';

const FINALIZER = 'cdi.kubevirt.io/objectTransfer';

const transferOf = (kind: string, more: Partial<ObjectTransfer> = {}): ObjectTransfer =>
  ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'ObjectTransfer',
    metadata: { name: 'move', uid: 'move-uid', ...more.metadata },
    spec: { source: { kind, namespace: 'from', name: 'disk' }, target: { namespace: 'to', name: 'moved' } },
    ...(more.status && { status: more.status }),
  }) as ObjectTransfer;

const claimOf = (more: object = {}): StorageClaim =>
  ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'disk',
      namespace: 'from',
      uid: 'claim-uid',
      labels: { team: 'a' },
      annotations: { 'pv.kubernetes.io/bind-completed': 'yes', note: 'kept' },
      ...more,
    },
    spec: { volumeName: 'pv', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    status: { phase: 'Bound' },
  }) as StorageClaim;

const volumeOf = (uid: string, policy = 'Delete'): PersistentVolume => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'pv', resourceVersion: '1' },
  spec: { claimRef: { namespace: 'from', name: 'disk', uid }, persistentVolumeReclaimPolicy: policy },
});

const dataVolumeOf = (phase: string): DataVolume =>
  ({
    apiVersion: 'cdi.kubevirt.io/v1beta1',
    kind: 'DataVolume',
    metadata: {
      name: 'disk',
      namespace: 'from',
      uid: 'dv-uid',
      annotations: { 'cdi.kubevirt.io/storage.clone.token': 't' },
    },
    spec: { source: { blank: {} }, storage: {} },
    status: { phase },
  }) as unknown as DataVolume;

const ready = (kind = 'PersistentVolumeClaim', more: Partial<Observed> = {}): Observed => ({
  transfer: transferOf(kind, { metadata: { finalizers: [FINALIZER] } }),
  claim: claimOf(),
  volume: volumeOf('claim-uid'),
  users: [],
  target: {},
  now: 0,
  ...more,
});

const messageOf = ({ conditions }: { conditions?: readonly { message?: string }[] }) => conditions?.[0]?.message;

describe('a transfer', () => {
  test.each<[string, Partial<Observed>, string, string?]>([
    ['has no source', { claim: undefined }, 'No source'],
    ['is of a claim without a volume', { claim: { ...claimOf(), status: { phase: 'Pending' } } }, 'PVC not bound'],
    ['is of a claim whose volume has another one', { volume: volumeOf('other') }, 'PV not bound'],
    ['is of a claim in use', { users: ['from/pod'] }, 'Pods using PVC: from/pod'],
    [
      'is of a claim that is cloned',
      { claim: claimOf({ finalizers: ['provisioner.storage.kubernetes.io/cloning-protection'] }) },
      'PVC has finalizer: provisioner.storage.kubernetes.io/cloning-protection',
    ],
    ['is of a claim that another one moves', { holder: 'other' }, 'Source in use by another transfer: other'],
    ['has a target', { target: { claim: claimOf() } }, 'PVC from/disk exists; delete it'],
    [
      'is of a DataVolume that is filled',
      { dataVolume: dataVolumeOf('ImportInProgress') },
      'Source not populated',
      'DataVolume',
    ],
    ['is of a DataVolume that is missing', {}, 'No source', 'DataVolume'],
    [
      'is of a DataVolume in use',
      { dataVolume: dataVolumeOf('Succeeded'), users: ['from/pod'] },
      'Pods using DataVolume PVC: from/pod',
      'DataVolume',
    ],
  ])('waits while it %s', (_, more, message, kind = 'PersistentVolumeClaim') => {
    const { actions, status, retryMs } = decide(ready(kind, more));
    expect(actions).toEqual([]);
    expect(status.phase).toBe('Pending');
    expect(messageOf(status)).toBe(message);
    expect(retryMs).toBeGreaterThan(0);
  });

  test.each([
    ['has not', {}, 'Source lacks annotation ready=yes'],
    ['has', { annotations: { ready: 'yes' } }, 'Pending'],
  ])('waits for annotations that its source %s', (_, metadata, message) => {
    const { transfer } = ready();
    const asking = {
      ...transfer,
      spec: { ...transfer.spec, source: { ...transfer.spec.source, requiredAnnotations: { ready: 'yes' } } },
    };
    expect(messageOf(decide(ready(undefined, { transfer: asking, claim: claimOf(metadata) })).status)).toBe(message);
  });

  test.each([
    ['Pending', [FINALIZER, 'other'], [{ do: 'setFinalizers', finalizers: ['other'] }]],
    ['Complete', [FINALIZER], [{ do: 'setFinalizers', finalizers: [] }]],
    ['Error', [FINALIZER], [{ do: 'setFinalizers', finalizers: [] }]],
  ])('that is deleted in phase %s ends', (phase, finalizers, expected) => {
    const metadata = { finalizers, deletionTimestamp: '2026-01-01T00:00:00Z' };
    const { actions } = decide(
      ready(undefined, {
        transfer: transferOf('PersistentVolumeClaim', { metadata, status: { phase: phase as never } }),
      }),
    );
    expect(actions).toEqual(expected);
  });
});

/** Objects by which the steps of a transfer are followed, as the API server would change them. */
class World {
  public transfer: ObjectTransfer;
  public readonly steps: string[] = [];
  public claim: StorageClaim | undefined;
  public dataVolume: DataVolume | undefined;
  public volume = volumeOf('claim-uid');
  public target: { claim?: StorageClaim; dataVolume?: DataVolume } = {};

  public constructor(kind: string) {
    const isDataVolume = kind === 'DataVolume';
    this.transfer = transferOf(kind);
    const owner = { apiVersion: 'v1', kind, name: 'disk', uid: 'dv-uid', controller: true };
    this.claim = claimOf(isDataVolume ? { ownerReferences: [owner] } : {});
    if (isDataVolume) this.dataVolume = dataVolumeOf('Succeeded');
  }

  public step(): void {
    const { transfer, claim, dataVolume, volume, target } = this;
    const { actions, status } = decide({ transfer, claim, dataVolume, volume, users: [], target, now: 0 });
    for (const action of actions) this.apply(action);
    this.transfer = { ...this.transfer, status: JSON.parse(JSON.stringify(status)) };
    this.steps.push([...actions.map((action) => action.do), messageOf(status)].join(' '));
  }

  private apply(action: Action): void {
    switch (action.do) {
      case 'setFinalizers':
        this.transfer = {
          ...this.transfer,
          metadata: { ...this.transfer.metadata, finalizers: [...action.finalizers] },
        };
        return;
      case 'holdClaim':
        this.claim = claimOf({
          ...this.claim!.metadata,
          annotations: { ...this.claim!.metadata.annotations, 'cdi.kubevirt.io/objectTransferName': 'move' },
        });
        return;
      case 'createClaim':
        this.target = {
          ...this.target,
          claim: {
            ...action.claim,
            metadata: { ...action.claim.metadata, uid: 'target-uid' },
            status: { phase: 'Pending' },
          },
        };
        return;
      case 'deleteClaim':
        // nothing deletes the data
        expect(this.volume.spec?.persistentVolumeReclaimPolicy).toBe('Retain');
        this.claim = undefined;
        return;
      case 'createDataVolume':
        this.target = { ...this.target, dataVolume: { ...action.dataVolume, status: { phase: 'Succeeded' } } };
        return;
      case 'deleteDataVolume':
        this.dataVolume = undefined;
        return;
      case 'changeVolume':
        this.volume = { ...this.volume, spec: { ...this.volume.spec, ...action.spec } };
        if (this.volume.spec?.claimRef?.uid === 'target-uid')
          this.target = { ...this.target, claim: { ...this.target.claim!, status: { phase: 'Bound' } } };
    }
  }
}

describe('the steps of a transfer', () => {
  test('of a claim keep its volume', () => {
    const world = new World('PersistentVolumeClaim');
    for (let i = 0; i < 20 && world.transfer.metadata.finalizers?.length !== 0; i++) world.step();
    expect(world.steps).toEqual([
      'setFinalizers Initializing',
      'holdClaim Pending',
      'Running',
      'createClaim Running',
      'changeVolume Running',
      'deleteClaim Running',
      'changeVolume Running',
      'changeVolume Running',
      'Transfer complete',
      'setFinalizers Transfer complete',
    ]);
    expect(world.volume.spec).toMatchObject({
      persistentVolumeReclaimPolicy: 'Delete',
      claimRef: { namespace: 'to', name: 'moved', uid: 'target-uid' },
    });
    expect(world.target.claim).toMatchObject({
      metadata: { namespace: 'to', name: 'moved', labels: { team: 'a' }, annotations: { note: 'kept' } },
      spec: { volumeName: 'pv', resources: { requests: { storage: '1Gi' } } },
    });
    expect(Object.keys(world.target.claim!.metadata.annotations!)).toEqual(['note']);
    expect(world.transfer.status).toEqual({
      phase: 'Complete',
      conditions: [expect.objectContaining({ status: 'True' })],
    });
  });

  test('of a DataVolume also move it, without its token and without a second copy', () => {
    const world = new World('DataVolume');
    for (let i = 0; i < 20 && world.transfer.status?.phase !== 'Complete'; i++) world.step();
    expect(world.transfer.status?.phase).toBe('Complete');
    expect(world.steps.filter((step) => step.includes('DataVolume'))).toEqual([
      'deleteDataVolume Running',
      'createDataVolume Waiting for target DataVolume',
    ]);
    expect(world.target.claim!.metadata).toMatchObject({
      annotations: { 'cdi.kubevirt.io/storage.populatedFor': 'moved' },
    });
    expect(world.target.claim!.metadata.ownerReferences).toBeUndefined();
    expect(world.target.dataVolume).toMatchObject({
      metadata: { namespace: 'to', name: 'moved', annotations: { 'cdi.kubevirt.io/storage.prePopulated': 'moved' } },
      spec: { source: { blank: {} } },
    });
    expect(JSON.stringify(world.target.dataVolume)).not.toContain('clone.token');
  });

  test('are not begun by a transfer that is deleted before the first of them', () => {
    const world = new World('PersistentVolumeClaim');
    for (let i = 0; i < 9 && world.transfer.status?.phase !== 'Running'; i++) world.step();
    world.transfer.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    world.step();
    expect(world.transfer.metadata.finalizers).toEqual([]);
    expect(world.target).toEqual({});
  });

  test('are completed by a transfer that is deleted after the first of them', () => {
    const world = new World('PersistentVolumeClaim');
    for (let i = 0; i < 9 && !world.target.claim; i++) world.step();
    world.transfer.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    for (let i = 0; i < 9 && world.transfer.metadata.finalizers?.length !== 0; i++) world.step();
    expect(world.transfer.status?.phase).toBe('Complete');
  });

  test.each<[string, (world: World) => void, string]>([
    ['the volume is lost', (world) => void (world.volume = undefined as never), 'PV pv does not exist'],
    [
      'somebody else creates the target',
      (world) => void (world.target = { claim: { ...claimOf(), spec: { volumeName: 'other' } } as never }),
      'PVC to/moved was created by somebody else',
    ],
    [
      'the volume gets another claim',
      (world) => {
        world.step();
        world.claim = undefined;
        world.volume = volumeOf('third');
      },
      'PV bound to wrong PVC',
    ],
  ])('end with an error if %s', (_, happen, message) => {
    const world = new World('PersistentVolumeClaim');
    for (let i = 0; i < 9 && world.transfer.status?.phase !== 'Running'; i++) world.step();
    happen(world);
    world.step();
    expect(world.transfer.status?.phase).toBe('Error');
    expect(messageOf(world.transfer.status!)).toBe(message);
  });
});
