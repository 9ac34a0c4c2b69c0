import { xmlProblem } from '../../../../src/api/sysprep/well-formed';
import { bounded } from '../../../support/bounded';

const found = (text: string): string | undefined => {
  const problem = xmlProblem(text, 'unattend');
  return problem && `${problem.line}: ${problem.cause}; ${problem.remedy}`;
};

test.each([
  '<unattend/>',
  '<?xml version="1.0"?>\n<!-- <a> & -->\n<unattend xmlns="urn:a" xmlns:w=\'b\'>\n<w:a b="1 > 2">x &amp; &#10;&#xA;</w:a ></unattend>\n',
  '<!DOCTYPE unattend><unattend><![CDATA[ <a> & ]]></unattend>',
])('accepts %j', (text) => expect(found(text)).toBeUndefined());

test.each([
  [
    '<unattend>\n<settings>\n</setting>\n</unattend>',
    '3: </setting> is where </settings> is expected; write </settings>',
  ],
  ['<unattend>\n<settings>\n', '2: <settings> has no end tag; close it with </settings>'],
  ['<unattend></unattend></a>', '1: </a> is where no end tag is expected; remove it'],
  ['<unattend>\na & b</unattend>', '2: an & begins a reference, such as &amp;; write &amp; for the character itself'],
  [
    '<unattend a=1/>',
    '1: a < begins a tag, but what follows is not one; write &lt; for the character itself, and attributes in quotes',
  ],
  ['<unattend><!-- a</unattend>', '1: <!-- has no end; close it with -->'],
  ['<settings/>', '1: the root element is <settings>; write <unattend> as the root element'],
  ['', '1: the text has no XML element; write <unattend> as the root element'],
])('reports %j', (text, want) => expect(found(text)).toBe(want));

test('a large text is read in one pass', () => {
  const text = `<unattend>${'<a b="c">&amp;</a>'.repeat(50_000)}</unattend>`;
  expect(bounded(() => found(text))).toBeUndefined();
});
