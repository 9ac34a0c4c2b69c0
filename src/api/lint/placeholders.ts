/** Placeholders that a template or a shell would have replaced: `${VM_NAME}`, `{{ .Values.name }}`. */
import { mistake } from '../admission/rule';
import { type Finding, mayBeSecret, type Path } from '../findings';
import type { KubeObject } from '../meta';
import { inTexts, type TextRule } from './texts';

const PLACEHOLDER = /\$\{[A-Za-z_]\w*(?::?[-=?][^}]*)?\}|\{\{-?\s*[.$A-Za-z_][^{}]*\}\}|<no value>/;

/** Texts that the guest, a shell or a person reads: there they have their own meaning. */
const free = new Set([
  'annotations',
  'args',
  'cloudInitConfigDrive',
  'cloudInitNoCloud',
  'command',
  'config',
  'data',
  'description',
  'env',
  'initArgs',
  'kernelArgs',
  'message',
  'stringData',
]);
const LONGEST = 512;
/** Kinds whose objects are templates. */
const TEMPLATES = /^(VirtualMachineTemplate|Template|ClusterTemplate)$/;

/** Reports names, amounts and references that contain a placeholder. */
export function placeholders(object: KubeObject): Finding[] {
  if (TEMPLATES.test(object.kind)) return [];
  return inTexts(object, rule);
}

function findingsIn(text: string, at: Path): Finding[] {
  const found = placeholderIn(text);
  if (found === undefined) return [];
  const remedy = found.startsWith('$')
    ? 'set the variable and replace it first, for example with envsubst'
    : 'render the template first, for example with helm template, and validate its output';
  const isSecret = at.parts.some((part) => typeof part === 'string' && mayBeSecret(part));
  return mistake(
    'text-placeholder',
    at,
    `${found} is a placeholder that nothing has replaced`,
    remedy,
    isSecret ? {} : { value: text },
  );
}

function placeholderIn(text: string): string | undefined {
  return text.length > LONGEST || text.includes('\n') ? undefined : PLACEHOLDER.exec(text)?.[0];
}

const rule: TextRule = { free, mayReport: (text) => placeholderIn(text) !== undefined, findingsIn };
