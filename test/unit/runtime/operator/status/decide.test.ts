import type { KubeVirtStatus } from '../../../../../src/api/generated/kubevirt-v1';
import {
  blockedStatus,
  deletingStatus,
  statusOf,
  type Report,
} from '../../../../../src/runtime/operator/status/decide';

const NOW = '2026-01-01T00:00:00Z';
const LATER = '2026-01-02T00:00:00Z';
const complete: Report = {
  version: 'v2',
  registry: 'registry.example',
  deploymentId: 'id2',
  generation: 3,
  missing: [],
  trouble: [],
  mistakes: [],
  isServing: true,
};
const starting: Report = { ...complete, missing: ['virt-api: 0 of 2 Pods are available'], isServing: false };
const deployed = statusOf({}, complete, NOW);

/** Conditions as `Type=Status Reason: message`. */
const said = ({ conditions = [] }: KubeVirtStatus): string[] =>
  conditions.map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
const condition = ({ conditions = [] }: KubeVirtStatus, type: string): object | undefined =>
  conditions.find((each) => each.type === type);

describe('the status', () => {
  test('of a complete installation', () => {
    const { conditions: _, ...rest } = deployed;
    expect(rest).toEqual({
      phase: 'Deployed',
      operatorVersion: 'v2',
      targetKubeVirtVersion: 'v2',
      targetKubeVirtRegistry: 'registry.example',
      targetDeploymentID: 'id2',
      observedKubeVirtVersion: 'v2',
      observedKubeVirtRegistry: 'registry.example',
      observedDeploymentID: 'id2',
      observedGeneration: 3,
      defaultArchitecture: 'amd64',
    });
    expect(said(deployed)).toEqual([
      'Available=True AllComponentsReady: VMs can be created.',
      'Progressing=False AllComponentsReady: All programs run in the wanted version.',
      'Degraded=False AllComponentsReady: No program reports a problem.',
      'Synchronized=True Synchronized: The objects of the platform are as the KubeVirt object says.',
    ]);
  });

  test('of one that starts', () => {
    const status = statusOf({}, { ...starting, trouble: ['Pod virt-api-1: ErrImagePull'] }, NOW);
    expect(status).toMatchObject({ phase: 'Deploying', targetKubeVirtVersion: 'v2' });
    expect(status).not.toHaveProperty('observedKubeVirtVersion');
    expect(said(status).slice(0, 3)).toEqual([
      'Available=False DeploymentInProgress: VMs cannot be created: virt-api: 0 of 2 Pods are available',
      'Progressing=True DeploymentInProgress: virt-api: 0 of 2 Pods are available',
      'Degraded=True ComponentsFail: Pod virt-api-1: ErrImagePull',
    ]);
  });

  test('of an upgrade keeps the installed version, and VMs can be created', () => {
    const status = statusOf(deployed, { ...starting, version: 'v3', deploymentId: 'id3', isServing: true }, LATER);
    expect(status).toMatchObject({
      phase: 'Deployed',
      observedKubeVirtVersion: 'v2',
      observedDeploymentID: 'id2',
      targetKubeVirtVersion: 'v3',
      targetDeploymentID: 'id3',
    });
    expect(said(status)[1]).toMatch(/^Progressing=True UpdateInProgress: /);
  });

  test('of a mistake in the object reports it, and blames no program', () => {
    const status = statusOf({}, { ...complete, mistakes: ['patches[0]: no such object'] }, NOW);
    expect(said(status).slice(2)).toEqual([
      'Degraded=True CustomizationInvalid: patches[0]: no such object',
      'Synchronized=False CustomizationInvalid: patches[0]: no such object',
    ]);
  });

  test('of programs that are complete without Pods has a remedy', () => {
    expect(said(statusOf({}, { ...complete, isServing: false }, NOW))[0]).toBe(
      'Available=False DeploymentInProgress: VMs cannot be created: virt-api, virt-controller and virt-handler need at ' +
        'least one available Pod each; check their placement',
    );
  });

  test('keeps the fields and conditions of others', () => {
    const other = { type: 'Other', status: 'True' } as never;
    const last = { outdatedVirtualMachineInstanceWorkloads: 4, conditions: [other], defaultArchitecture: 'arm64' };
    const status = statusOf(last, complete, NOW);
    expect(status).toMatchObject({ outdatedVirtualMachineInstanceWorkloads: 4, defaultArchitecture: 'arm64' });
    expect(status.conditions?.[0]).toBe(other);
  });

  test('has messages of a thousand characters at most', () => {
    const long = (length: number): string | undefined =>
      (
        condition(statusOf({}, { ...starting, missing: ['x'.repeat(length)] }, NOW), 'Progressing') as {
          message: string;
        }
      ).message;
    expect(long(1000)).toBe('x'.repeat(1000));
    expect(long(1001)).toBe(`${'x'.repeat(1000)}…`);
  });
});

describe('the time of a transition', () => {
  test('does not change with the message', () => {
    const status = statusOf(statusOf({}, starting, NOW), { ...starting, missing: ['other'] }, LATER);
    expect(condition(status, 'Progressing')).toMatchObject({ message: 'other', lastTransitionTime: NOW });
  });

  test('changes with the status', () => {
    const status = statusOf(statusOf({}, starting, NOW), complete, LATER);
    expect(condition(status, 'Available')).toMatchObject({ status: 'True', lastTransitionTime: LATER });
    expect(condition(status, 'Synchronized')).toMatchObject({ status: 'True', lastTransitionTime: NOW });
  });

  test('leaves an equal status as it is, so that nothing is written', () => {
    expect(statusOf(deployed, complete, LATER)).toEqual(deployed);
  });
});

describe('a blocked installation', () => {
  test('that never began is not available', () => {
    const status = blockedStatus({}, 'v2', 'UpstreamKubeVirt', 'KubeVirt owns it', NOW);
    expect(status).toMatchObject({ phase: 'Deploying', operatorVersion: 'v2' });
    expect(said(status)).toEqual(
      ['Available=False', 'Progressing=False', 'Degraded=True', 'Synchronized=False'].map(
        (each) => `${each} UpstreamKubeVirt: KubeVirt owns it`,
      ),
    );
  });

  test('that runs stays as available as it was', () => {
    const status = blockedStatus(deployed, undefined, 'ApiNotReadable', 'x'.repeat(1001), LATER);
    expect(status).toMatchObject({ phase: 'Deployed', operatorVersion: 'v2' });
    expect(condition(status, 'Available')).toBe(condition(deployed, 'Available'));
    expect(condition(status, 'Degraded')).toMatchObject({ status: 'True', message: `${'x'.repeat(1000)}…` });
  });
});

test.each([
  ['Deleting', ['Pod virt-api-1', 'Secret a'], 'still to be removed: Pod virt-api-1; Secret a'],
  ['Deleted', [], 'everything is removed'],
])('an installation that is removed is %s', (phase, left, message) => {
  const status = deletingStatus(deployed, left, LATER);
  expect(status.phase).toBe(phase);
  expect(said(status).slice(0, 3)).toEqual(
    ['Available=False', 'Progressing=True', 'Degraded=False'].map((each) => `${each} DeletionInProgress: ${message}`),
  );
});
