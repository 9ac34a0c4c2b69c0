import { keys } from '../api/keys';
import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { clusterConfig, type ClusterConfig } from '../api/cluster-config';
import { type CodeFinding, type Finding, root, type RuleId, stageOf, ValidationError } from '../api/findings';
import type { KubeVirt, KubeVirtConfiguration } from '../api/generated/kubevirt-v1';
import { emptyWorld, isNeighbour, lintObject, lintTogether, type World } from '../api/lint';
import type { KubeObject } from '../api/meta';
import { remedyInCode } from './remedies';
import { lackedByTarget } from './target-version';
import { reportOnSynth } from './reports';
import { declare, objectOf, undeclared, worldAt } from './world';

/**
 * Construct context that holds the `spec.configuration` of the KubeVirt object that the manifests are for, so that
 * synth judges by the same feature gates and machine types as that cluster's webhook. Without it, a KubeVirt object of
 * the app counts, and else the platform's defaults.
 */
export const CONFIGURATION_CONTEXT = keys.configurationContext;

const defaults = configOf(undefined);
const configs = new WeakMap<KubeVirtConfiguration, ClusterConfig>();

function configOf(configuration: KubeVirtConfiguration | undefined): ClusterConfig {
  return clusterConfig({ apiVersion: 'kubevirt.io/v1', kind: 'KubeVirt', metadata: {}, spec: { configuration } });
}

function cachedConfig(configuration: KubeVirtConfiguration | undefined): ClusterConfig {
  if (!configuration) return defaults;
  let config = configs.get(configuration);
  if (!config) configs.set(configuration, (config = configOf(configuration)));
  return config;
}

const inContext = (scope: IConstruct): KubeVirtConfiguration | undefined =>
  scope.node.tryGetContext(CONFIGURATION_CONTEXT) as KubeVirtConfiguration | undefined;

/** The configuration that rules are judged by at synth: of the context, of the app's KubeVirt object, or the defaults. */
export function configurationOf(scope: IConstruct): ClusterConfig {
  const own = inContext(scope);
  if (own) return cachedConfig(own);
  const [kubeVirt] = worldAt(scope).all('KubeVirt');
  return cachedConfig((kubeVirt?.object() as KubeVirt | undefined)?.spec?.configuration);
}

/** The property in the user's code that makes a field of the manifest, if one does. */
export type Locate = (field: string) => string | undefined;

/** Findings with the construct and its properties. */
function inCode(scope: IConstruct, errors: readonly Finding[], locate: Locate = () => undefined): CodeFinding[] {
  return errors.map((error) => ({
    ...error,
    remedy: remedyInCode(error),
    subject: scope.node.path,
    property: locate(`${error.path}`),
  }));
}

/** @throws ValidationError with all mistakes, headed by the construct's path */
export function throwIfInvalid(scope: IConstruct, errors: readonly Finding[], locate?: Locate): void {
  if (errors.length > 0) throw new ValidationError(inCode(scope, errors, locate));
}

/** @throws ValidationError for a mistake that never reaches a manifest: `Cpu.cores: count: …`, the remedy and the rule */
export function mistakeInCode(
  call: string,
  property: string,
  cause: string,
  remedy: string,
  rule: RuleId,
  extra: Pick<Finding, 'value' | 'allowed'> = {},
): never {
  throw new ValidationError([{ rule, path: root, subject: call, property, cause, remedy, ...extra }]);
}

/** What is judged of a construct. */
export interface ValidatedOnSynth {
  /**
   * The object without apiVersion, kind and metadata. Pure and cheap: asked at construction and at synth. The same
   * spec, while nothing has changed, is not judged twice.
   */
  readonly body: () => object;
  /** The property in the user's code that makes a field. */
  readonly locate?: Locate;
}

/**
 * Holds a construct to the rules: a mistake in a value is thrown now, and by each call of what is returned; at synth
 * everything is told that is wrong with the object or between it and the others, for all constructs together.
 *
 * @returns to be called after each later change
 */
