import { errorText } from '../../../api/error-text';
import type { KubeObject, VirtualMachine } from '../../../api';
import type { VirtualMachinePool } from '../../../api/generated/pool-v1beta1';
import { POOL_FINALIZER } from '../../../api/workloads';
import { reasons } from '../../../api/reasons';
import { except, isAlreadyExists, isConflict, isNotFound, keyOf, resources } from '../../kube';
import type { Requeue } from '../../kube';
import type { Context } from '../context';
import { decide, membersOf, mistakeIn } from './decide';
import type { Action } from './decide';
import { ownerOf } from './observed';
import type { Observed } from './observed';
import { pauseEvents, statusOf } from './status';
import type { Failure } from './status';

const LAG_RECHECK_MS = 1000;
const fieldManager = 'virt-controller';

/** Reconciles one pool, and the VMs that pools of its name have left. */
export async function syncPool(context: Context, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const expected = `vmpool ${key}`;
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const seen = observe(context, key);
  const pass = new Pass(context, seen.pool, expected);
  let requeueAfterMs: number | undefined;
  for (const action of decide(seen)) {
    if (action.do !== 'recheck') await pass.tryTo(action);
    else requeueAfterMs = Math.min(requeueAfterMs ?? action.afterMs, action.afterMs);
  }
  if (!caches.pools.get(key)) expectations.forget(expected);
  if (seen.pool) await pass.report(seen.pool, seen.vms);
  if (pass.error !== undefined) throw pass.error;
  return { requeueAfterMs };
}

function observe({ caches, now }: Context, key: string): Observed {
  const [namespace] = key.split('/');
  return {
    pool: caches.pools.get(key),
    vms: caches.vms.byIndex('pool', key),
    now: now(),
    isTaken: (name) => caches.vms.get(`${namespace}/${name}`) !== undefined,
    vmiOf: (vm) => caches.vmis.get(keyOf(vm)),
    nodeLabelsOf: (vm) => caches.nodes.get(caches.vmis.get(keyOf(vm))?.status?.nodeName ?? '')?.metadata.labels,
  };
}

type Effect = Exclude<Action, { do: 'recheck' }>;

const REASON: Record<Effect['do'], Failure['reason']> = {
  addFinalizer: reasons.failedUpdate,
  removeFinalizer: reasons.failedUpdate,
  createVm: reasons.failedScaleOut,
  deleteVm: reasons.failedScaleIn,
  updateVm: reasons.failedUpdate,
  restart: reasons.failedUpdate,
  detach: reasons.failedUpdate,
  keepDisks: reasons.failedUpdate,
  release: reasons.failedUpdate,
};

/** Performs the writes of one pass. */
class Pass {
  public error: unknown;
  private failure: Failure | undefined;
  private readonly failed = new Set<string>();
  /** Updated by the pass's own writes of the pool, so that the write of its status does not conflict with them. */
  private version: string | undefined;

  public constructor(
    private readonly context: Context,
    private readonly pool: VirtualMachinePool | undefined,
    private readonly expected: string,
  ) {
    this.version = pool?.metadata.resourceVersion;
  }

  /** Performs an action. A failure is reported after the pass; the actions that depend on the failed one are omitted. */
  public async tryTo(action: Effect): Promise<void> {
    const depends = this.dependsOn(action);
    if (this.failed.has(depends)) return;
    try {
      await this.perform(action);
    } catch (error) {
      this.failed.add(depends);
      this.error ??= error;
      // the cache was outdated, which is expected
      if (isConflict(error)) return;
      const of = 'vm' in action ? ` ${action.vm.metadata.name}` : '';
      this.failure ??= { reason: REASON[action.do], message: `${WHAT[action.do]}${of}: ${errorText(error)}` };
    }
  }

