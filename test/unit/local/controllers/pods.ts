import type { Pod } from '../../../../src/local/core-v1';
import type { Deployment, ReplicaSet } from '../../../../src/local/controllers/apps-v1';

/** The moment of the tests. */
export const NOW = Date.parse('2030-01-01T12:00:00Z');

export const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString().replace('.000Z', 'Z');

export interface PodFacts {
  name?: string;
  node?: string;
  phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  /** Seconds for which it has been ready; not ready without it. */
  readyFor?: number;
  age?: number;
  restarts?: number;
  cost?: string;
  labels?: Record<string, string>;
  deleting?: boolean;
}

export function pod({ name = 'pod', node = 'a', phase = 'Running', readyFor, age = 60, ...facts }: PodFacts = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      creationTimestamp: ago(age),
      labels: facts.labels ?? { app: 'web' },
      ...(facts.cost === undefined
        ? {}
        : { annotations: { 'controller.kubernetes.io/pod-deletion-cost': facts.cost } }),
      ...(facts.deleting ? { deletionTimestamp: ago(0) } : {}),
    },
    spec: { ...(node ? { nodeName: node } : {}), containers: [{ name: 'web' }] },
    status: {
      phase,
      conditions:
        readyFor === undefined
          ? [{ type: 'Ready', status: 'False' }]
          : [{ type: 'Ready', status: 'True', lastTransitionTime: ago(readyFor) }],
      containerStatuses: [
        { name: 'web', ready: readyFor !== undefined, restartCount: facts.restarts ?? 0, image: '', imageID: '' },
      ],
    },
  };
}

export const template = (image = 'web:1') => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image }] },
});

export interface SetFacts {
  name?: string;
  replicas?: number;
  available?: number;
  image?: string;
  age?: number;
  revision?: number;
  /** Size of the Deployment when this ReplicaSet got its size, and that with its surge. */
  desired?: number;
  max?: number;
}

export function replicaSet({
  name = 'web-1',
  replicas = 3,
  available = replicas,
  image,
  ...facts
}: SetFacts = {}): ReplicaSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name,
      namespace: 'default',
      uid: `uid-${name}`,
      generation: 1,
      creationTimestamp: ago(facts.age ?? 60),
      annotations: {
        ...(facts.revision === undefined ? {} : { 'deployment.kubernetes.io/revision': String(facts.revision) }),
        ...(facts.desired === undefined ? {} : { 'deployment.kubernetes.io/desired-replicas': String(facts.desired) }),
        ...(facts.max === undefined ? {} : { 'deployment.kubernetes.io/max-replicas': String(facts.max) }),
      },
    },
    spec: { replicas, selector: { matchLabels: { app: 'web' } }, template: template(image) },
    status: {
      replicas,
      readyReplicas: available,
      availableReplicas: available,
      terminatingReplicas: 0,
      observedGeneration: 1,
    },
  };
}

export const deployment = (spec: Partial<Deployment['spec']> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', uid: 'uid-web', generation: 1 },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: template(),
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    ...spec,
  },
});
