import type { Find, KubeObject, VirtualMachineInstance } from '../../../api';
import { keys } from '../../../api/keys';
import { controllerRef } from '../../../api/owner';
import { VM_FINALIZER } from '../../../api/constants';
import { findInstancetype, findPreference, sameRevision } from '../../../api/instancetype';
import type { ControllerRevision } from '../../../api/instancetype';
import { decideWith, except, isAlreadyExists, isNotFound, isRefused, resources, sourceOf } from '../../kube';
import type { KubeClient, Requeue } from '../../kube';
import { findClaims } from '../context';
import type { Context } from '../context';
import { claimNames } from '../pod';
import { decide, decideRefused } from './decide';
import type { Effect } from './actions';
import { findDisks } from './find-disks';
import type { DataVolume, Observed } from './observed';
import { isOwned } from './observed';
import { reasons } from '../../../api/reasons';
import { desiredTransition } from './run-strategy';
import { needsReferences } from './sizing';

const LAG_RECHECK_MS = 1000;
const fieldManager = 'virt-controller';

/** Reconciles one VM. */
export async function syncVirtualMachine(context: Context, key: string): Promise<Requeue | void> {
  const { caches, expectations } = context;
  const vm = caches.vms.get(key);
  const expected = `vm ${key}`;
  if (!vm) return expectations.forget(expected);
  if (!expectations.satisfied(expected)) return { requeueAfterMs: LAG_RECHECK_MS };
  const vmi = caches.vmis.get(key);
  const disks = await findDisks(context, vm);
  const claims = findClaims(context, vm.metadata.namespace, claimNames(vm.spec.template.spec ?? {}));
  const willStart = desiredTransition(vm, vmi).kind === 'start';
  const references = needsReferences(vm, willStart) ? await findReferences(context.client, vm) : undefined;
  const [config, now] = [context.config(), context.now()];
  const seen: Observed = { vm, vmi, ...disks, claims, references, config, now };
  const pass = new Pass(context, seen, expected);
  let requeueAfterMs: number | undefined;
  for (const action of decide(seen)) {
    if (action.do === 'recheck') {
      requeueAfterMs = Math.min(requeueAfterMs ?? action.afterMs, action.afterMs);
      continue;
    }
    try {
      await pass.perform(action);
    } catch (error) {
      const what = created[action.do];
      if (!what || !(isRefused(error) || error instanceof RevisionClash)) throw error;
      for (const answer of decideRefused(seen, what, (error as Error).message)) await pass.perform(answer);
      throw error;
    }
  }
  return { requeueAfterMs };
}

const created: Partial<Record<Effect['do'], string>> = {
  createVmi: 'VirtualMachineInstance',
  createDataVolume: 'DataVolume',
  createRevision: 'ControllerRevision',
  changeStorage: 'VirtualMachineInstance with the volumes of the VM',
  setTemplateVolumes: 'VirtualMachine with the volume of its memory dump',
  expand: 'VirtualMachine with its instance type written into it',
};

/** Fetched on demand instead of watched: a cluster may have hundreds of them, of which few are in use. */
const findReferences = (client: KubeClient, vm: Observed['vm']): Promise<Find> =>
  decideWith(sourceOf(client), ({ find }) => {
    findInstancetype(vm, find);
    findPreference(vm, find);
    return find;
  });

/** The revision that the VM needs exists with different content. */
class RevisionClash extends Error {}

/** Performs the writes of one pass. */
class Pass {
  /** Updated by each of the pass's own writes, so that a later write does not conflict with an earlier one. */
  private version: string | undefined;

  public constructor(
    private readonly context: Context,
    private readonly seen: Observed,
    private readonly expected: string,
  ) {
    this.version = seen.vm.metadata.resourceVersion;
  }

