import { execFileSync } from 'node:child_process';
import { cases } from '../../unit/constructs/sysprep/cases';

// the second reader of our answer files, beside the one of the unit tests
test.each(Object.keys(cases))('libxml2 reads the answer file of %s', (name) => {
  const [xml] = Object.values(cases[name]()._configData() ?? {});
  const names = execFileSync('xmllint', ['--xpath', '//@pass', '-'], { input: xml, encoding: 'utf8' });
  expect(names.match(/"\w+"/g)).toEqual(expect.arrayContaining(['"specialize"', '"oobeSystem"']));
});