  public async report(pool: VirtualMachinePool, vms: readonly VirtualMachine[]): Promise<void> {
    const { client, caches, expectations, recorder, now } = this.context;
    const mistake = mistakeIn(pool);
    const failure = this.failure ?? (mistake ? { reason: reasons.failedScaleOut, message: mistake } : undefined);
    if (failure) recorder.warning(pool, failure.reason, failure.message);
    const owned = vms.filter((vm) => ownerOf(vm) === pool.metadata.uid);
    const status = statusOf(pool, membersOf(pool, owned), failure, now());
    if (!status) return;
    for (const { reason, message } of pauseEvents(pool, status)) recorder.normal(pool, reason, message);
    const { namespace, name = '', uid } = pool.metadata;
    const body = { metadata: { uid, resourceVersion: this.version }, status };
    const written = await client
      .patch(resources.pools, { namespace, name, subresource: 'status' }, body, 'merge', { fieldManager })
      .catch(except(isNotFound));
    expectations.expect(this.expected, caches.pools, written?.metadata.resourceVersion);
  }

  private dependsOn(action: Effect): string {
    // each further creation would be rejected for the same reason
    if (action.do === 'createVm') return 'createVm';
    return 'vm' in action ? (action.vm.metadata.uid ?? '') : 'pool';
  }

  private async perform(action: Effect): Promise<void> {
    switch (action.do) {
      case 'addFinalizer':
        return this.setFinalizers((all) => [...all, POOL_FINALIZER]);
      case 'removeFinalizer':
        return this.setFinalizers((all) => all.filter((name) => name !== POOL_FINALIZER));
      case 'createVm':
        return this.createVm(action.vm);
      case 'deleteVm':
        return this.deleteVm(action);
      case 'updateVm':
        return this.updateVm(action);
      case 'restart':
        return this.restart(action);
      case 'keepDisks':
        return this.keepDisks(action.vm);
      case 'release':
        return this.patchVm(action.vm, { finalizers: withoutFinalizer(action.vm) });
      case 'detach': {
        const { ownerReferences = [] } = action.vm.metadata;
        const others = ownerReferences.filter(({ uid }) => uid !== this.pool?.metadata.uid);
        return this.patchVm(action.vm, { finalizers: withoutFinalizer(action.vm), ownerReferences: others });
      }
    }
  }

  private async setFinalizers(change: (all: readonly string[]) => string[]): Promise<void> {
    const { client, caches, expectations } = this.context;
    if (!this.pool) return;
    const { namespace, name = '', uid, finalizers = [] } = this.pool.metadata;
    const metadata = { uid, resourceVersion: this.version, finalizers: change(finalizers) };
    const written = await client
      .patch(resources.pools, { namespace, name }, { metadata }, 'merge', { fieldManager })
      .catch(except(isNotFound));
    this.version = written?.metadata.resourceVersion;
    expectations.expect(this.expected, caches.pools, this.version);
  }

  private async createVm(vm: VirtualMachine): Promise<void> {
    const { client } = this.context;
    const { namespace, name = '' } = vm.metadata;
    const made = await client
      .create(resources.virtualMachines, vm, { fieldManager })
      .catch(except(isAlreadyExists))
      // created by an earlier pass whose response was lost, or by a user: the next pass sees it
      .then((created) => created ?? client.find<VirtualMachine>(resources.virtualMachines, { namespace, name }));
    this.wrote(made);
    if (made && ownerOf(made) === this.pool?.metadata.uid) this.record(reasons.successfulCreate, `Created VM ${name}`);
  }

  private async deleteVm({ vm, why, withDisks }: Extract<Action, { do: 'deleteVm' }>): Promise<void> {
    const { client } = this.context;
    const { namespace, name = '', uid } = vm.metadata;
    const propagationPolicy = withDisks ? 'Foreground' : 'Background';
    const answer = await client
      .delete(resources.virtualMachines, { namespace, name }, { preconditions: { uid }, propagationPolicy })
      .catch(except(isNotFound));
    if (!answer) return;
    this.wrote(answer as KubeObject);
    this.record(reasons.successfulDelete, `Deleted VM ${name}: ${why}`);
  }

  private async updateVm({ vm, to }: Extract<Action, { do: 'updateVm' }>): Promise<void> {
    const { labels = {}, annotations = {} } = to.metadata;
    const { namespace, name = '', resourceVersion } = vm.metadata;
    const body = [
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
      { op: 'add', path: '/metadata/labels', value: labels },
      { op: 'add', path: '/metadata/annotations', value: annotations },
      { op: 'replace', path: '/spec', value: to.spec },
    ];
    const { client } = this.context;
    this.wrote(await client.patch(resources.virtualMachines, { namespace, name }, body, 'json', { fieldManager }));
    this.record(reasons.successfulUpdate, `Updated VM ${name}`);
  }

