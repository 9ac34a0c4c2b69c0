import {
  applyDefaults,
  claimViolations,
  podViolations,
} from '../../../../../src/local/api-server/admission/limit-ranger';
import { LimitRangeItem } from '../../../../../src/local/api-server/kinds/limit-range';
import { AnyObject } from '../../../../../src/local/api-server/types';

const pod = (resources?: object, more: object = {}): AnyObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', ...(resources ? { resources } : {}) }], ...more },
});
const container = (item: object): LimitRangeItem => ({ type: 'Container', ...item });

test('defaults complete the amounts of containers and are recorded in an annotation', () => {
  const object = pod({ limits: { cpu: '1' } }, { initContainers: [{ name: 'i' }] });
  applyDefaults(object, [container({ default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '100m' } })]);
  expect(object.spec.containers[0].resources).toEqual({
    limits: { cpu: '1', memory: '1Gi' },
    requests: { cpu: '100m' },
  });
  expect(object.spec.initContainers[0].resources).toEqual({
    limits: { cpu: '2', memory: '1Gi' },
    requests: { cpu: '100m' },
  });
  expect(object.metadata.annotations).toEqual({
    'kubernetes.io/limit-ranger':
      'LimitRanger plugin set: cpu request for container c; memory limit for container c; cpu request for init container i; cpu, memory limit for init container i',
  });
});

test('a Pod with all amounts gets no annotation', () => {
  const object = pod({ limits: { cpu: '1' } });
  applyDefaults(object, [container({ default: { cpu: '2' } })]);
  expect(object.metadata.annotations).toBeUndefined();
});

const cpu = (request?: string, limit?: string) => ({
  ...(request ? { requests: { cpu: request } } : {}),
  ...(limit ? { limits: { cpu: limit } } : {}),
});

test.each<[string, LimitRangeItem, object, string[]]>([
  ['the minimum', container({ min: { cpu: '100m' } }), cpu('100m'), []],
  [
    'less than the minimum',
    container({ min: { cpu: '100m' } }),
    cpu('99m'),
    ['minimum cpu usage per Container is 100m, but request is 99m'],
  ],
  [
    'a limit below the minimum',
    container({ min: { cpu: '100m' } }),
    cpu('100m', '50m'),
    ['minimum cpu usage per Container is 100m, but limit is 50m'],
  ],
  [
    'no request',
    container({ min: { cpu: '1' } }),
    {},
    ['minimum cpu usage per Container is 1.  No request is specified'],
  ],
  ['the maximum', container({ max: { cpu: '1' } }), cpu('1', '1'), []],
  [
    'more than the maximum',
    container({ max: { cpu: '1' } }),
    cpu('1', '1001m'),
    ['maximum cpu usage per Container is 1, but limit is 1001m'],
  ],
  [
    'a request above the maximum',
    container({ max: { cpu: '1' } }),
    cpu('2', '1'),
    ['maximum cpu usage per Container is 1, but request is 2'],
  ],
  [
    'no limit',
    container({ max: { cpu: '1' } }),
    cpu('1'),
    ['maximum cpu usage per Container is 1.  No limit is specified'],
  ],
  ['the largest ratio', container({ maxLimitRequestRatio: { cpu: '2' } }), cpu('1', '2'), []],
  [
    'a larger ratio',
    container({ maxLimitRequestRatio: { cpu: '2' } }),
    cpu('1', '3'),
    ['cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000'],
  ],
  [
    'a ratio without request',
    container({ maxLimitRequestRatio: { cpu: '2' } }),
    cpu(undefined, '3'),
    ['cpu max limit to request ratio per Container is 2, but no request is specified or request is 0'],
  ],
  [
    'a ratio without limit',
    container({ maxLimitRequestRatio: { cpu: '2' } }),
    cpu('1'),
    ['cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0'],
  ],
  [
    'a Pod above the maximum',
    { type: 'Pod', max: { cpu: '1' } },
    cpu('2', '2'),
    ['maximum cpu usage per Pod is 1, but limit is 2'],
  ],
  ['limits of claims', { type: 'PersistentVolumeClaim', max: { storage: '1' } }, {}, []],
])('a Pod with %s is checked', (_, item, resources, want) =>
  expect(podViolations(pod(resources), [item])).toEqual(want),
);

test.each([
  ['1Gi', []],
  ['2Gi', []],
  ['1023Mi', ['minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 1023Mi']],
  ['2049Mi', ['maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 2049Mi']],
])('a claim of %s is checked', (storage, want) => {
  const claim = { apiVersion: 'v1', kind: 'X', metadata: {}, spec: { resources: { requests: { storage } } } };
  const item = { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } };
  expect(claimViolations(claim, [item])).toEqual(want);
});
