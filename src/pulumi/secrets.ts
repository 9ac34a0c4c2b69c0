import * as cdk8s from 'cdk8s';
import * as core from '../constructs';
import { lifted, type Factories, type LiftedClass } from './lifted';

/** Data that contains a secret is stored in a generated Secret. */
const kept: Factories = {
  ofSecret: (args, factory) => {
    const options = { noCloud: 0, configDrive: 0, install: 0, firstBoot: 0, raw: 1, multipart: 1 }[factory];
    if (options === undefined) return args;
    return args.toSpliced(options, 1, { ...(args[options] as object | undefined), sensitive: true });
  },
};

/** Data of cloud-init. If it contains a secret, it is stored in a generated Secret. */
export const CloudInit: LiftedClass<typeof core.CloudInit> = lifted(core.CloudInit, kept);
export type CloudInit = core.CloudInit;

/** Answer files of Windows. If they contain a secret, they are stored in a generated Secret. */
export const Sysprep: LiftedClass<typeof core.Sysprep> = lifted(core.Sysprep, kept);
export type Sysprep = core.Sysprep;

/** cdk8s accepts any amount without a check, and fails later. */
const amounts: Factories = {
  check: ([amount], factory) => {
    if (typeof amount !== 'number') throw new TypeError(`${factory}: amount: must be a number`);
  },
};

/** Amount of storage or memory. */
export const Size: LiftedClass<typeof cdk8s.Size> = lifted(cdk8s.Size, amounts);
export type Size = cdk8s.Size;

/** Length of time. */
export const Duration: LiftedClass<typeof cdk8s.Duration> = lifted(cdk8s.Duration, amounts);
export type Duration = cdk8s.Duration;

/** Change to a manifest: `vm.apiObject.addJsonPatch(JsonPatch.add('/spec/…', value))`. */
export const JsonPatch: LiftedClass<typeof cdk8s.JsonPatch> = lifted(cdk8s.JsonPatch);
export type JsonPatch = cdk8s.JsonPatch;
