import { describe as causeOf, type Finding, formatFinding, formatLine, root } from '../../../../src/api/findings';

const path = root.at('spec', 'domain', 'cpu', 'cores');
const finding: Finding = { rule: 'cpu-positive', path, cause: 'must be greater than 0', remedy: 'use 1 or more' };

describe('a finding', () => {
  test('names the construct, its property, the field, the cause, the remedy and the rule, each once', () => {
    const cause = `${path} '0': must be greater than 0`;
    expect(formatFinding({ ...finding, cause, value: 0, subject: 'web/vm', property: 'cpu.cores' })).toBe(
      "web/vm: cpu.cores (spec.domain.cpu.cores): '0': must be greater than 0\n  use 1 or more [cpu-positive]",
    );
  });

  test('is one line where a line is needed', () => {
    expect(formatLine(finding)).toBe('spec.domain.cpu.cores: must be greater than 0; use 1 or more [cpu-positive]');
  });

  test('keeps its cause as KubeVirt words it in a webhook', () => {
    expect(causeOf({ ...finding, cause: `${path} '0': must be greater than 0`, value: 0 })).toBe(
      "spec.domain.cpu.cores '0': must be greater than 0; use 1 or more",
    );
  });

  test.each([
    ['the path', `${path} in body must be an integer`, 'must be an integer'],
    ['the path before a value', `${path} in body "x" is not a number`, '"x" is not a number'],
    ['what the field is part of', 'spec.domain.cpu has an unknown field', 'has an unknown field'],
    ['two paths', `${path} and spec.domain.memory must differ`, `${path} and spec.domain.memory must differ`],
    ['a longer name', `${path}X must be set`, `${path}X must be set`],
    ['nothing', 'must be greater than 0', 'must be greater than 0'],
    ['a final dot', 'must be set.', 'must be set'],
  ])('does not repeat %s', (_, cause, want) => {
    expect(formatLine({ ...finding, cause })).toBe(`${path}: ${want}; use 1 or more [cpu-positive]`);
  });

  test.each<[string, Partial<Finding>, string]>([
    ['its value', { value: 'x' }, ' (value: "x")'],
    ['a number', { value: 0.5 }, ' (value: 0.5)'],
    ['an empty text', { value: '' }, ' (value: "")'],
    ['no value that the cause shows', { value: 'greater' }, ''],
    ['no object', { value: { password: 'x' } }, ''],
    ['the start of a long value', { value: 'x'.repeat(1_000) }, ` (value: "${'x'.repeat(63)}…")`],
    ['a URL without its credentials', { value: 'http://me:hush@host/a?sig=b' }, ' (value: "http://…@host/a?…")'],
    ['a malformed URL without them', { value: 'http//me:hush@a b?hush' }, ' (value: "…@a b?…")'],
    ['what is allowed', { allowed: ['1', '2'] }, ' (allowed: "1", "2")'],
    ['value and what is allowed', { value: 3, allowed: ['1'] }, ' (value: 3; allowed: "1")'],
  ])('shows %s', (_, more, want) => {
    expect(formatLine({ ...finding, ...more })).toBe(
      `${path}: must be greater than 0${want}; use 1 or more [cpu-positive]`,
    );
  });

  test.each([
    root.at('spec', 'volumes', 0, 'cloudInitNoCloud', 'userData'),
    root.at('spec', 'volumes', 0, 'cloudInitNoCloud', 'networkDataBase64'),
    root.at('stringData', 'key'),
    root.at('chpasswd', 'list'),
    root.at('apiToken'),
  ])('never shows the value of %s', (at) => {
    expect(formatLine({ ...finding, path: at, value: 'hush' })).not.toContain('hush');
  });

  test('shows the name of a Secret', () => {
    expect(formatLine({ ...finding, path: root.at('secretName'), value: 'web' })).toContain('"web"');
  });

  test('keeps a long remedy whole and shortens a long cause', () => {
    const [cause, remedy] = ['c'.repeat(5_000), 'r'.repeat(5_000)];
    const text = formatFinding({ ...finding, cause, remedy });
    expect(text).toContain(remedy);
    expect(text.length).toBeLessThan(6_000);
  });

  test('is two lines for any texts', () => {
    const nasty = 'a\nb\u202ec';
    expect(formatFinding({ ...finding, cause: nasty, remedy: nasty, property: nasty }).split('\n')).toHaveLength(2);
  });
});
