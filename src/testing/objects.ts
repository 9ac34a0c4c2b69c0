import { ApiObject, Chart } from 'cdk8s';
import type { App } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { KubeObject } from '../api';

/** Values that can be tested: an app, a chart, any construct, or objects as they would be applied. */
export type Testable = App | Chart | IConstruct | KubeObject | readonly KubeObject[];

/** An object as it would be applied. Its other fields depend on its kind: read them without a cast. */
export interface TestedObject extends KubeObject {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the fields of any kind
  readonly spec?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the fields of any kind
  readonly data?: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the fields of any kind
  readonly stringData?: any;
}

/**
 * Returns the objects of an app, a chart or a construct, in the order in which they would be applied. It validates
 * nothing.
 */
export function synthObjects(scope: App | Chart | IConstruct): TestedObject[] {
  const charts = scope.node.findAll().filter(Chart.isChart) as Chart[];
  const objects =
    charts.length > 0
      ? charts.flatMap((chart) => chart.toJson() as KubeObject[])
      : (scope.node.findAll().filter(ApiObject.isApiObject) as ApiObject[]).map((each) => each.toJson() as KubeObject);
  // as they are written: without undefined fields
  return JSON.parse(JSON.stringify(objects)) as TestedObject[];
}

/** @internal */
export const isConstruct = (value: unknown): value is IConstruct =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { node?: { findAll?: unknown } }).node?.findAll === 'function';

/** @internal */
export function isKubeObject(value: unknown): value is KubeObject {
  const { apiVersion, kind } = (value ?? {}) as Partial<KubeObject>;
  return typeof apiVersion === 'string' && typeof kind === 'string' && !isConstruct(value);
}

/**
 * @internal
 * @throws TypeError for a value without Kubernetes objects
 */
export function objectsOf(given: unknown): KubeObject[] {
  if (isConstruct(given)) return synthObjects(given);
  const list: unknown[] = Array.isArray(given) ? given : [given];
  if (list.every(isKubeObject)) return list;
  throw new TypeError('expected an App, a Chart, a construct, or Kubernetes objects with apiVersion and kind');
}

/** @internal Returns the title of an object, such as `VirtualMachine shop/web`. */
export function titleOf({ kind, metadata }: KubeObject): string {
  const { name, generateName, namespace } = metadata ?? {};
  return `${kind} ${namespace ? `${namespace}/` : ''}${name ?? `${generateName ?? ''}…`}`;
}
