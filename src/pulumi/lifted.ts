import { search } from './guesses';
import type { Arguments, Handle } from './inputs';
import { rejectStringifiedOutputs } from './stringified';
import { ingredients, Later, Reading } from './reading';

/** Static members of a class of the construct library. Its factories also accept Inputs. */
export type LiftedClass<C> = {
  readonly [K in keyof C]: C[K] extends (...args: infer P) => infer R
    ? C[K] & ((...args: Arguments<P>) => Handle<R>)
    : C[K];
} & (C extends new (...args: infer P) => infer R
  ? (new (...args: P) => R) & (new (...args: Arguments<P>) => Handle<R>)
  : unknown);

/** Special behaviour of a class's factories. */
export interface Factories {
  /** Changes the arguments of a factory if one of them is a secret. */
  readonly ofSecret?: (args: unknown[], factory: string) => unknown[];
  /** Throws if the arguments are not valid for the factory. */
  readonly check?: (args: unknown[], factory: string) => void;
}

/**
 * Wraps a class of the construct library so that its factories accept Inputs. With plain values they are called
 * immediately.
 *
 * @param core - the class
 * @param factories - special behaviour of its factories
 */
export function lifted<C extends object>(core: C, factories: Factories = {}): LiftedClass<C> {
  const { ofSecret = (args) => args, check } = factories;
  const wrapped = new Map<string | symbol, unknown>();
  return new Proxy(core, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function' || typeof key === 'symbol' || !isStaticMethod(target, key)) return member;
      if (!wrapped.has(key)) {
        const call = (args: unknown[]): unknown => {
          check?.(args, key);
          return member.apply(target, args);
        };
        wrapped.set(key, (...args: unknown[]) => {
          for (const arg of args) rejectStringifiedOutputs(`${nameOf(target)}.${key}`, arg);
          return later(call, (values) => ofSecret(values, key), args);
        });
      }
      return wrapped.get(key);
    },
    construct(target, args) {
      for (const arg of args as unknown[]) rejectStringifiedOutputs(`new ${nameOf(target)}`, arg);
      return later(
        (values) => Reflect.construct(target as () => void, values) as object,
        (values) => values,
        args,
      ) as object;
    },
  }) as unknown as LiftedClass<C>;
}

const nameOf = (target: object): string => (target as { readonly name?: string }).name ?? '';

function isStaticMethod(owner: object, key: string): boolean {
  return Reflect.getOwnPropertyDescriptor(owner, key)?.writable !== false && key !== 'prototype';
}

/** Calls the factory now if everything is known, otherwise later. Mistakes in a value are thrown now in both cases. */
function later(call: (args: unknown[]) => unknown, ofSecret: (args: unknown[]) => unknown[], args: unknown[]): unknown {
  const { variables, recordings } = ingredients(args);
  if (variables.size === 0 && recordings.size === 0) return call(args);
  const result = new Later((values, secret) => call(secret ? ofSecret(values) : values), args);
  search(variables, 'a', (guess) => new Reading(guess).evaluate(result));
  return result;
}
