/** Validates a document and locates the findings in its source. Pure. */
import {
  type AdmissionContext,
  admit,
  type Finding,
  type KubeObject,
  root,
  type Severity,
  warningsOf,
} from '../../api';
import { isNeighbour, lintAccepted, type World } from '../../api/lint';
import { type KubeVirtVersion, lackedBy } from '../../api/versions/target';
import type { ManifestDocument, Position } from '../manifests/documents';
import { isOurs, notAnObject, notServed } from '../manifests/object';

/** Finding with its position in the source. */
export interface LocatedFinding extends Finding {
  readonly at: Position;
  readonly severity: Severity;
}

/** Result of checking a document. */
export interface Checked {
  readonly kind?: string;
  readonly name?: string;
  /** State of the document. `broken`: it could not be read; `other`: the platform has no rules for its kind. */
  readonly state: 'valid' | 'refused' | 'broken' | 'other';
  readonly findings: readonly LocatedFinding[];
}

/**
 * Validates one document as admission does. A mistake between it and other objects of `world` is only a warning:
 * admission sees one object at a time, and the cluster may contain objects that the files do not. A field that the
 * target version lacks is an error.
 */
export function check(
  document: ManifestDocument,
  context: AdmissionContext,
  world?: World,
  target?: KubeVirtVersion,
): Checked {
  const { problem, object } = document;
  if (problem || !object) {
    const { at, cause, remedy } = problem ?? {
      at: document.locate([]),
      cause: 'the document is empty',
      remedy: 'remove it',
    };
    return { state: 'broken', findings: [{ rule: 'syntax', severity: 'error', at, path: root, cause, remedy }] };
  }
  const malformed = notAnObject(object) ?? notServed(object as unknown as KubeObject);
  if (malformed) return { state: 'broken', findings: [located(malformed, document)] };
  const { apiVersion, kind, metadata } = object as unknown as KubeObject;
  const name = metadata.name ?? metadata.generateName;
  const between = (): LocatedFinding[] => (world ? betweenOthers(document, context, world) : []);
  if (!isOurs({ apiVersion, kind, metadata })) return { kind, name, state: 'other', findings: between() };
  const admitted = admit(object as unknown as KubeObject, context);
  const lacked = target ? lackedBy(target, object as unknown as KubeObject) : [];
  const errors = [...admitted.errors, ...lacked];
  const warnings = warningsOf(admitted, context);
  return {
    kind,
    name: typeof name === 'string' ? name : undefined,
    state: errors.length > 0 ? 'refused' : 'valid',
    findings: [
      ...errors.map((error) => located(error, document)),
      ...warnings.map((cause) => located({ rule: 'warning', path: root, cause, remedy: '' }, document, 'warning')),
      // an object that is invalid on its own is not compared with others
      ...(admitted.errors.length > 0 ? [] : between()),
    ],
  };
}

function betweenOthers(document: ManifestDocument, { config }: AdmissionContext, world: World): LocatedFinding[] {
  const object = document.object as unknown as KubeObject;
  if (!isNeighbour(object)) return [];
  return lintAccepted(object, config, world).map((error) => located(error, document, 'warning'));
}

const located = (error: Finding, document: ManifestDocument, severity: Severity = 'error'): LocatedFinding => ({
  ...error,
  severity,
  at: document.locate(error.path.parts),
});
