import type { Flags, KubeVirtSpec, NodePlacement } from '../../../api/generated/kubevirt-v1';
import type { PlatformObject } from '../../../api/platform';
import { UPLOAD_PROXY_SERVICE } from '../../../api/cdi/upload';

/** Parts of a Pod template that the KubeVirt object sets. */
interface PodSpec {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly object[];
  readonly affinity?: object;
  readonly imagePullSecrets?: readonly object[];
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
}

interface Container {
  readonly name: string;
  readonly args?: readonly string[];
  readonly imagePullPolicy?: string;
}

interface WorkloadSpec {
  readonly replicas?: number;
  readonly template: { readonly spec: PodSpec };
}

/** Deployments whose number of Pods the KubeVirt object sets. */
const REPLICATED: readonly string[] = ['virt-api', 'virt-controller'];
/** Workloads -> their flags in the KubeVirt object. */
const FLAGS_OF: Readonly<Record<string, keyof Flags>> = {
  'virt-api': 'api',
  'virt-controller': 'controller',
  'virt-handler': 'handler',
};
const INFRA: readonly string[] = ['virt-api', 'virt-controller', UPLOAD_PROXY_SERVICE];

/** Applies placement, replicas, pull policy, pull Secrets and flags of the KubeVirt object to a workload. */
export function customizedWorkload(object: PlatformObject, spec: KubeVirtSpec): PlatformObject {
  const { name = '' } = object.metadata;
  const workload = object.spec as WorkloadSpec;
  const { infra, workloads, customizeComponents } = spec;
  const placement = INFRA.includes(name) ? infra?.nodePlacement : workloads?.nodePlacement;
  const flags = FLAGS_OF[name];
  const replicas = REPLICATED.includes(name) ? (infra?.replicas ?? workload.replicas) : workload.replicas;
  const pod = placed(workload.template.spec, placement);
  const template = {
    ...workload.template,
    spec: {
      ...pod,
      ...(spec.imagePullSecrets ? { imagePullSecrets: spec.imagePullSecrets } : {}),
      containers: pod.containers.map((each, i) => ({
        ...withPullPolicy(each, spec.imagePullPolicy),
        // the first container is the component
        ...(i === 0 ? { args: withFlags(each.args ?? [], flags && customizeComponents?.flags?.[flags]) } : {}),
      })),
      ...(pod.initContainers
        ? { initContainers: pod.initContainers.map((each) => withPullPolicy(each, spec.imagePullPolicy)) }
        : {}),
    },
  };
  return { ...object, spec: { ...workload, ...(replicas === undefined ? {} : { replicas }), template } };
}

/** Adds a placement: selectors and tolerations are added, an affinity replaces the default. */
function placed(pod: PodSpec, placement: NodePlacement | undefined): PodSpec {
  if (!placement) return pod;
  const { nodeSelector, tolerations, affinity } = placement;
  return {
    ...pod,
    ...(nodeSelector ? { nodeSelector: { ...pod.nodeSelector, ...nodeSelector } } : {}),
    ...(tolerations ? { tolerations: [...(pod.tolerations ?? []), ...tolerations] } : {}),
    ...(affinity ? { affinity } : {}),
  };
}

const withPullPolicy = (container: Container, imagePullPolicy: string | undefined): Container =>
  imagePullPolicy ? { ...container, imagePullPolicy } : container;

/** Replaces arguments of the same flags, and adds the others. */
function withFlags(args: readonly string[], flags: Readonly<Record<string, string>> | undefined): string[] {
  const given = Object.entries(flags ?? {}).map(([name, value]) => ({ flag: `--${name}`, text: `--${name}=${value}` }));
  const isGiven = (arg: string): boolean => given.some(({ flag }) => arg === flag || arg.startsWith(`${flag}=`));
  return [...args.filter((arg) => !isGiven(arg)), ...given.map(({ text }) => text)];
}
