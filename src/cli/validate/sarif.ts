/** Formats findings as SARIF 2.1.0, which code hosts show next to the source. Pure. */
import { pathToFileURL } from 'node:url';
import { repository, version } from '../../../package.json';
import { remedyOf, type RuleId, type Stage, stageOf, statementOf, whereOf } from '../../api';
import type { LocatedFinding } from './check';
import type { CheckedFile } from './json';

/** Returns the findings of all files as one run of virt8s. */
export function sarifOf(files: readonly CheckedFile[]): string {
  const found = files.flatMap(({ file, checked }) =>
    checked.flatMap(({ kind, name, findings }) => findings.map((finding) => ({ file, kind, name, finding }))),
  );
  const findings = found.map(({ finding }) => finding);
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  const unreadable = files.flatMap(({ file, unreadable: why }) => (why === undefined ? [] : [{ file, why }]));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'virt8s',
            version,
            informationUri: repository.url.replace(/\.git$/, ''),
            rules: rules.map((id) => ruleOf(id, findings)),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: unreadable.map(({ file, why }) => ({
              level: 'error',
              message: { text: why },
              locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) } } }],
            })),
          },
        ],
        results: found.map(({ file, kind, name, finding }) => ({
          ruleId: finding.rule,
          ruleIndex: rules.indexOf(finding.rule),
          level: finding.severity,
          message: { text: messageOf(finding) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                region: { startLine: finding.at.line, startColumn: finding.at.column },
              },
              ...logical([kind, name, whereOf(finding)]),
            },
          ],
        })),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

/** Describes a rule. Code hosts require the texts, and show them beside each of its findings. */
function ruleOf(id: RuleId, findings: readonly LocatedFinding[]): object {
  const first = findings.find(({ rule }) => rule === id)!;
  const text = id[0].toUpperCase() + id.slice(1).replace(/-/g, ' ');
  return {
    id,
    shortDescription: { text },
    fullDescription: { text: `${text}: ${STAGES[stageOf(id)]}.` },
    help: { text: remedyOf(first) || 'See the message of the finding.' },
    defaultConfiguration: { level: first.severity },
    properties: { stage: stageOf(id) },
  };
}

const STAGES: Readonly<Record<Stage, string>> = {
  value: 'a rule about one value',
  object: 'a rule about an object as a whole',
  'between objects': 'a rule about an object and others that are applied with it',
};

const messageOf = (finding: LocatedFinding): string => {
  const remedy = remedyOf(finding);
  return `${statementOf(finding)}${remedy === '' ? '' : `; ${remedy}`}`;
};

/** Returns a logical location, such as `VirtualMachine web spec.runStrategy`. */
function logical(words: readonly (string | undefined)[]): object {
  const fullyQualifiedName = words.filter(Boolean).join(' ');
  return fullyQualifiedName === '' ? {} : { logicalLocations: [{ fullyQualifiedName }] };
}

/** Returns a file's URI. Relative paths stay relative to the working directory, as code hosts expect. */
const uriOf = (file: string): string =>
  file.startsWith('/') ? pathToFileURL(file).href : file.split('/').map(encodeURIComponent).join('/');
