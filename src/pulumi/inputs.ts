import type { Input, Output, OutputInstance } from '@pulumi/pulumi';

type Primitive = string | number | boolean | bigint | symbol | null | undefined;
type IsAny<T> = 0 extends 1 & T ? true : false;
type Method = (...args: never[]) => unknown;
type MethodNames<T> = {
  [K in keyof T]-?: IsAny<T[K]> extends true ? never : T[K] extends Method ? K : never;
}[keyof T];
/** Plain data, as opposed to an instance of a class: no private members, no methods. */
type IsData<T> = { [K in keyof T]: T[K] } extends T ? ([MethodNames<T>] extends [never] ? true : false) : false;

declare const lifts: unique symbol;

/**
 * Handle for a `T` of the construct library whose values may not be known yet: a component, the results of its members
 * and methods, or the result of a factory with Outputs as arguments.
 */
export interface Handle<T> {
  /** Marker for the type checker; never set. */
  readonly [lifts]: T;
}

type Eventual<T> = Promise<T> | OutputInstance<T>;

/** A `T` of the construct library that accepts Inputs instead of plain values, at any depth. */
export type In<T> =
  IsAny<T> extends true ? T : unknown extends T ? unknown : [T] extends [Primitive] ? Input<T> : InEach<T>;
type InEach<T> = T extends undefined
  ? undefined
  : T extends Primitive
    ? Input<T>
    : T extends Method
      ? T
      : T extends readonly (infer E)[]
        ? readonly In<E>[] | (E extends Primitive ? Eventual<T> : IsData<E> extends true ? Eventual<T> : never)
        : IsData<T> extends true
          ? Fields<T> | Eventual<T> | Handle<T>
          : T | Handle<T>;

/** Accepts Inputs for every property of `T`. */
export type Fields<T> = { [K in keyof T]: In<T[K]> };

/** Accepts Inputs for the arguments of a function. */
export type Arguments<P extends readonly unknown[]> = { [I in keyof P]: In<P[I]> };

/**
 * Type of a construct's member in a program: Outputs for values, functions that accept Inputs, and the same for nested
 * objects.
 */
export type Lift<T> =
  IsAny<T> extends true
    ? unknown
    : [T] extends [void]
      ? void
      : [T] extends [Primitive]
        ? Output<T>
        : T extends (...args: infer P) => infer R
          ? (...args: Arguments<P>) => Lift<R>
          : T extends readonly (infer E)[]
            ? readonly Lift<E>[]
            : T extends object
              ? Lifted<T>
              : Output<T>;

/** Members of a construct, with Outputs for values. */
export type Lifted<T> = Handle<T> & { readonly [K in Exclude<keyof T, 'node' | 'toString' | 'with'>]: Lift<T[K]> };
