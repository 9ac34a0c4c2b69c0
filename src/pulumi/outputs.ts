import * as pulumi from '@pulumi/pulumi';

/** A value that is known later: an Output, or a Promise. */
export type Variable = pulumi.Output<unknown> | Promise<unknown>;

export function isVariable(value: unknown): value is Variable {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

const ofPromises = new WeakMap<Promise<unknown>, pulumi.Output<unknown>>();

/** Returns the Output of a variable; always the same Output for the same variable. */
export function outputOf(variable: Variable): pulumi.Output<unknown> {
  if (!(variable instanceof Promise)) return variable;
  let output = ofPromises.get(variable);
  if (!output) ofPromises.set(variable, (output = pulumi.output(variable)));
  return output;
}

/** State of a variable after everything that it waits for is done. In a preview it may stay unknown. */
export interface Settled {
  readonly known: boolean;
  readonly secret: boolean;
  readonly value: unknown;
}

/**
 * @throws the error with which the variable fails
 * @throws the error of the variable
 */
export async function settle(variable: Variable): Promise<Settled> {
  // the SDK has these members on every Output, and declares them internal
  const { isKnown, isSecret, promise } = pulumi.output(outputOf(variable)) as unknown as {
    isKnown: Promise<boolean>;
    isSecret: Promise<boolean>;
    promise(withUnknowns?: boolean): Promise<unknown>;
  };
  const [known, secret, value] = await Promise.all([isKnown, isSecret, promise()]);
  return { known, secret, value };
}

/** Returns an Output that is unknown in every preview. */
export function unknownOutput(): pulumi.Output<unknown> {
  return pulumi.output(pulumi.unknown as unknown);
}
