import type { Construct, IConstruct } from 'constructs';
import { type Finding, root, ValidationError } from '../api/findings';
import { keys } from '../api/keys';
import type { KubeObject } from '../api/meta';
import { type KubeVirtVersion, lackedBy, parseTargetVersion, targetVersions } from '../api/versions/target';

/** Construct context that names the version of KubeVirt that the manifests are for, such as `1.6`. */
const CONTEXT = keys.kubeVirtVersionContext;

const targets = new WeakMap<IConstruct, KubeVirtVersion>();

/** The version of KubeVirt that manifests are for. */
export class TargetVersion {
  /**
   * Reports at synth which kinds, fields and feature gates of the objects below a scope this version of KubeVirt lacks:
   * its API server would reject them, or drop them without a word. The construct context `virt8s.io/kubevirt-version`
   * does the same; without both, nothing is reported.
   *
   * The facts cover what KubeVirt 1.1 to 1.9 introduced. They do not cover CDI, single values of a field, and what a
   * version removed.
   *
   * @param scope the app, a chart, or another construct
   * @param version from `1.0` to `1.9`, also with a patch version: `v1.6.2`
   * @example
   * TargetVersion.apply(app, '1.6');
   */
  public static apply(scope: Construct, version: string): void {
    targets.set(scope, versionOf(version, 'TargetVersion.apply'));
  }

  private constructor() {}
}

/** What the target version of a construct lacks of its object. */
export function lackedByTarget(scope: IConstruct, object: KubeObject): Finding[] {
  const version = targetOf(scope);
  return version ? lackedBy(version, object) : [];
}

function targetOf(scope: IConstruct): KubeVirtVersion | undefined {
  for (let at: IConstruct | undefined = scope; at; at = at.node.scope) {
    const version = targets.get(at);
    if (version) return version;
  }
  const named: unknown = scope.node.tryGetContext(CONTEXT);
  return named === undefined ? undefined : versionOf(named, CONTEXT);
}

function versionOf(text: unknown, call: string): KubeVirtVersion {
  const version = parseTargetVersion(String(text));
  if (version) return version;
  const cause = `${JSON.stringify(text)} is not a known version of KubeVirt`;
  const remedy = `use one of ${targetVersions.join(', ')}`;
  throw new ValidationError([{ rule: 'kubevirt-version', path: root, subject: call, cause, remedy }]);
}
