import { Cause } from '../../schema';
import { validateCrd } from './rules';
import { AnyObject, timestamp } from '../../types';
import { define } from '../../kinds/define';

export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime?: string;
}

/** Sets a condition of a CRD; its time changes only with its status. */
export function setCondition(crd: AnyObject, condition: Condition): void {
  const conditions: Condition[] = (crd.status ??= {}).conditions ?? [];
  const at = conditions.findIndex((item) => item.type === condition.type);
  const unchanged = at >= 0 && conditions[at].status === condition.status;
  const next = { lastTransitionTime: unchanged ? conditions[at].lastTransitionTime : timestamp(), ...condition };
  if (at < 0) conditions.push(next);
  else conditions[at] = next;
  crd.status.conditions = conditions;
}

/** Storage versions that objects may have been written in. */
function addStoredVersion(crd: AnyObject): void {
  const storage = crd.spec?.versions?.find((version: { storage?: boolean }) => version.storage)?.name;
  if (storage === undefined) return;
  const status = (crd.status ??= {});
  status.storedVersions = [...new Set([...(status.storedVersions ?? []), storage])];
}

export const customResourceDefinition = define({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  status: true,
  generation: true,
  unconditionalUpdate: false,
  empty: () => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {},
    spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
  }),
  defaults(crd) {
    const names = (crd.spec ??= {}).names;
    for (const version of crd.spec.versions ?? []) {
      version.name ??= '';
      version.served ??= false;
      version.storage ??= false;
      if (version.deprecated === false) delete version.deprecated;
    }
    if (names) {
      if (!names.singular && names.kind) names.singular = String(names.kind).toLowerCase();
      if (!names.listKind && names.kind) names.listKind = `${names.kind}List`;
    }
    crd.spec.conversion ??= { strategy: 'None' };
  },
  prepareForCreate(crd) {
    crd.status = { conditions: null, acceptedNames: { kind: '', plural: '' } };
    addStoredVersion(crd);
  },
  prepareForUpdate(crd) {
    addStoredVersion(crd);
  },
  schemaCauses: (crd, old, subresource): Cause[] => (subresource === 'status' ? [] : validateCrd(crd, old)),
  beginDeletion(crd) {
    crd.metadata.deletionTimestamp = timestamp();
    const finalizers = (crd.metadata.finalizers ??= []);
    if (!finalizers.includes(CLEANUP_FINALIZER)) finalizers.push(CLEANUP_FINALIZER);
    setCondition(crd, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    });
  },
});
