import type * as pulumi from '@pulumi/pulumi';
import type { Chart } from 'cdk8s';
import { mistakeInCode } from '../constructs/validation';
import { kindOf } from '../constructs/value-kinds';
import { ConstructComponent } from './component';
import type { Handle } from './inputs';
import type { ComponentOptions } from './registration';

/** Values that construct code receives for Inputs: plain values, and constructs for components. */
export type Values<I> = { [K in keyof I]: I[K] extends Handle<infer T> ? T : pulumi.Unwrap<I[K]> };

/**
 * Creates a component from any cdk8s code: all objects that the code adds to the chart are registered.
 *
 * ```ts
 * fromChart('web', (chart) => {
 *   new Deployment(chart, 'web', { containers: [{ image: 'registry.example/web' }] });
 * });
 * fromChart('db', { image }, (chart, { image }) => { … }); // image: Input<string> outside, string inside
 * ```
 *
 * @param name - logical name, with which the logical names of the objects begin
 * @param inputs - Inputs and components that the code needs; for a component, the code receives its construct
 * @param make - creates the constructs. It is called several times, also with placeholders for values that are not known
 *   yet: it must be deterministic and have no other effects
 */
export function fromChart(name: string, make: (chart: Chart) => void, opts?: ComponentOptions): ConstructComponent;
export function fromChart<I extends object>(
  name: string,
  inputs: I,
  make: (chart: Chart, values: Values<I>) => void,
  opts?: ComponentOptions,
): ConstructComponent;
export function fromChart(name: string, ...rest: unknown[]): ConstructComponent {
  const inputs = typeof rest[0] === 'function' ? [] : [rest.shift()];
  const [build, opts] = rest as [(chart: Chart, ...values: unknown[]) => unknown, ComponentOptions?];
  if (typeof build !== 'function') {
    const remedy = 'write fromChart(name, inputs, (chart, values) => { … })';
    mistakeInCode(`fromChart: ${name}`, 'make', `must be a function, not ${kindOf(build)}`, remedy, 'type');
  }
  const make = (chart: Chart, values: unknown[]): Chart => {
    const result = build(chart, ...values);
    if (result instanceof Promise) rejectAsync(name, result);
    return chart;
  };
  return new ConstructComponent('virt8s:index:Chart', { name, args: inputs, make }, opts);
}

/** An asynchronous function loses the constructs after its first `await`, and the mistakes in those before. */
function rejectAsync(name: string, result: Promise<unknown>): never {
  result.catch(() => undefined);
  const cause = 'must not be async: constructs after an await are not registered';
  mistakeInCode(
    `fromChart: ${name}`,
    'make',
    cause,
    'pass what it awaits as an input: fromChart(name, { value }, …)',
    'pulumi-too-late',
  );
}
