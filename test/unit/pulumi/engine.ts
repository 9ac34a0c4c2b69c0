import { setImmediate } from 'node:timers/promises';
import * as pulumi from '@pulumi/pulumi';

/** Registration of one resource, as Pulumi's engine receives it. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** Whether an existing object is only read. */
  readonly read: boolean;
  /** Name of the parent. */
  readonly parent: string;
  /** Inputs without the marks of secrets. */
  readonly fields: Record<string, unknown>;
  /** Paths of the inputs that are secrets, and of those that are unknown. */
  readonly secrets: string[];
  readonly unknowns: string[];
  /** Names of the resources that it waits for. */
  readonly dependsOn: string[];
  readonly aliases: unknown[];
  readonly importId: string;
  readonly protect: boolean;
  readonly ignoreChanges: string[];
  readonly retainOnDelete: boolean;
  readonly timeouts: unknown;
  readonly provider: string;
}

interface Options {
  /** Only a preview. */
  readonly preview?: boolean;
  /** Fields that the cluster adds to an object. */
  readonly answer?: (type: string, name: string) => Record<string, unknown>;
}

const { specialSigKey, specialSecretSig, unknownValue } = pulumi.runtime as unknown as Record<string, string>;

/**
 * Runs a program as Pulumi does, against the SDK's own test runtime.
 *
 * @returns what the program returns, and everything that was registered
 * @throws the program's errors, also those of components that it made
 */
export async function run<T>(program: () => T, { preview = false, answer = () => ({}) }: Options = {}) {
  const state = (type: string, name: string, inputs: Record<string, unknown>): Record<string, unknown> => {
    // the SDK takes seconds to carry the definitions of all kinds forth and back
    const { metadata, ...others } = inputs as { metadata?: object };
    const echo = type.endsWith(':CustomResourceDefinition') ? {} : others;
    return { ...echo, metadata: { namespace: 'default', ...metadata }, ...answer(type, name) };
  };
  await pulumi.runtime.setMocks(
    {
      newResource: ({ type, name, inputs, id }) => ({ id: id || `default/${name}`, state: state(type, name, inputs) }),
      call: () => ({}),
    },
    'project',
    'stack',
    preview,
  );
  const registrations: Registration[] = [];
  watch(registrations);
  const failures: unknown[] = [];
  const restore = catchFailures(failures);
  try {
    const result = program();
    await turn();
    await pulumi.runtime.disconnect();
    await turn();
    if (failures.length > 0) throw failures[0];
    return { result, registrations, objects: objectsOf(registrations) };
  } finally {
    restore();
  }
}

/** Pulumi fails a program whose component fails; a test must not be failed by it. */
function catchFailures(failures: unknown[]): () => void {
  type Initialize = (...args: unknown[]) => Promise<unknown>;
  const component = pulumi.ComponentResource.prototype as unknown as { initializeAndRegisterOutputs: Initialize };
  const { initializeAndRegisterOutputs } = component;
  component.initializeAndRegisterOutputs = function (...args) {
    const done = initializeAndRegisterOutputs.apply(this, args);
    done.catch((error) => failures.push(error));
    return done;
  };
  return () => Object.assign(component, { initializeAndRegisterOutputs });
}

/** The value of an Output; `undefined` when it is unknown. */
export async function valueOf<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  return (output as unknown as { promise(): Promise<T> }).promise();
}

/** Whether an Output is known, and whether it is a secret. */
export async function stateOf(output: pulumi.Output<unknown>): Promise<{ known: boolean; secret: boolean }> {
  const { isKnown, isSecret } = output as unknown as { isKnown: Promise<boolean>; isSecret: Promise<boolean> };
  return { known: await isKnown, secret: await isSecret };
}

/** The Kubernetes objects among what was registered, in the order of their kinds and names. */
export function objectsOf(registrations: readonly Registration[]): Record<string, unknown>[] {
  return registrations.filter(({ custom, read }) => custom && !read).map(({ fields }) => fields);
}

/** Lets callbacks and the continuations of promises run. */
async function turn(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

function watch(registrations: Registration[]): void {
  type Request = Record<string, () => unknown>;
  type Handler = (request: Request, callback: unknown) => Promise<void>;
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<'registerResource' | 'readResource', Handler>;
  for (const verb of ['registerResource', 'readResource'] as const) {
    const answer = monitor[verb].bind(monitor);
    monitor[verb] = (request, callback) => {
      registrations.push(registrationOf(request, verb === 'readResource'));
      return answer(request, callback);
    };
  }
}

function registrationOf(request: Record<string, () => unknown>, read: boolean): Registration {
  const ask = <T>(getter: string, none: T): T => (getter in request ? (request[getter]() as T) : none);
  const nameOf = (urn: string): string => urn.split('::').pop() ?? '';
  const struct = ask<{ toJavaScript(): unknown }>(read ? 'getProperties' : 'getObject', { toJavaScript: () => ({}) });
  const secrets: string[] = [];
  const unknowns: string[] = [];
  const plain = (value: unknown, path: string): unknown => {
    if (value === unknownValue) unknowns.push(path);
    if (Array.isArray(value)) return value.map((item, i) => plain(item, `${path}[${i}]`));
    if (typeof value !== 'object' || value === null) return value;
    if ((value as Record<string, unknown>)[specialSigKey] === specialSecretSig) {
      secrets.push(path);
      return plain((value as Record<string, unknown>).value, path);
    }
    const below = (key: string): string => (path === '' ? key : `${path}.${key}`);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, below(key))]));
  };
  const fields = plain(struct.toJavaScript(), '') as Record<string, unknown>;
  const aliases = ask<{ toObject(): { spec?: unknown; urn?: string } }[]>('getAliasesList', []);
  const timeouts = ask<{ toObject(): unknown } | undefined>('getCustomtimeouts', undefined);
  return {
    type: ask('getType', ''),
    name: ask('getName', ''),
    custom: ask('getCustom', true),
    read,
    parent: nameOf(ask('getParent', '')),
    fields,
    secrets,
    unknowns,
    dependsOn: ask<string[]>('getDependenciesList', []).map(nameOf).sort(),
    aliases: aliases.map((alias) => alias.toObject().spec ?? alias.toObject().urn),
    importId: read ? ask('getId', '') : ask('getImportid', ''),
    protect: ask<boolean | undefined>('getProtect', false) ?? false,
    ignoreChanges: ask('getIgnorechangesList', []),
    retainOnDelete: ask<boolean | undefined>('getRetainondelete', false) ?? false,
    timeouts: timeouts?.toObject(),
    provider: ask('getProvider', ''),
  };
}
