import type { ClusterConfig } from '../../../api/cluster-config';
import { Informer, resources } from '../../kube';
import type { EventRecorder, Expectations, KubeClient } from '../../kube';
import type { Caches } from '../context';
import type { Pod } from '../pod';
import { slim } from '../trim';
import { EXPORTER_LABEL, type VirtualMachineExport } from './names';

/** Context of the controller of exports. */
export interface ExportContext {
  readonly client: KubeClient;
  readonly recorder: EventRecorder<string>;
  readonly expectations: Expectations;
  readonly caches: ExportCaches;
  readonly image: string;
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
}

export function makeExportCaches(
  client: KubeClient,
  shared: SharedCaches,
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
    pods: new Informer<Pod>(client, resources.pods, { onError, transform: slim, labelSelector: `${label}=${value}` }),
  };
}

/** Kind, namespace and name of the source of an export. */
function sourceKeys({ metadata, spec }: VirtualMachineExport): string[] {
  return [`${spec.source.kind} ${metadata.namespace}/${spec.source.name}`];
}
