import type { ClusterConfig } from '../../../api/cluster-config';
import { Informer, resources } from '../../kube';
import type { EventRecorder, Expectations, KubeClient } from '../../kube';
import type { Caches } from '../context';
import type { Pod } from '../pod';
import { slim } from '../trim';
import type { Ingress, ProxyAddress } from './external';
import { EXPORTER_LABEL, type VirtualMachineExport } from './names';

/** Context of the controller of exports. */
export interface ExportContext {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<string>;
  readonly expectations: Expectations;
  readonly caches: ExportCaches;
  readonly image: string;
  /** Address of the proxy for clients outside of the cluster. */
  external(): ProxyAddress | undefined;
  /** Returns the platform's current configuration. */
  config(): ClusterConfig;
  now(): number;
}

/** Caches of other controllers that are read here. */
export type SharedCaches = Pick<Caches, 'vms' | 'vmis' | 'claims'>;

export interface ExportCaches extends SharedCaches {
  readonly exports: Informer<VirtualMachineExport>;
  /** Of exporters. */
  readonly pods: Informer<Pod>;
  /** In the namespace of the installation. */
  readonly ingresses: Informer<Ingress>;
}

export function makeExportCaches(
  client: KubeClient,
  shared: SharedCaches,
  namespace: string,
  onError: (error: unknown) => void,
): ExportCaches {
  const [[label, value]] = Object.entries(EXPORTER_LABEL) as [[string, string]];
  return {
    ...shared,
    exports: new Informer<VirtualMachineExport>(client, resources.exports, {
      onError,
      transform: slim,
      indexers: { source: sourceKeys },
    }),
    ingresses: new Informer<Ingress>(client, resources.ingresses, { onError, transform: slim, namespace }),
    pods: new Informer<Pod>(client, resources.pods, { onError, transform: slim, labelSelector: `${label}=${value}` }),
  };
}

/** Kind, namespace and name of the source of an export. */
function sourceKeys({ metadata, spec }: VirtualMachineExport): string[] {
  return [`${spec.source.kind} ${metadata.namespace}/${spec.source.name}`];
}
