import { clusterConfig, contextOf } from '../../../../src/api';
import { documentsOf } from '../../../../src/cli/manifests/documents';
import { check } from '../../../../src/cli/validate/check';
import { type CheckedFile, jsonOf } from '../../../../src/cli/validate/json';
import { sarifOf } from '../../../../src/cli/validate/sarif';

const vm = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: { name: web }
spec:
  running: true
  template:
    spec:
      domain:
        memory: { guest: 1Gi }
        devices:
          disks:
            - name: roott
      volumes:
        - name: root
          containerDisk: { image: registry.example/os }
`;

const checkedFile = (file: string, text: string): CheckedFile => ({
  file,
  checked: documentsOf(text).map((document) => check(document, contextOf(clusterConfig(undefined)))),
});

const files: CheckedFile[] = [
  checkedFile('manifests/web vm.yaml', vm),
  checkedFile('/abs/twice.yaml', `${vm.replace('roott', 'root')}---\n${vm}`),
  { file: 'missing.yaml', unreadable: 'no such file', checked: [] },
];

describe('SARIF', () => {
  const log = JSON.parse(sarifOf(files));
  const [run] = log.runs;

  test('has the version, the tool and one run', () => {
    expect(log).toMatchObject({ version: '2.1.0', $schema: expect.stringContaining('sarif-2.1.0') });
    expect(Object.keys(log).sort()).toEqual(['$schema', 'runs', 'version']);
    expect(log.runs).toHaveLength(1);
    expect(run.tool.driver).toMatchObject({ name: 'virt8s', version: expect.any(String) });
    expect(run.tool.driver.informationUri).toMatch(/^https:\/\/\S+[^/]$/);
  });

  test('declares each rule once, with its stage, and results refer to them', () => {
    const ids = run.tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(run.tool.driver.rules).toContainEqual({
      id: 'disk-has-volume',
      shortDescription: { text: 'Disk has volume' },
      fullDescription: { text: 'Disk has volume: a rule about an object as a whole.' },
      help: { text: expect.stringMatching(/volume/) },
      defaultConfiguration: { level: 'error' },
      properties: { stage: 'object' },
    });
    // GitHub rejects a file in which one of these texts is missing or empty
    for (const { shortDescription, fullDescription, help } of run.tool.driver.rules) {
      for (const each of [shortDescription, fullDescription, help]) expect(each.text).toMatch(/\S/);
    }
    for (const { ruleId, ruleIndex } of run.results) expect(ids[ruleIndex]).toBe(ruleId);
  });

  test('has a result for each finding, with level, text, file, line and column', () => {
    const [result] = run.results.filter(({ ruleId }: { ruleId: string }) => ruleId === 'disk-has-volume');
    expect(result.level).toBe('error');
    expect(result.message.text).toMatch(/roott.*; .*/);
    const [{ physicalLocation, logicalLocations }] = result.locations;
    expect(physicalLocation).toEqual({
      artifactLocation: { uri: 'manifests/web%20vm.yaml' },
      region: { startLine: 12, startColumn: 21 },
    });
    expect(logicalLocations).toEqual([
      { fullyQualifiedName: 'VirtualMachine web spec.template.spec.domain.devices.disks[0].name' },
    ]);
  });

  test('has the levels that SARIF defines, and lines and columns from 1', () => {
    for (const { level, message, locations } of run.results) {
      expect(['error', 'warning']).toContain(level);
      expect(message.text).not.toBe('');
      const { startLine, startColumn } = locations[0].physicalLocation.region;
      expect(Math.min(startLine, startColumn)).toBeGreaterThanOrEqual(1);
    }
    expect(run.results.map(({ level }: { level: string }) => level)).toContain('warning');
  });

  test('names files as URIs, relative ones as they are', () => {
    const uris = run.results.map(
      ({ locations }: { locations: [{ physicalLocation: { artifactLocation: { uri: string } } }] }) =>
        locations[0].physicalLocation.artifactLocation.uri,
    );
    expect(new Set(uris)).toEqual(new Set(['manifests/web%20vm.yaml', 'file:///abs/twice.yaml']));
  });

  test('reports a file that cannot be read', () => {
    expect(run.invocations).toMatchObject([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [{ level: 'error', message: { text: 'no such file' } }],
      },
    ]);
  });

  test('of valid files has no result', () => {
    const { runs } = JSON.parse(sarifOf([]));
    expect(runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
    expect(runs[0].invocations[0].executionSuccessful).toBe(true);
  });
});

test.each([
  ['a document that is not YAML', 'a: [', { rule: 'syntax', severity: 'error' }],
  ['a deprecated field', vm.replace('roott', 'root'), { rule: 'warning', severity: 'warning' }],
])('JSON names the rule and the severity of %s', (_, text, want) => {
  const [{ objects }] = JSON.parse(jsonOf([checkedFile('vm.yaml', text)]));
  expect(objects[0].findings).toContainEqual(expect.objectContaining(want));
});

test('JSON has the findings of each object of each file', () => {
  const [first] = JSON.parse(jsonOf(files));
  expect(first).toMatchObject({ file: 'manifests/web vm.yaml', objects: [{ kind: 'VirtualMachine', name: 'web' }] });
  expect(first.objects[0].findings).toContainEqual({
    at: { line: 12, column: 21 },
    field: 'spec.template.spec.domain.devices.disks[0].name',
    message: expect.stringContaining('roott'),
    remedy: expect.any(String),
    allowed: ['root'],
    rule: 'disk-has-volume',
    severity: 'error',
  });
});
