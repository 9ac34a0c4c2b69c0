import { keys } from '../api/keys';
import type { ApiObject } from 'cdk8s';
import type { IConstruct, IValidation } from 'constructs';
import { clusterConfig, type ClusterConfig } from '../api/cluster-config';
import { type CodeFinding, type Finding, root, type RuleId, stageOf, ValidationError } from '../api/findings';
import type { KubeVirt, KubeVirtConfiguration } from '../api/generated/kubevirt-v1';
import { emptyWorld, isNeighbour, lintObject, lintTogether, type World } from '../api/lint';
import type { KubeObject } from '../api/meta';
import { wordsInCode } from './remedies';
import { withSubject } from './subject';
import { lackedByTarget } from './target-version';
import { reportTexts } from './reports';
import { KeptVerdict } from './verdicts';
import { declare, objectOf, type Renderer, undeclared, worldAt } from './world';

/**
 * Construct context that holds the `spec.configuration` of the target cluster's KubeVirt object, so that synth applies
 * the same feature gates and machine types as that cluster's webhook. Without it, synth uses the KubeVirt object of the
 * app, or else the platform's defaults.
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

/**
 * Returns the configuration that rules use at synth: from the construct context, from the app's KubeVirt object, or the
 * defaults.
 */
export function configurationOf(scope: IConstruct): ClusterConfig {
  const own = inContext(scope);
  if (own) return cachedConfig(own);
  const [kubeVirt] = worldAt(scope).all('KubeVirt');
  return cachedConfig((kubeVirt?.object() as KubeVirt | undefined)?.spec?.configuration);
}

/** Returns the property in the user's code that sets a field of the manifest, if there is one. */
export type Locate = (field: string) => string | undefined;

/** Adds the construct and its properties to findings. */
function inCode(scope: IConstruct, errors: readonly Finding[], locate: Locate = () => undefined): CodeFinding[] {
  return errors.map((error) => ({
    ...error,
    ...wordsInCode(error, locate),
    subject: scope.node.path,
    property: locate(`${error.path}`),
  }));
}

/** @throws ValidationError with all mistakes, preceded by the construct's path */
export function throwIfInvalid(scope: IConstruct, errors: readonly Finding[], locate?: Locate): void {
  if (errors.length > 0) throw new ValidationError(inCode(scope, errors, locate));
}

/** @throws ValidationError for a mistake in an argument: `Cpu.cores: count: …`, followed by the remedy and the rule */
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

/** Properties of a construct that `validateOnSynth` needs. */
export interface ValidatedOnSynth {
  /**
   * Returns the object without apiVersion, kind and metadata. The function is pure and cheap: it is called at
   * construction and at synth. An unchanged spec is not validated a second time.
   */
  readonly body: () => object;
  /** Returns the property in the user's code that sets a field. */
  readonly locate?: Locate;
}

/**
 * Validates a construct. A mistake in a value is thrown now and by each call of the returned function. Everything else
 * that is wrong with the object, or between it and other objects, is reported at synth, for all constructs together.
 *
 * @returns function to call after each later change
 */
export function validateOnSynth(
  resource: IConstruct & { readonly apiObject: ApiObject },
  own: ValidatedOnSynth,
): () => void {
  const validation = new ObjectValidation(resource, own);
  declare(resource.apiObject, validation);
  validateOthers(resource.node.root);
  // before anything can throw: if the caller catches the constructor's error, synth reports it again and writes nothing
  resource.node.addValidation(validation);
  validation.validateValues();
  return () => validation.validateValues();
}

/** Validation of a construct at synth. It is not repeated while it finds nothing and no object of the app changes. */
abstract class SynthValidation implements IValidation {
  /** State of the app in which the construct has no mistake. */
  private soundIn?: World;

  constructor(private readonly scope: IConstruct) {}

  public validate(): string[] {
    const world = worldAt(this.scope);
    if (world === this.soundIn) return [];
    const found = this.mistakes(world);
    if (found.length === 0) this.soundIn = world;
    return reportTexts(this.scope, found);
  }

  protected abstract mistakes(world: World): readonly CodeFinding[];
}

/** Validation of a construct of this library. A class, because an app may have thousands of them. */
class ObjectValidation extends SynthValidation implements Renderer {
  private readonly verdict = new KeptVerdict();

  constructor(
    private readonly resource: IConstruct & { readonly apiObject: ApiObject },
    private readonly own: ValidatedOnSynth,
  ) {
    super(resource);
  }

  /** @throws ValidationError for mistakes in values */
  public validateValues(): void {
    const errors = this.verdict.lint(this.object(), cachedConfig(inContext(this.resource)), emptyWorld);
    const ofValues = errors.filter(({ rule }) => stageOf(rule) === 'value');
    throwIfInvalid(this.resource, ofValues, this.own.locate);
  }

