import type { KubeObject, KubeVirt, VirtualMachine, VirtualMachineInstance } from '../../api';
import type { StorageProfile } from '../../api/generated/cdi-v1beta1';
import type { Condition } from '../../api/meta';
import type { EndpointSlice, Node, PersistentVolumeClaim, Pod, Service, StorageClass } from '../../local/core-v1';

/** Container of a Pod template. */
export interface TemplateContainer {
  readonly name: string;
  readonly image?: string;
  readonly args?: readonly string[];
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
}

interface Template {
  readonly spec?: { readonly containers?: readonly TemplateContainer[] };
}

export interface Deployment extends KubeObject {
  readonly spec?: { readonly replicas?: number; readonly template?: Template };
  readonly status?: { readonly availableReplicas?: number };
}

export interface DaemonSet extends KubeObject {
  readonly spec?: { readonly template?: Template };
  readonly status?: { readonly desiredNumberScheduled?: number; readonly numberAvailable?: number };
}

export interface Lease extends KubeObject {
  readonly spec?: { readonly holderIdentity?: string; readonly renewTime?: string };
}

/** CustomResourceDefinition without its schemas. */
export interface DefinitionFacts extends KubeObject {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly storage: boolean }[] };
  readonly status?: { readonly conditions?: Condition[]; readonly storedVersions?: readonly string[] };
}

export interface ServiceReference {
  readonly name: string;
  readonly namespace: string;
}

export interface WebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly failurePolicy?: string;
    readonly clientConfig?: { readonly service?: ServiceReference; readonly caBundle?: string };
  }[];
}

export interface ApiService extends KubeObject {
  readonly spec: { readonly service?: ServiceReference | null; readonly caBundle?: string };
  readonly status?: { readonly conditions?: Condition[] };
}

/** Secret of the platform without its key. */
export interface CertificateSecret extends KubeObject {
  /** `tls.crt`, PEM. */
  readonly certificate?: string;
}

export interface Policy extends KubeObject {
  readonly spec?: { readonly policyName?: string };
}

export interface VolumeSnapshotClass extends KubeObject {
  readonly driver?: string;
}

/** Objects of the cluster that checks read. */
export interface ClusterObjects {
  readonly kubeVirts: KubeVirt;
  readonly nodes: Node;
  /** In the namespace of the platform. */
  readonly deployments: Deployment;
  readonly daemonSets: DaemonSet;
  readonly platformPods: Pod;
  readonly leases: Lease;
  readonly services: Service;
  readonly endpointSlices: EndpointSlice;
  readonly secrets: CertificateSecret;
  /** Of the platform's kinds. */
  readonly definitions: DefinitionFacts;
  readonly mutatingWebhooks: WebhookConfiguration;
  readonly validatingWebhooks: WebhookConfiguration;
  readonly apiServices: ApiService;
  readonly policies: Policy;
  readonly policyBindings: Policy;
  readonly namespaces: KubeObject;
  readonly storageClasses: StorageClass;
  readonly snapshotClasses: VolumeSnapshotClass;
  readonly storageProfiles: StorageProfile;
  readonly virtualMachines: VirtualMachine;
  /** Instances that report a failure. */
  readonly instances: VirtualMachineInstance;
  /** Claims that are not bound. */
  readonly claims: PersistentVolumeClaim;
  /** Pods of VMs, imports and exports that do not run yet. */
  readonly waitingPods: Pod;
}

/** Engine on this machine. */
export interface EngineFacts {
  readonly stateDir: string;
  /** Whether the user asks for the engine of this folder. */
  readonly isRequested: boolean;
  /** Whether its process runs. */
  readonly isAlive: boolean;
  /** Content of its record; undefined if it was never started, or was removed. */
  readonly record?: {
    readonly pid: number;
    readonly version: string;
    readonly ready: boolean;
    readonly startedAt: string;
  };
  /** Version of this command. */
  readonly commandVersion: string;
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly kvm: 'present' | 'absent' | 'forbidden';
  /** Number of processes and names of links that an engine left on this machine. */
  readonly leftProcesses: number;
  readonly leftLinks: readonly string[];
  /** Programs that ended in the last minutes, with the number of their ends. */
  readonly restarts: Readonly<Record<string, number>>;
  /** Further nodes that were stopped or disconnected. */
  readonly stoppedNodes: readonly string[];
  readonly disconnectedNodes: readonly string[];
}

interface Single {
  /** `gitVersion` of the API server. */
  readonly server: string;
  /** Groups that the API server serves. */
  readonly groups: readonly string[];
  readonly engine: EngineFacts;
}

export type ObjectName = keyof ClusterObjects;
export type FactName = ObjectName | keyof Single;

/** Everything that checks know. What could not be read is undefined; a kind that the API server does not serve is empty. */
export type Facts = Partial<Single> & {
  readonly [K in ObjectName]?: readonly ClusterObjects[K][];
} & {
  /** Time of the API server, in milliseconds since 1970. */
  readonly now: number;
  /** Difference of this machine's clock to that of the API server. */
  readonly clockOffsetMs: number;
  /** Namespace of the platform. */
  readonly namespace: string;
  /** Kinds that the API server does not serve. */
  readonly absent: ReadonlySet<FactName>;
};
