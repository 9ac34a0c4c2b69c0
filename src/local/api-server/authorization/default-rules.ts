/**
 * Kubernetes' default roles, for the resources and components that the engine serves. A line is a rule: verbs, API groups
 * and resources (`core` is the group without a name), then perhaps names; or verbs and URLs. `read`, `change` and `all`
 * mean several verbs, and `events` the permission to write events.
 */

/** Default ClusterRoles. */
export const CLUSTER_ROLES: Readonly<Record<string, string>> = {
  'cluster-admin': `
    * | * | *
    * | *`,
  'system:aggregate-to-admin': `
    create | authorization.k8s.io | localsubjectaccessreviews
    all | rbac.authorization.k8s.io | rolebindings roles`,
  'system:aggregate-to-edit': `
    read | core | pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy
    impersonate | core | serviceaccounts
    change | core | pods pods/attach pods/exec pods/portforward pods/proxy
    create | core | pods/eviction
    change | core | configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy
    create | core | serviceaccounts/token
    change | core events.k8s.io | events
    change | apps | daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale
    change | autoscaling | horizontalpodautoscalers
    change | batch | cronjobs jobs
    change | extensions | daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale
    change | policy | poddisruptionbudgets
    change | networking.k8s.io | ingresses networkpolicies
    all | coordination.k8s.io | leases
    change | resource.k8s.io | resourceclaims resourceclaimtemplates`,
  'system:aggregate-to-view': `
    read | core | configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status
    read | core | bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status
    read | core | namespaces
    read | core events.k8s.io | events
    read | discovery.k8s.io | endpointslices
    read | apps | controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status
    read | autoscaling | horizontalpodautoscalers horizontalpodautoscalers/status
    read | batch | cronjobs cronjobs/status jobs jobs/status
    read | extensions | daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale
    read | policy | poddisruptionbudgets poddisruptionbudgets/status
    read | networking.k8s.io | ingresses ingresses/status networkpolicies
    read | resource.k8s.io | resourceclaims resourceclaims/status resourceclaimtemplates`,
  'system:auth-delegator': `
    create | authentication.k8s.io | tokenreviews
    create | authorization.k8s.io | subjectaccessreviews`,
  'system:basic-user': `
    create | authorization.k8s.io | selfsubjectaccessreviews selfsubjectrulesreviews
    create | authentication.k8s.io | selfsubjectreviews`,
  'system:discovery': `
    get | /api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/`,
  'system:kube-aggregator': `
    read | core | endpoints services`,
  'system:kube-controller-manager': `
    events
    create | coordination.k8s.io | leases
    get update | coordination.k8s.io | leases | kube-controller-manager
    create | core | secrets serviceaccounts
    delete | core | secrets
    get | core | configmaps namespaces secrets serviceaccounts
    update | core | secrets serviceaccounts
    create | authentication.k8s.io | tokenreviews
    create | authorization.k8s.io | subjectaccessreviews
    list watch | * | *
    create | core | serviceaccounts/token`,
  'system:kube-dns': `
    list watch | core | endpoints services`,
  'system:kube-scheduler': `
    events
    create | coordination.k8s.io | leases
    get list update watch | coordination.k8s.io | leases | kube-scheduler
    all | coordination.k8s.io | leasecandidates
    read | core | nodes
    delete get list watch | core | pods
    create | core | bindings pods/binding
    patch update | core | pods/status
    read | core | replicationcontrollers services
    read | apps extensions | replicasets
    read | apps | statefulsets
    read | policy | poddisruptionbudgets
    read | core | persistentvolumeclaims persistentvolumes
    create | authentication.k8s.io | tokenreviews
    create | authorization.k8s.io | subjectaccessreviews
    read | storage.k8s.io | csinodes
    read | storage.k8s.io | volumeattachments
    read | core | namespaces
    read | storage.k8s.io | csidrivers
    read | storage.k8s.io | csistoragecapacities
    read | resource.k8s.io | deviceclasses
    get list patch update watch | resource.k8s.io | resourceclaims
    get list patch update watch | resource.k8s.io | resourceclaims/status
    update | core | pods/finalizers
    read | resource.k8s.io | resourceslices
    create delete | resource.k8s.io | resourceclaims
    patch update | resource.k8s.io | resourceclaims/binding`,
  'system:kubelet-api-admin': `
    read | core | nodes
    proxy | core | nodes
    * | core | nodes/log nodes/metrics nodes/proxy nodes/stats
    * | core | nodes/configz nodes/healthz nodes/pods`,
  'system:monitoring': `
    get | /flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz
    get | core | nodes/metrics`,
  'system:node': `
    create | authentication.k8s.io | tokenreviews
    create | authorization.k8s.io | localsubjectaccessreviews subjectaccessreviews
    read | core | services
    create get list watch | core | nodes
    patch update | core | nodes/status
    patch update | core | nodes
    events
    read | core | pods
    create delete | core | pods
    patch update | core | pods/status
    create | core | pods/eviction
    read | core | configmaps secrets
    get | core | persistentvolumeclaims persistentvolumes
    get | core | endpoints
    create get list watch | certificates.k8s.io | certificatesigningrequests
    create delete get patch update | coordination.k8s.io | leases
    get | storage.k8s.io | volumeattachments
    create | core | serviceaccounts/token
    get patch update | core | persistentvolumeclaims/status
    read | storage.k8s.io | csidrivers
    create delete get patch update | storage.k8s.io | csinodes
    read | node.k8s.io | runtimeclasses
    get | resource.k8s.io | resourceclaims
    deletecollection | resource.k8s.io | resourceslices
    get | core | serviceaccounts`,
  'system:node-proxier': `
    list watch | core | endpoints services
    read | core | nodes
    events
    list watch | networking.k8s.io | servicecidrs
    list watch | discovery.k8s.io | endpointslices`,
  'system:persistent-volume-provisioner': `
    create delete get list watch | core | persistentvolumes
    get list update watch | core | persistentvolumeclaims
    read | storage.k8s.io | storageclasses
    watch | core | events
    events`,
  'system:public-info-viewer': `
    get | /healthz /livez /readyz /version /version/`,
  'system:service-account-issuer-discovery': `
    get | /.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/`,
  'system:volume-scheduler': `
    get list patch update watch | core | persistentvolumes
    read | storage.k8s.io | storageclasses
    get list patch update watch | core | persistentvolumeclaims`,
};