  public object(): KubeObject {
    const { apiObject } = this.resource;
    const { apiVersion, kind } = apiObject;
    return { apiVersion, kind, metadata: metadataOf(apiObject), ...withSubject(this.resource, this.own.body) };
  }

  public override validate(): string[] {
    const unwritable = cannotBeWritten(this.resource.apiObject);
    const texts = super.validate();
    return unwritable.length === 0
      ? texts
      : [...texts, ...reportTexts(this.resource, inCode(this.resource, unwritable))];
  }

  protected mistakes(world: World): CodeFinding[] {
    const { resource } = this;
    const [config, whole] = [configurationOf(resource), objectOf(resource.apiObject)];
    const together = [...lintTogether(whole, config, world), ...lackedByTarget(resource, whole)];
    return inCode(resource, [...this.verdict.lint(whole, config, world), ...together], this.own.locate);
  }
}

/** Validation of an object of another library. */
class OtherValidation extends SynthValidation {
  constructor(private readonly other: ApiObject) {
    super(other);
  }

  protected mistakes(world: World): CodeFinding[] {
    const { other } = this;
    const object = objectOf(other);
    const named = { ...object, metadata: { ...object.metadata, name: other.name } };
    const config = configurationOf(other);
    // a field that this library does not know may exist in a newer version: an ApiObject can set it
    const own = lintObject(named, config, world).filter(({ rule }) => rule !== 'schema-unknown-field');
    return inCode(other, [...own, ...lintTogether(named, config, world), ...lackedByTarget(other, named)]);
  }
}

/** cdk8s may name files after the kind and the name, and file names are limited. */
const LONGEST_NAME = 253;

/** Reports an `addJsonPatch` whose result cannot be written: cdk8s would stop after half of the files. */
function cannotBeWritten(apiObject: ApiObject): Finding[] {
  const { patches } = apiObject as unknown as { readonly patches?: readonly unknown[] };
  if (!patches?.length) return [];
  const mistake = (cause: string): Finding[] => {
    return [{ rule: 'json-patch', path: root, cause, remedy: 'correct the arguments of addJsonPatch' }];
  };
  const lost = patches.map(pathOfPatch).find((path) => path !== undefined && path !== '' && !path.startsWith('/'));
  if (lost !== undefined)
    return mistake(`the path ${JSON.stringify(lost)} must begin with /, as in /metadata/labels/a`);
  try {
    const { kind, metadata } = JSON.parse(JSON.stringify(apiObject.toJson())) as {
      readonly kind?: unknown;
      readonly metadata?: { name?: unknown };
    };
    const isFile = [kind, metadata?.name].every((part) => typeof part === 'string' && part.length <= LONGEST_NAME);
    return isFile ? [] : mistake(`kind and metadata.name must be strings of at most ${LONGEST_NAME} characters`);
  } catch (error) {
    return mistake((error as Error).message);
  }
}

const watched = new WeakSet<IConstruct>();
const others = new WeakSet<ApiObject>();

/** Applies the rules between objects to objects of other libraries in the app, such as a Service that selects no VM. */
function validateOthers(app: IConstruct): void {
  if (watched.has(app)) return;
  watched.add(app);
  app.node.addValidation({ validate: () => reportTexts(app, inCode(app, contextMistakes(app))) });
  // cdk8s validates the root first, when the app is complete
  app.node.addValidation({
    validate: () => {
      for (const other of undeclared(app)) {
        if (others.has(other) || !isNeighbour(other)) continue;
        others.add(other);
        other.node.addValidation(new OtherValidation(other));
      }
      return [];
    },
  });
}

/** Returns the mistakes in the configuration of the construct context. */
function contextMistakes(app: IConstruct): Finding[] {
  const configuration = inContext(app);
  if (!configuration) return [];
  const kubeVirt = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'KubeVirt',
    metadata: { name: 'kubevirt', namespace: 'kubevirt' },
    spec: { configuration },
  };
  const config = cachedConfig(configuration);
  const found = [...lintObject(kubeVirt, config), ...lintTogether(kubeVirt, config, emptyWorld)];
  return found.map((finding) => ({ ...finding, cause: `context ${CONFIGURATION_CONTEXT}: ${finding.cause}` }));
}

function pathOfPatch(patch: unknown): string | undefined {
  const { path } = (patch as { _toJson?: () => { path?: unknown } })._toJson?.() ?? {};
  return typeof path === 'string' ? path : undefined;
}

function metadataOf(apiObject: ApiObject): KubeObject['metadata'] {
  const { namespace } = apiObject.metadata;
  const own = { name: apiObject.name, ...(namespace === undefined ? {} : { namespace }) };
  if (isBare(apiObject.metadata)) return own;
  return { ...(apiObject.metadata.toJson() as object | undefined), name: apiObject.name };
}

/**
 * Whether the metadata has only a name and namespace, as most do: resolving empty metadata is as expensive as a rule.
 * False if cdk8s hides its fields.
 */
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
