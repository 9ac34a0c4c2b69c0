/** Types of the variables that expressions of admission policies may use. */
import { Scope } from '../../schema/cel';
import { BOOL, CelType, DYN, INT, listOf, mapOf, objectOf, opaque, STRING, TIMESTAMP } from '../../schema/cel/types';

const strings = (...names: string[]): Record<string, CelType> =>
  Object.fromEntries(names.map((name) => [name, STRING]));

const gvk = objectOf('kubernetes.GroupVersionKind', strings('group', 'version', 'kind'));
const gvr = objectOf('kubernetes.GroupVersionResource', strings('group', 'version', 'resource'));

const request = objectOf('kubernetes.AdmissionRequest', {
  kind: gvk,
  resource: gvr,
  requestKind: gvk,
  requestResource: gvr,
  ...strings('subResource', 'requestSubResource', 'name', 'namespace', 'operation'),
  userInfo: objectOf('kubernetes.UserInfo', {
    ...strings('username', 'uid'),
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
});

const namespaceObject = objectOf('kubernetes.Namespace', {
  metadata: objectOf('kubernetes.NamespaceMetadata', {
    ...strings('name', 'generateName', 'namespace', 'UID', 'resourceVersion'),
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    finalizers: listOf(STRING),
  }),
  spec: objectOf('kubernetes.NamespaceSpec', { finalizers: listOf(STRING) }),
  status: objectOf('kubernetes.NamespaceStatus', {
    conditions: listOf(
      objectOf('kubernetes.NamespaceCondition', {
        ...strings('status', 'type', 'message', 'reason'),
        lastTransitionTime: TIMESTAMP,
      }),
    ),
    phase: STRING,
  }),
});

/** Variables of an expression. `object` is the type of the objects; `dyn` where it is not known. */
export function policyScope({
  object = DYN,
  params,
  authorizer = true,
  variables,
}: {
  readonly object?: CelType;
  readonly params: boolean;
  readonly authorizer?: boolean;
  readonly variables?: Readonly<Record<string, CelType>>;
}): Scope {
  return new Map([
    ['object', object],
    ['oldObject', object],
    ['request', request],
    ['namespaceObject', namespaceObject],
    ...(params ? ([['params', DYN]] as const) : []),
    ...(authorizer
      ? ([
          ['authorizer', opaque('kubernetes.authorization.Authorizer')],
          ['authorizer.requestResource', opaque('kubernetes.authorization.ResourceCheck')],
        ] as const)
      : []),
    ...(variables ? ([['variables', objectOf('kubernetes.variables', variables)]] as const) : []),
  ]);
}
