import { progressOf, serves, withCanary, type Workload } from '../../../../../src/runtime/operator/install/rollout';
import fc from '../../../../support/fast-check';

const deployment = (status: Workload['status'], replicas?: number): Workload => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment' },
  metadata: { generation: 2 },
  spec: { ...(replicas === undefined ? {} : { replicas }) },
  status: { observedGeneration: 2, ...status },
});
const daemonSet = (status: Workload['status'], maxUnavailable: unknown = 1): Workload => ({
  ...{ apiVersion: 'apps/v1', kind: 'DaemonSet' },
  metadata: { generation: 2 },
  spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
  status: { observedGeneration: 2, ...status },
});

describe('progress', () => {
  test.each<[string, Workload, [number, number, boolean]]>([
    [
      'of a complete Deployment',
      deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, 2),
      [2, 2, true],
    ],
    ['of one Pod by default', deployment({ replicas: 1, updatedReplicas: 1, availableReplicas: 1 }), [1, 1, true]],
    ['of no Pods', deployment({}, 0), [0, 0, true]],
    ['of a Deployment without a status', { ...deployment({}, 2), status: undefined }, [0, 2, false]],
    [
      'of a Deployment whose change was not seen yet',
      deployment({ observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 }, 2),
      [2, 2, false],
    ],
    [
      'of a Deployment whose new Pods are not available',
      deployment({ replicas: 2, updatedReplicas: 2, availableReplicas: 1 }, 2),
      [1, 2, false],
    ],
    [
      'of a Deployment with Pods of the previous version',
      deployment({ replicas: 3, updatedReplicas: 2, availableReplicas: 3 }, 2),
      [2, 2, false],
    ],
    [
      'of a complete DaemonSet',
      daemonSet({ desiredNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3 }),
      [3, 3, true],
    ],
    [
      'of a DaemonSet with Pods of the previous version',
      daemonSet({ desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberAvailable: 3 }),
      [1, 3, false],
    ],
    ['of a DaemonSet without nodes', daemonSet({ desiredNumberScheduled: 0 }), [0, 0, true]],
    ['of a DaemonSet that was just created', daemonSet({ observedGeneration: undefined }), [0, 0, false]],
  ])('%s', (_, workload, [available, wanted, isComplete]) =>
    expect(progressOf(workload)).toEqual({ available, wanted, isComplete }),
  );
});

test.each<[string, Workload, boolean]>([
  ['a Deployment with a Pod', deployment({ availableReplicas: 1 }, 2), true],
  ['a Deployment without Pods', deployment({}, 2), false],
  ['a DaemonSet with a Pod', daemonSet({ numberAvailable: 1 }), true],
  ['a DaemonSet without Pods', daemonSet({ numberAvailable: 0 }), false],
  ['nothing without a status', { apiVersion: 'apps/v1', kind: 'Deployment', metadata: {} }, false],
])('%s serves: %#', (_, workload, want) => expect(serves(workload)).toBe(want));