export function validateOnSynth(
  resource: IConstruct & { readonly apiObject: ApiObject },
  { body, locate }: ValidatedOnSynth,
): () => void {
  const { apiObject } = resource;
  const { apiVersion, kind } = apiObject;
  const object = (): KubeObject => ({ apiVersion, kind, metadata: metadataOf(apiObject), ...body() });
  declare(apiObject, object);
  validateOthers(apiObject.node.root);

  let last: Verdict | undefined;
  // most objects reach synth as their construction left them, and need not be judged again
  const lint = (whole: KubeObject, config: ClusterConfig, world: World): readonly Finding[] => {
    const { metadata, ...parts } = whole;
    const named = JSON.stringify(metadata);
    if (last && !last.asked && last.config === config && last.named === named && isSame(last.parts, parts)) {
      return last.errors;
    }
    let asked = false;
    const find: World['find'] = (...which) => {
      asked = true;
      return world.find(...which);
    };
    const errors = lintObject(whole, config, { ...world, find });
    last = { parts, named, config, errors, asked };
    return errors;
  };
  const changed = (): void => {
    const errors = lint(object(), cachedConfig(inContext(resource)), emptyWorld);
    if (errors.length > 0)
      throwIfInvalid(
        resource,
        errors.filter(({ rule }) => stageOf(rule) === 'value'),
        locate,
      );
  };
  // first of all: a mistake that the caller of the constructor catches is told again at synth, and never written
  reportOnSynth(resource, () => {
    const [config, world, whole] = [configurationOf(resource), worldAt(resource), objectOf(apiObject)];
    const together = [...lintTogether(whole, config, world), ...lackedByTarget(resource, whole)];
    const errors = [...lint(whole, config, world), ...together];
    return [...inCode(resource, errors, locate), ...inCode(resource, cannotBeWritten(apiObject))];
  });
  changed();
  return changed;
}

/** Files may be named after kind and name. */
const LONGEST_NAME = 253;

/** Finds out whether `addJsonPatch` made something that cannot be written, which would leave half of the files. */
function cannotBeWritten(apiObject: ApiObject): Finding[] {
  const { patches } = apiObject as unknown as { readonly patches?: readonly unknown[] };
  if (!patches?.length) return [];
  const mistake = (cause: string): Finding[] => {
    return [{ rule: 'json-patch', path: root, cause, remedy: 'correct the arguments of addJsonPatch' }];
  };
  try {
    const { kind, metadata } = JSON.parse(JSON.stringify(apiObject.toJson())) as {
      readonly kind?: unknown;
      readonly metadata?: { name?: unknown };
    };
    const isFile = [kind, metadata?.name].every((part) => typeof part === 'string' && part.length <= LONGEST_NAME);
    return isFile ? [] : mistake(`kind and metadata.name must be strings of at most ${LONGEST_NAME} letters`);
  } catch (error) {
    return mistake((error as Error).message);
  }
}

/** What was found of an object, and of which. */
interface Verdict {
  /** Its fields but for the metadata: what has not changed is the same object. */
  readonly parts: object;
  readonly named: string;
  readonly config: ClusterConfig;
  readonly errors: readonly Finding[];
  /** Other objects were looked at: they may be others by now. */
  readonly asked: boolean;
}

const isSame = (one: object, other: object): boolean =>
  Object.entries(one).every(([field, value]) => (other as Record<string, unknown>)[field] === value);

const watched = new WeakSet<IConstruct>();
const others = new WeakSet<ApiObject>();

/** What other libraries declare in the app is held to the rules between objects: a Service that reaches no VM, … */
function validateOthers(app: IConstruct): void {
  if (watched.has(app)) return;
  watched.add(app);
  // the root is asked first, when the app is whole
  app.node.addValidation({
    validate: () => {
      for (const other of undeclared(app)) {
        if (others.has(other) || !isNeighbour(other)) continue;
        others.add(other);
        reportOnSynth(other, () => {
          const object = other.toJson() as KubeObject;
          const named = { ...object, metadata: { ...object.metadata, name: other.name } };
          const together = lintTogether(named, configurationOf(other), worldAt(other));
          return inCode(other, [...together, ...lackedByTarget(other, named)]);
        });
      }
      return [];
    },
  });
}

function metadataOf(apiObject: ApiObject): KubeObject['metadata'] {
  const { namespace } = apiObject.metadata;
  const own = { name: apiObject.name, ...(namespace === undefined ? {} : { namespace }) };
  if (isBare(apiObject.metadata)) return own;
  return { ...(apiObject.metadata.toJson() as object | undefined), name: apiObject.name };
}

/** Nothing but named, as most: resolving nothing costs as much as a rule. Where cdk8s hides its fields, no. */
function isBare(metadata: unknown): boolean {
  const { labels, annotations, finalizers, ownerReferences, _additionalAttributes } = metadata as Readonly<
    Record<string, object | undefined>
  >;
  if (![labels, annotations, finalizers, ownerReferences].every(isEmpty)) return false;
  for (const field in _additionalAttributes) if (!READ_ALREADY.has(field)) return false;
  return _additionalAttributes !== undefined;
}

const READ_ALREADY: ReadonlySet<string> = new Set(['name', 'namespace', 'labels', 'annotations']);

function isEmpty(map: object | undefined): boolean {
  for (const _ in map) return false;
  return map !== undefined;
}
