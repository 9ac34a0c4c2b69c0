import type { Construct, IConstruct } from 'constructs';
import { type Finding, root, ValidationError } from '../api/findings';
import { keys } from '../api/keys';
import type { KubeObject } from '../api/meta';
import {
  type KubeVirtVersion,
  lackedBy,
  parseTargetVersion,
  servedVersion,
  targetVersions,
} from '../api/versions/target';

/** Construct context that holds the KubeVirt version of the target cluster, such as `1.6`. */
const CONTEXT = keys.kubeVirtVersionContext;

const targets = new WeakMap<IConstruct, KubeVirtVersion>();

/** The KubeVirt version of the cluster that the manifests are for. */
export class TargetVersion {
  /**
   * Reports at synth the kinds, fields and feature gates below a scope that this KubeVirt version does not have: its
   * API server would reject them or silently drop them. The construct context `virt8s.io/kubevirt-version` has the same
   * effect. Without either, nothing is reported.
   *
   * Call it before you declare objects: kinds that this version serves in an older API version are then written in that
   * version, such as `pool.kubevirt.io/v1alpha1` for KubeVirt 1.6.
   *
   * The check covers everything that KubeVirt 1.1 to 1.9 introduced. It does not cover CDI, individual values of a
   * field, or anything that a version removed.
   *
   * @param scope app, chart or other construct
   * @param version version from `1.0` to `1.9`, optionally with a patch version: `v1.6.2`
   * @example
   * TargetVersion.apply(app, '1.6');
   */
  public static apply(scope: Construct, version: string): void {
    targets.set(scope, requireTarget(version, 'TargetVersion.apply'));
  }

  private constructor() {}
}

/** Returns a finding for each part of the object that the construct's target version lacks. */
export function lackedByTarget(scope: IConstruct, object: KubeObject): Finding[] {
  const version = targetOf(scope);
  return version ? lackedBy(version, object) : [];
}

/** Applies a version to an app that has none. */
export function applyDefaultTarget(app: Construct, version: string): void {
  const applied = app.node.findAll().some((scope) => targets.has(scope));
  if (!applied && app.node.tryGetContext(CONTEXT) === undefined) TargetVersion.apply(app, version);
}

function targetOf(scope: IConstruct): KubeVirtVersion | undefined {
  for (let at: IConstruct | undefined = scope; at; at = at.node.scope) {
    const version = targets.get(at);
    if (version) return version;
  }
  const named: unknown = scope.node.tryGetContext(CONTEXT);
  return named === undefined ? undefined : requireTarget(named, CONTEXT);
}

/** Returns the API version in which the target of the scope serves a kind. A later change of the target has no effect. */
export function apiVersionOf(scope: IConstruct, newest: string, kind: string): string {
  const version = targetOf(scope);
  return version ? servedVersion(version, newest, kind) : newest;
}

/** @throws when the text is not a known version */
export function requireTarget(text: unknown, call: string): KubeVirtVersion {
  const version = parseTargetVersion(String(text));
  if (version) return version;
  const cause = `${JSON.stringify(text)} is not a known version of KubeVirt`;
  const remedy = `use one of ${targetVersions.join(', ')}`;
  throw new ValidationError([{ rule: 'kubevirt-version', path: root, subject: call, cause, remedy }]);
}
