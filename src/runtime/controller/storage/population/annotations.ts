import { keys } from '../../../../api/keys';

/** Annotations of a claim that report its population, as CDI names them. DataVolumes and other tools read them. */
export const annotations = {
  podPhase: keys.podPhase,
  podReady: keys.podReady,
  restarts: keys.podRestarts,
  running: keys.runningCondition,
  runningReason: keys.runningReason,
  runningMessage: keys.runningMessage,
  progress: keys.populationProgress,
  importPod: keys.importPod,
  uploadPod: keys.uploadPod,
  selectedNode: 'volume.kubernetes.io/selected-node',
  podRetained: keys.podRetained,
  clonePhase: keys.clonePhase,
  cloneType: keys.cloneType,
  cloneFallback: keys.cloneFallback,
  cloneTarget: keys.cloneTarget,
  cloneSource: keys.cloneSource,
  cloneFinish: keys.cloneFinish,
} as const;

/** Annotations of users that a worker Pod inherits: networks of Multus, and injection of service meshes. */
export const INHERITED: readonly string[] = [
  'k8s.v1.cni.cncf.io/networks',
  'v1.multus-cni.io/default-network',
  'sidecar.istio.io/inject',
  'linkerd.io/inject',
];
