/** Rules of the default roles: verbs, API groups, resources. */
export type RuleText = readonly [verbs: string, groups: string, resources: string];

const READ = 'get list watch';
const CHANGE = 'create delete deletecollection patch update';
const ALL = 'create delete deletecollection get list patch update watch';
const POD_STREAMS = 'pods/attach pods/exec pods/portforward pods/proxy';

/** The part of `admin`, `edit` and `view` that each adds to the next smaller one; `core` is the group without a name. */
export const AGGREGATED: Record<string, readonly RuleText[]> = {
  admin: [
    ['create', 'authorization.k8s.io', 'localsubjectaccessreviews'],
    [ALL, 'rbac.authorization.k8s.io', 'rolebindings roles'],
  ],
  edit: [
    [READ, 'core', `${POD_STREAMS} secrets services/proxy`],
    ['impersonate', 'core', 'serviceaccounts'],
    [CHANGE, 'core', `pods ${POD_STREAMS}`],
    ['create', 'core', 'pods/eviction'],
    [
      CHANGE,
      'core',
      'configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
    ],
    ['create', 'core', 'serviceaccounts/token'],
    [
      CHANGE,
      'apps',
      'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
    ],
    [CHANGE, 'autoscaling', 'horizontalpodautoscalers'],
    [CHANGE, 'batch', 'cronjobs jobs'],
    [
      CHANGE,
      'extensions',
      'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
    ],
    [CHANGE, 'policy', 'poddisruptionbudgets'],
    [CHANGE, 'networking.k8s.io', 'ingresses networkpolicies'],
    [ALL, 'coordination.k8s.io', 'leases'],
  ],
  view: [
    [
      READ,
      'core',
      'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
    ],
    [
      READ,
      'core',
      'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
    ],
    [READ, 'core', 'namespaces'],
    [READ, 'discovery.k8s.io', 'endpointslices'],
    [
      READ,
      'apps',
      'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
    ],
    [READ, 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'],
    [READ, 'batch', 'cronjobs cronjobs/status jobs jobs/status'],
    [
      READ,
      'extensions',
      'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
    ],
    [READ, 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'],
    [READ, 'networking.k8s.io', 'ingresses ingresses/status networkpolicies'],
  ],
};

/** Roles without aggregation. */
export const PLAIN: Record<string, readonly RuleText[]> = {
  'system:auth-delegator': [
    ['create', 'authentication.k8s.io', 'tokenreviews'],
    ['create', 'authorization.k8s.io', 'subjectaccessreviews'],
  ],
  'system:basic-user': [
    ['create', 'authorization.k8s.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'],
    ['create', 'authentication.k8s.io', 'selfsubjectreviews'],
  ],
  'system:kube-aggregator': [[READ, 'core', 'endpoints services']],
};

/** Roles about URLs: verbs are `get`. */
export const PATHS: Record<string, string> = {
  'system:discovery': '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/',
  'system:monitoring': '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*',
  'system:public-info-viewer': '/healthz /livez /readyz /version /version/',
  'system:service-account-issuer-discovery': '/.well-known/openid-configuration /openid/v1/jwks',
};

/** Groups with a cluster-wide role. */
export const BINDINGS: Record<string, readonly string[]> = {
  'cluster-admin': ['system:masters'],
  'system:basic-user': ['system:authenticated'],
  'system:discovery': ['system:authenticated'],
  'system:monitoring': ['system:monitoring'],
  'system:public-info-viewer': ['system:authenticated', 'system:unauthenticated'],
  'system:service-account-issuer-discovery': ['system:serviceaccounts'],
};
