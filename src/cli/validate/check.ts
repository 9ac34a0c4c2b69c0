/** Validates a document and locates the findings in its source. Pure. */
import {
  type AdmissionContext,
  admissionOf,
  admit,
  describe,
  type Finding,
  type KubeObject,
  needsCluster,
  root,
  type Severity,
  unreported,
  validateSchema,
  warningsOf,
  withoutNulls,
} from '../../api';
import { isNeighbour, lintObject, lintTogether, type World } from '../../api/lint';
import { hasRules, isRejected, lintKubernetes } from '../../api/lint/kubernetes';
import { placeholders } from '../../api/lint/placeholders';
import { type KubeVirtVersion, lackedBy } from '../../api/versions/target';
import type { ManifestDocument, Position } from '../manifests/documents';
import { isOurs, isToolFile, notAnObject, notServed } from '../manifests/object';

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
  if (isToolFile(object)) return { kind: String(object.kind), state: 'other', findings: [] };
  const malformed = notAnObject(object) ?? notServed(object as unknown as KubeObject);
  if (malformed) return { state: 'broken', findings: [located(malformed, document)] };
  const given = object as unknown as KubeObject;
  const { kind, metadata } = given;
  const { errors, warnings } = isOurs(given)
    ? findingsOf(given, context, world, target)
    : neighbourOf(given, context, world);
  const name: unknown = metadata.name ?? metadata.generateName;
  return {
    kind,
    name: typeof name === 'string' ? name : undefined,
    state: errors.length > 0 ? 'refused' : isOurs(given) || hasRules(given) ? 'valid' : 'other',
    findings: [
      ...errors.map((error) => located(error, document)),
      ...warnings.map((warning) => located(warning, document, 'warning')),
    ],
  };
}

interface Findings {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Returns the findings about an object of KubeVirt or CDI: those of admission are errors. */
function findingsOf(
  object: KubeObject,
  context: AdmissionContext,
  world: World | undefined,
  target?: KubeVirtVersion,
): Findings {
  const { config } = context;
  const admitted = admit(object, context);
  const marks = placeholders(object);
  const own = [
    ...marks,
    ...unreported(
      marks,
      admitted.errors.filter(({ rule }) => !needsCluster(rule)),
    ),
  ];
  const errors = [...own, ...unreported(own, shapeOf(object)), ...(target ? lackedBy(target, object) : [])];
  // an object that is invalid on its own is not compared with others
  const between = own.length > 0 || !world ? [] : lintTogether(object, config, world);
  const likely = unreported(errors, [...lintObject(object, config, world), ...between]);
  const printed = new Set(likely.map((finding) => `${finding.path}: ${describe(finding)}`));
  const others = warningsOf(admitted, context)
    .filter((text) => !printed.has(text) && !text.startsWith('unknown field '))
    .map((cause): Finding => ({ rule: 'warning', path: root, cause, remedy: '' }));
  return { errors, warnings: [...others, ...likely] };
}

/**
 * Mistakes in the shape that only the API server reports: all of them for kinds without a webhook. It drops unknown
 * fields of the others, but kubectl requests strict validation, and the object is rejected.
 */
function shapeOf(object: KubeObject): Finding[] {
  if (!admissionOf(object)) return validateSchema(withoutNulls(object));
  return validateSchema(withoutNulls(object), ({ rule }) => rule === UNKNOWN).filter(({ rule }) => rule === UNKNOWN);
}
const UNKNOWN = 'schema-unknown-field';

/** Returns the findings about an object of another group: those that its API server reports are errors. */
function neighbourOf(object: KubeObject, { config }: AdmissionContext, world?: World): Findings {
  const marks = hasRules(object) ? placeholders(object) : [];
  const own = [...marks, ...unreported(marks, lintKubernetes(object, false))];
  const errors = own.filter(isRejected);
  const between = errors.length === 0 && world && isNeighbour(object) ? lintTogether(object, config, world) : [];
  const likely = unreported(own, [...lintObject(object, config, world), ...between]);
  return { errors, warnings: [...own.filter((finding) => !isRejected(finding)), ...likely] };
}

const located = (error: Finding, document: ManifestDocument, severity: Severity = 'error'): LocatedFinding => ({
  ...error,
  severity,
  at: document.locate(error.path.parts, error.line),
});