/** ClusterRoles of controllers (`system:controller:NAME`), each for the ServiceAccount of that name in kube-system. */
export const CONTROLLER_ROLES: Readonly<Record<string, string>> = {
  'clusterrole-aggregation-controller': `
    escalate get list patch update watch | rbac.authorization.k8s.io | clusterroles`,
  'cronjob-controller': `
    get list update watch | batch | cronjobs
    create delete get list patch update watch | batch | jobs
    update | batch | cronjobs/status
    update | batch | cronjobs/finalizers
    delete list watch | core | pods
    events`,
  'daemon-set-controller': `
    read | apps extensions | daemonsets
    update | apps extensions | daemonsets/status
    update | apps extensions | daemonsets/finalizers
    list watch | core | nodes
    create delete list patch watch | core | pods
    create | core | pods/binding
    create delete get list patch update watch | apps | controllerrevisions
    events`,
  'deployment-controller': `
    get list update watch | apps extensions | deployments
    update | apps extensions | deployments/status
    update | apps extensions | deployments/finalizers
    create delete get list patch update watch | apps extensions | replicasets
    get list update watch | core | pods
    events`,
  'disruption-controller': `
    read | apps extensions | deployments
    read | apps extensions | replicasets
    read | core | replicationcontrollers
    read | policy | poddisruptionbudgets
    read | apps | statefulsets
    update | policy | poddisruptionbudgets/status
    patch update | core | pods/status
    get | * | */scale
    events`,
  'endpoint-controller': `
    read | core | pods services
    create delete get list update watch | core | endpoints
    create | core | endpoints/restricted
    events`,
  'endpointslice-controller': `
    read | core | nodes pods services
    update | core | services/finalizers
    create delete get list update watch | discovery.k8s.io | endpointslices
    create | discovery.k8s.io | endpointslices/restricted
    events`,
  'ephemeral-volume-controller': `
    read | core | pods
    update | core | pods/finalizers
    create get list watch | core | persistentvolumeclaims
    events`,
  'expand-controller': `
    get list patch update watch | core | persistentvolumes
    patch update | core | persistentvolumeclaims/status
    read | core | persistentvolumeclaims
    events`,
  'generic-garbage-collector': `
    delete get list patch update watch | * | *
    events`,
  'horizontal-pod-autoscaler': `
    read | autoscaling | horizontalpodautoscalers
    update | autoscaling | horizontalpodautoscalers/status
    get update | * | */scale
    list watch | core | pods
    list watch | metrics.k8s.io | pods
    read | custom.metrics.k8s.io | *
    read | external.metrics.k8s.io | *
    events`,
  'job-controller': `
    get list patch update watch | batch | jobs
    update | batch | jobs/status
    update | batch | jobs/finalizers
    create delete list patch watch | core | pods
    events`,
  'namespace-controller': `
    delete get list watch | core | namespaces
    update | core | namespaces/finalize namespaces/status
    delete deletecollection get list watch | * | *`,
  'node-controller': `
    delete get list patch update watch | core | nodes
    patch update | core | nodes/status
    patch update | core | pods/status
    delete get list watch | core | pods
    events`,
  'persistent-volume-binder': `
    create delete get list update watch | core | persistentvolumes
    update | core | persistentvolumes/status
    get list update watch | core | persistentvolumeclaims
    update | core | persistentvolumeclaims/status
    create delete get list watch | core | pods
    read | storage.k8s.io | storageclasses
    list watch | core | nodes
    events
    watch | core | events`,
  'pod-garbage-collector': `
    delete list watch | core | pods
    read | core | nodes
    patch | core | pods/status`,
  'pv-protection-controller': `
    get list update watch | core | persistentvolumes
    events`,
  'pvc-protection-controller': `
    get list update watch | core | persistentvolumeclaims
    update | core | persistentvolumeclaims/status
    read | core | pods
    events`,
  'replicaset-controller': `
    get list update watch | apps extensions | replicasets
    update | apps extensions | replicasets/status
    update | apps extensions | replicasets/finalizers
    create delete list patch watch | core | pods
    events`,
  'resourcequota-controller': `
    list watch | * | *
    update | core | resourcequotas/status
    events`,
  'root-ca-cert-publisher': `
    create update | core | configmaps
    events`,
  'service-account-controller': `
    create | core | serviceaccounts
    events`,
  'statefulset-controller': `
    list watch | core | pods
    read | apps | statefulsets
    update | apps | statefulsets/status
    update | apps | statefulsets/finalizers
    create delete get patch update | core | pods
    create delete get list patch update watch | apps | controllerrevisions
    create get list watch | core | persistentvolumeclaims
    delete update | core | persistentvolumeclaims
    update | core | pods/finalizers
    events`,
  'ttl-after-finished-controller': `
    delete get list watch | batch | jobs
    events`,
  'validatingadmissionpolicy-status-controller': `
    read | admissionregistration.k8s.io | validatingadmissionpolicies
    get patch update | admissionregistration.k8s.io | validatingadmissionpolicies/status
    events`,
};

