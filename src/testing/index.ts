/**
 * `virt8s/testing`: assertions and a snapshot serializer for tests of charts, in jest, vitest or plain node.
 *
 * ```ts
 * import { Testing } from 'cdk8s';
 * import { expectValid, matchers, serializer, theObject } from 'virt8s/testing';
 *
 * expect.extend(matchers);
 * expect.addSnapshotSerializer(serializer);
 *
 * test('the shop has a web server', () => {
 *   const chart = new ShopChart(Testing.app(), 'shop');
 *   expectValid(chart);
 *   expect(chart).toHaveObject({ kind: 'VirtualMachine', name: 'web', spec: { runStrategy: 'Always' } });
 *   expect(chart).toMatchSnapshot();
 * });
 * ```
 */
export type { KubeObject } from '../api';
export { findObjects, theObject } from './find';
export type { ExpectedObject } from './find';
export { matchers } from './matchers';
export type { MatcherResult, Virt8sMatchers } from './matchers';
export { expectValid, mistakesIn, mistakesOf } from './mistakes';
export type { Mistake } from './mistakes';
export { synthObjects } from './objects';
export type { Testable, TestedObject } from './objects';
export { serializer, toSnapshot } from './serializer';
