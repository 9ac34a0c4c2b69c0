/** The API as data: types, validators, defaulting and admission rules. Pure, shared by every room. */
export * from './meta';
export * from './field-error';
export * from './generated/meta-v1';
export * from './generated/kubevirt-v1';
export type * as core from './generated/core-v1';
export type * as cdi from './generated/cdi-v1beta1';
export * from './constants';
export * from './quantity';
export * from './names';
export * from './conditions';
export * from './cluster-config';
export type { FeatureGate } from './feature-gates';
export * from './schema';
export * from './mutate';
export * from './validate';
export * from './kinds';
export { validateInstanceSpec } from './admission/instance';
export { defaultInstanceSpec, firmwareUuid, uuidOf } from './defaulting/instance';