const LEADER = `
    create get list update watch | coordination.k8s.io | leases
    create get list update watch | coordination.k8s.io | leasecandidates`;

/** Default Roles in kube-system. */
export const SYSTEM_ROLES: Readonly<Record<string, string>> = {
  'extension-apiserver-authentication-reader': `
    read | core | configmaps | extension-apiserver-authentication`,
  'system::leader-locking-kube-controller-manager': LEADER,
  'system::leader-locking-kube-scheduler': LEADER,
};

/** Subjects (`User NAME`, `Group NAME`, `ServiceAccount NAME` in kube-system) of the ClusterRole with the binding's name. */
export const CLUSTER_BINDINGS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['Group system:masters'],
  'system:basic-user': ['Group system:authenticated'],
  'system:discovery': ['Group system:authenticated'],
  'system:kube-controller-manager': ['User system:kube-controller-manager'],
  'system:kube-dns': ['ServiceAccount kube-dns'],
  'system:kube-scheduler': ['User system:kube-scheduler'],
  'system:monitoring': ['Group system:monitoring'],
  // The node authorizer grants this role.
  'system:node': [],
  'system:node-proxier': ['User system:kube-proxy'],
  'system:public-info-viewer': ['Group system:authenticated', 'Group system:unauthenticated'],
  'system:service-account-issuer-discovery': ['Group system:serviceaccounts'],
  'system:volume-scheduler': ['User system:kube-scheduler'],
};

/** Role and subjects of default RoleBindings in kube-system. */
export const SYSTEM_BINDINGS: Readonly<Record<string, readonly [role: string, ...subjects: string[]]>> = {
  'system::extension-apiserver-authentication-reader': [
    'extension-apiserver-authentication-reader',
    'User system:kube-controller-manager',
    'User system:kube-scheduler',
  ],
  'system::leader-locking-kube-controller-manager': [
    'system::leader-locking-kube-controller-manager',
    'User system:kube-controller-manager',
    'ServiceAccount kube-controller-manager',
    'ServiceAccount leader-election-controller',
  ],
  'system::leader-locking-kube-scheduler': [
    'system::leader-locking-kube-scheduler',
    'User system:kube-scheduler',
    'ServiceAccount kube-scheduler',
  ],
};