  public async perform(action: Effect): Promise<void> {
    const { client, recorder, expectations, caches } = this.context;
    const { vm } = this.seen;
    const { namespace } = vm.metadata;
    switch (action.do) {
      case 'addFinalizer':
        return this.patch({ metadata: { finalizers: [...(vm.metadata.finalizers ?? []), VM_FINALIZER] } });
      case 'removeFinalizer':
        return this.patch({
          metadata: { finalizers: vm.metadata.finalizers?.filter((name) => name !== VM_FINALIZER) },
        }).catch(except(isNotFound));
      case 'switchToAlways':
        return this.patch({ spec: vm.spec.runStrategy ? { runStrategy: 'Always' } : { running: true } });
      case 'patchStatus':
        return this.patch({ status: action.status }, 'status');
      case 'createDataVolume':
        return this.createDataVolume(action.dataVolume);
      case 'adoptDataVolume':
        return this.adoptDataVolume(action.dataVolume);
      case 'createRevision':
        return this.createRevision(action.revision);
      case 'deleteRevision':
        await client.delete(resources.controllerRevisions, { namespace, name: action.name }).catch(except(isNotFound));
        return;
      case 'expand':
        await this.patch({ spec: { template: action.template, instancetype: null, preference: null } });
        return this.patch({ status: { instancetypeRef: null, preferenceRef: null } }, 'status');
      case 'createVmi': {
        const vmi = await this.createVmi(action.vmi);
        const message = `Started the virtual machine by creating the new virtual machine instance ${vm.metadata.name}`;
        recorder.normal(vm, reasons.successfulCreate, message);
        return expectations.expect(this.expected, caches.vmis, vmi?.metadata.resourceVersion);
      }
      case 'changeStorage': {
        const { name = '', resourceVersion, uid } = action.vmi.metadata;
        const { volumes, disks } = action.change;
        const body = { metadata: { resourceVersion, uid }, spec: { volumes, domain: { devices: { disks } } } };
        const answer = await client.patch(resources.virtualMachineInstances, { namespace, name }, body, 'merge', {
          fieldManager,
        });
        return expectations.expect(this.expected, caches.vmis, answer.metadata.resourceVersion);
      }
      case 'setTemplateVolumes':
        return this.patch({ spec: { template: { spec: { volumes: action.volumes } } } });
      case 'annotateClaim': {
        const body = { metadata: { annotations: { [keys.memoryDump]: action.value } } };
        const ref = { namespace, name: action.claim };
        await client
          .patch(resources.persistentVolumeClaims, ref, body, 'merge', { fieldManager })
          .catch(except(isNotFound));
        return;
      }
      case 'deleteVmi': {
        const { uid, name = '' } = action.vmi.metadata;
        const answer = await client
          .delete(resources.virtualMachineInstances, { namespace, name }, { preconditions: { uid } })
          .catch(except(isNotFound));
        if (!answer) return;
        const message = `Stopped the virtual machine by deleting the virtual machine instance ${uid}: ${action.why}`;
        recorder.normal(vm, reasons.successfulDelete, message);
        return expectations.expect(this.expected, caches.vmis, answer.metadata?.resourceVersion);
      }
      case 'recordEvent':
        recorder.record(vm, action.type, action.reason, action.message);
    }
  }

  private async createDataVolume(dataVolume: DataVolume): Promise<void> {
    const { client, expectations, caches } = this.context;
    const made = await client
      .create(resources.dataVolumes, dataVolume, { fieldManager })
      .catch(except(isAlreadyExists));
    expectations.expect(this.expected, caches.dataVolumes, made?.metadata.resourceVersion);
  }

  /** Reads the DataVolume from the API server: the cache does not keep all its owners. */
  private async adoptDataVolume({ metadata }: DataVolume): Promise<void> {
    const { client, expectations, caches } = this.context;
    const ref = { namespace: metadata.namespace, name: metadata.name ?? '' };
    const {
      ownerReferences = [],
      uid,
      resourceVersion,
    } = (await client.find<DataVolume>(resources.dataVolumes, ref))?.metadata ?? {};
    if (uid !== metadata.uid || ownerReferences.some(({ controller }) => controller)) return;
    const owner = controllerRef({ ...this.seen.vm, apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine' });
    const body = { metadata: { uid, resourceVersion, ownerReferences: [...ownerReferences, owner] } };
    const adopted = await client.patch(resources.dataVolumes, ref, body, 'merge', { fieldManager });
    expectations.expect(this.expected, caches.dataVolumes, adopted.metadata.resourceVersion);
  }

  /** The VMI has the VM's name: the API server rejects a second one, even if the cache is outdated. */
  private async createVmi(wanted: VirtualMachineInstance): Promise<VirtualMachineInstance | undefined> {
    const { client } = this.context;
    try {
      return await client.create(resources.virtualMachineInstances, wanted, { fieldManager });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const ref = { namespace: wanted.metadata.namespace, name: wanted.metadata.name ?? '' };
      const existing = await client.find<VirtualMachineInstance>(resources.virtualMachineInstances, ref);
      // a VMI of another owner, or one that is being deleted: the next pass handles it
      return existing && isOwned(this.seen.vm, existing) ? existing : undefined;
    }
  }

  /** The name follows from the object and its generation: an existing revision has the same content unless it was changed. */
  private async createRevision(revision: ControllerRevision): Promise<void> {
    const { client } = this.context;
    try {
      await client.create(resources.controllerRevisions, revision, { fieldManager });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { namespace, name = '' } = revision.metadata;
      const existing = await client.get<ControllerRevision>(resources.controllerRevisions, { namespace, name });
      const field = /Preference$/.test((revision.data as KubeObject).kind) ? 'preference' : 'instancetype';
      if (!sameRevision(revision, existing, field)) {
        throw new RevisionClash(`found existing ControllerRevision with unexpected data: ${name}; delete it`);
      }
    }
  }

  private async patch(body: Record<string, unknown>, subresource?: string): Promise<void> {
    const { client, expectations, caches } = this.context;
    const { namespace, name = '', uid } = this.seen.vm.metadata;
    const metadata = { ...(body.metadata as object), resourceVersion: this.version, uid };
    const answer = await client.patch(
      resources.virtualMachines,
      { namespace, name, subresource },
      { ...body, metadata },
      'merge',
      { fieldManager },
    );
    this.version = answer.metadata.resourceVersion;
    expectations.expect(this.expected, caches.vms, this.version);
  }
}