describe('a DaemonSet', () => {
  const desired = {
    kind: 'DaemonSet',
    metadata: { name: 'virt-handler' },
    spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } } },
  } as never;
  const canary = { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } } };
  const full = { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } } };

  test.each<[string, Workload | undefined, boolean, object]>([
    ['begins without a canary if it is new', undefined, false, full],
    ['begins with one Pod if it changes', daemonSet({ desiredNumberScheduled: 3 }, '10%'), true, canary],
    [
      'waits for the first Pod',
      daemonSet({ desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberUnavailable: 1 }),
      false,
      canary,
    ],
    ['waits until the change was seen', daemonSet({ observedGeneration: 1, desiredNumberScheduled: 3 }), false, canary],
    [
      'continues after the first Pod',
      daemonSet({ desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberUnavailable: 0 }),
      false,
      full,
    ],
    ['continues without nodes', daemonSet({ desiredNumberScheduled: 0 }), false, full],
    [
      'stays released if its only Pod fails later',
      daemonSet({ desiredNumberScheduled: 1, updatedNumberScheduled: 1, numberUnavailable: 1 }, '10%'),
      false,
      full,
    ],
    [
      'stays released while its controller has not seen that',
      daemonSet({ observedGeneration: 1, desiredNumberScheduled: 3, updatedNumberScheduled: 1 }, '10%'),
      false,
      full,
    ],
    [
      'begins again if it changes before the first Pod is available',
      daemonSet({ desiredNumberScheduled: 3, updatedNumberScheduled: 1, numberUnavailable: 1 }),
      true,
      canary,
    ],
  ])('%s', (_, found, isChange, want) => expect(withCanary(desired, found, isChange)).toMatchObject(want));

  test('without a strategy, or without a spec, gets one', () => {
    const bare = (spec?: object): never => ({ kind: 'DaemonSet', metadata: {}, spec }) as never;
    expect(withCanary(bare({ a: 1 }), daemonSet({}), true)).toMatchObject({ spec: { a: 1, ...canaryOf() } });
    expect(withCanary(bare(), daemonSet({}), true)).toMatchObject({ spec: canaryOf() });
  });
  const canaryOf = (): object => ({ updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } });

  /** A controller that replaces Pods as Kubernetes' does, and reports late. */
  class Controller {
    public generation = 1;
    public observed = 1;
    public maxUnavailable = 1;
    public readonly pods: { isNew: boolean; isAvailable: boolean }[];

    public constructor(nodes: number) {
      this.pods = Array.from({ length: nodes }, () => ({ isNew: false, isAvailable: true }));
    }

    public get object(): Workload {
      const { length } = this.pods;
      const unavailable = this.pods.filter(({ isAvailable }) => !isAvailable).length;
      return {
        ...{ apiVersion: 'apps/v1', kind: 'DaemonSet' },
        metadata: { generation: this.generation },
        spec: { updateStrategy: { rollingUpdate: { maxUnavailable: this.maxUnavailable } } },
        status: {
          observedGeneration: this.observed,
          desiredNumberScheduled: length,
          updatedNumberScheduled: this.pods.filter(({ isNew }) => isNew).length,
          numberAvailable: length - unavailable,
          numberUnavailable: unavailable,
        },
      };
    }

    public replace(): void {
      this.observed = this.generation;
      for (const each of this.pods.filter(({ isNew }) => !isNew)) {
        const unavailable = this.pods.filter(({ isAvailable }) => !isAvailable).length;
        if (unavailable >= this.maxUnavailable) return;
        Object.assign(each, { isNew: true, isAvailable: false });
      }
    }

    public become(available: boolean): void {
      const pod = this.pods.find(({ isNew, isAvailable }) => isNew && isAvailable !== available);
      if (pod) pod.isAvailable = available;
    }
  }

  test.each([1, 3, 8])('on %i nodes never changes a second Pod before the first one is available', (nodes) => {
    const most = 5;
    const wide = {
      ...(desired as object),
      spec: { updateStrategy: { rollingUpdate: { maxUnavailable: most } } },
    } as never;
    const step = fc.constantFrom('operator', 'controller', 'available');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cluster = new Controller(nodes);
        cluster.maxUnavailable = most;
        let wasProven = false;
        let isWritten = false;
        const violations: string[] = [];
        const pass = (): void => {
          const { spec } = withCanary(wide, cluster.object, !isWritten) as Workload;
          const allowed = Number(spec?.updateStrategy?.rollingUpdate?.maxUnavailable);
          if (isWritten && allowed === cluster.maxUnavailable) return;
          // it is never released, and then restricted again
          if (isWritten && allowed === 1) violations.push('restricted again');
          Object.assign(cluster, { maxUnavailable: allowed, generation: cluster.generation + 1 });
          isWritten = true;
        };
        pass();
        for (const each of [
          ...steps,
          ...Array.from({ length: 3 * nodes }, () => ['controller', 'available', 'operator']),
        ].flat()) {
          if (each === 'operator') pass();
          else if (each === 'controller') cluster.replace();
          else cluster.become(true);
          const changed = cluster.pods.filter(({ isNew }) => isNew);
          wasProven ||= changed.some(({ isAvailable }) => isAvailable);
          if (!wasProven && changed.length > 1) violations.push('a second Pod was changed');
        }
        expect(violations).toEqual([]);
        expect(cluster.pods.every(({ isNew, isAvailable }) => isNew && isAvailable)).toBe(true);
        expect(cluster.maxUnavailable).toBe(most);
      }),
    );
  });
});
