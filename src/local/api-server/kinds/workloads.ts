import { Kind } from '../registry/kind';
import { controllerRevision } from './apps/controller-revision';
import { daemonSet } from './apps/daemon-set';
import { deployment } from './apps/deployment';
import { replicaSet } from './apps/replica-set';
import { statefulSet } from './apps/stateful-set';

/** Kinds of `apps/v1`, which the workload controllers manage. */
export const workloadKinds: Kind[] = [deployment, replicaSet, statefulSet, daemonSet, controllerRevision];