  private async restart({ vmi }: Extract<Action, { do: 'restart' }>): Promise<void> {
    const { client, caches, expectations } = this.context;
    const { namespace, name = '', uid } = vmi.metadata;
    const answer = await client
      .delete(resources.virtualMachineInstances, { namespace, name }, { preconditions: { uid } })
      .catch(except(isNotFound));
    if (!answer) return;
    expectations.expect(this.expected, caches.vmis, answer.metadata?.resourceVersion);
    this.record(reasons.successfulDelete, `Restarted VM ${name}: its template has changed`);
  }

  /** Reads its disks from the API server: the caches do not keep all their owners. */
  private async keepDisks(vm: VirtualMachine): Promise<void> {
    const { spec } = vm;
    const volumes = spec.template?.spec?.volumes ?? [];
    const templates = (spec.dataVolumeTemplates ?? []).map((template) => template?.metadata?.name);
    const dataVolumes = [...templates, ...volumes.map(({ dataVolume }) => dataVolume?.name)];
    const claims = [...templates, ...volumes.map(({ persistentVolumeClaim: claim }) => claim?.claimName)];
    const { client } = this.context;
    const { namespace } = vm.metadata;
    for (const name of named(claims)) {
      const ref = { namespace, name };
      const body = withoutOwner(await client.find<KubeObject>(resources.persistentVolumeClaims, ref), vm);
      if (body) await client.patch(resources.persistentVolumeClaims, ref, body, 'merge', { fieldManager });
    }
    for (const name of named(dataVolumes)) {
      const ref = { namespace, name };
      const body = withoutOwner(await client.find<KubeObject>(resources.dataVolumes, ref), vm);
      if (body) await client.patch(resources.dataVolumes, ref, body, 'merge', { fieldManager });
    }
  }

  private async patchVm({ metadata }: VirtualMachine, change: object): Promise<void> {
    const { namespace, name = '', uid, resourceVersion } = metadata;
    const body = { metadata: { uid, resourceVersion, ...change } };
    const { client } = this.context;
    const answer = client.patch(resources.virtualMachines, { namespace, name }, body, 'merge', { fieldManager });
    this.wrote(await answer.catch(except(isNotFound)));
  }

  private wrote(vm: KubeObject | undefined): void {
    const { expectations, caches } = this.context;
    expectations.expect(this.expected, caches.vms, vm?.metadata?.resourceVersion);
  }

  private record(reason: Failure['reason'], message: string): void {
    if (this.pool) this.context.recorder.normal(this.pool, reason, message);
  }
}

const WHAT: Record<Effect['do'], string> = {
  addFinalizer: 'Error adding the finalizer',
  removeFinalizer: 'Error removing the finalizer',
  createVm: 'Error creating VM',
  deleteVm: 'Error deleting VM',
  updateVm: 'Error updating VM',
  restart: 'Error restarting VM',
  detach: 'Error releasing VM',
  keepDisks: 'Error keeping the disks of VM',
  release: 'Error releasing VM',
};

const withoutFinalizer = ({ metadata }: VirtualMachine): string[] =>
  (metadata.finalizers ?? []).filter((name) => name !== POOL_FINALIZER);

const named = (names: readonly (string | undefined)[]): string[] => [...new Set(names.flatMap((name) => name ?? []))];

/** Patch that removes a VM from the owners of a disk; undefined if the VM is not an owner. */
function withoutOwner(disk: KubeObject | undefined, { metadata }: VirtualMachine): object | undefined {
  const { ownerReferences = [], uid, resourceVersion } = disk?.metadata ?? {};
  const others = ownerReferences.filter((owner) => owner.uid !== metadata.uid);
  if (others.length === ownerReferences.length) return undefined;
  return { metadata: { uid, resourceVersion, ownerReferences: others } };
}
