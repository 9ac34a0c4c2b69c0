import { expressionWarnings } from '../admission/policy/type-check';
import { Policy } from '../admission/policy/types';
import { AnyObject } from '../types';
import { Core, internalCaller } from '../verbs/core';
import { patch, PATCH_TYPES } from '../verbs/patch';
import type { WorkQueue } from '../../../runtime/kube';
import { controllerQueue } from './work-queue';

const GROUP = 'admissionregistration.k8s.io';
const RESOURCE = `${GROUP}/validatingadmissionpolicies`;
const CALLER = {
  ...internalCaller('validatingadmissionpolicy-status-controller'),
  manager: 'validatingadmissionpolicy-status',
};

/** Writes the status of ValidatingAdmissionPolicies: the types of their expressions are checked once per generation. */
export class AdmissionPolicyController {
  private readonly queue: WorkQueue;
  private stop = () => {};

  public constructor(
    private readonly core: Core,
    log: (message: string, details?: object) => void,
  ) {
    this.queue = controllerQueue((name) => this.reconcile(name), log);
  }

  public start(): void {
    const add = ({ metadata }: AnyObject) => this.queue.add(metadata.name!);
    for (const policy of this.core.store.list({ resource: RESOURCE })) add(policy);
    this.stop = this.core.store.subscribe(RESOURCE, ({ object }) => object && add(object));
  }

  public close(): void {
    this.stop();
    void this.queue.stop();
  }

  private async reconcile(name: string): Promise<void> {
    const { store, kinds } = this.core;
    const policy = store.get({ resource: RESOURCE, namespace: '', name });
    const kind = kinds.all().find((item) => item.storage === RESOURCE);
    if (!policy || !kind || policy.metadata.deletionTimestamp) return;
    const { generation } = policy.metadata;
    if (policy.status?.observedGeneration === generation) return;
    const warnings = expressionWarnings(policy as Policy, kinds.all());
    const typeChecking = warnings.length > 0 ? { expressionWarnings: warnings } : {};
    const status = { observedGeneration: generation, typeChecking };
    const body = { apiVersion: `${GROUP}/v1`, kind: kind.kind, metadata: { name }, status };
    const change = { type: PATCH_TYPES.apply, body: Buffer.from(JSON.stringify(body)), force: true };
    await patch(this.core, { kind, namespace: '', name, subresource: 'status' }, change, CALLER);
  }
}
