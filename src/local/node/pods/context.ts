import type { EventRecorder, KubeClient } from '../../../runtime/kube';
import type { ImageStore } from '../../images';
import type { Policies, PodNetwork, Services } from '../../network';
import type { Log } from '../../log';
import type { Pod, Resources } from '../../core-v1';
import type { ContainerRuntime } from '../runtime/crun';
import type { Volumes } from '../volumes/volumes';
import type { GrantedDevices } from './container';
import type { ContainerRecords } from './record';
import type { NodePaths } from './paths';
import type { Sandboxes } from './sandbox';

/** Allocates the devices of plugins. */
export interface Devices {
  /**
   * Reserves devices for all containers of a Pod; throws `AdmissionError`, or `NotReadyError` while their plugin may still
   * register. A Pod keeps its devices.
   */
  admit(pod: Pod): Promise<void>;
  allocate(pod: Pod, container: string): Promise<GrantedDevices>;
  release(podUid: string): Promise<void>;
}

/** Services of the node for the work on a Pod. */
export interface NodeContext {
  readonly nodeName: string;
  readonly client: KubeClient;
  readonly events: EventRecorder;
  readonly images: ImageStore;
  readonly network: PodNetwork;
  readonly paths: NodePaths;
  readonly runtime: ContainerRuntime;
  readonly records: ContainerRecords;
  readonly sandboxes: Sandboxes;
  readonly volumes: Volumes;
  readonly devices: Devices;
  readonly cgroupParent: string;
  readonly log: Log;
  hostIPs(): string[];
  allocatable(): Resources;
  memoryCapacity(): number;
  readonly services: Pick<Services, 'variables' | 'setHostPorts'>;
  readonly policies: Pick<Policies, 'enforce' | 'release'>;
}
