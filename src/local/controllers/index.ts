import type { KubeClient } from '../../runtime/kube';
import type { Log } from '../log';
import type { Controller, ControllerContext } from './controller';
import { AutoscalerController } from './autoscaler/controller';
import { CronJobController } from './cron-job/controller';
import { DaemonSetController } from './daemon-set/controller';
import { DeploymentController } from './deployment/controller';
import { DisruptionController } from './disruption/controller';
import { Informers } from './informers';
import { EphemeralVolumeController } from './ephemeral-volumes/controller';
import { JobController } from './job/controller';
import { JobTtlController } from './job/ttl';
import { TaintEvictionController } from './nodes/eviction';
import { NodeLifecycleController } from './nodes/lifecycle';
import { PodGcController } from './nodes/pod-gc';
import { ReplicaSetController } from './replica-set/controller';
import { StatefulSetController } from './stateful-set/controller';

export interface ControllersOptions {
  /** As `system:kube-controller-manager`, user agent `kube-controller-manager/…`. */
  readonly client: KubeClient;
  readonly log?: Log;
}

export interface Controllers {
  close(): Promise<void>;
}

/** One line per controller. */
const registry: readonly ((context: ControllerContext) => Controller)[] = [
  (context) => new DeploymentController(context),
  (context) => new ReplicaSetController(context),
  (context) => new JobController(context),
  (context) => new JobTtlController(context),
  (context) => new CronJobController(context),
  (context) => new DisruptionController(context),
  (context) => new AutoscalerController(context),
  (context) => new NodeLifecycleController(context),
  (context) => new TaintEvictionController(context),
  (context) => new PodGcController(context),
  (context) => new StatefulSetController(context),
  (context) => new DaemonSetController(context),
  (context) => new EphemeralVolumeController(context),
];

/** Starts all controllers; resolves when each has read the objects that it manages. */
export async function startControllers({ client, log = () => undefined }: ControllersOptions): Promise<Controllers> {
  const informers = new Informers(client, log);
  const controllers = registry.map((create) => create({ client, informers, log }));
  await Promise.all(controllers.map((controller) => controller.start()));
  return {
    close: async () => {
      // together: a pass may wait for the first list of an informer
      await Promise.all([informers.stop(), ...controllers.map((controller) => controller.close())]);
    },
  };
}
