import { polishDeclaration } from '../../../scripts/declarations';

test.each([
  ['a list', 'get disks(): Disk[];', 'get disks(): readonly Disk[];'],
  ['a list of lists', 'readonly all: string[][];', 'readonly all: readonly (readonly string[])[];'],
  ['a list in a union', 'a(b: (string | string[])[]): void;', 'a(b: readonly (string | readonly string[])[]): void;'],
  ['a list that is read-only already', 'get disks(): readonly Disk[];', 'get disks(): readonly Disk[];'],
  ['the rest of the arguments', 'a(...files: string[]): void;', 'a(...files: string[]): void;'],
  ['a private member', 'private readonly disks;', 'private readonly disks;'],
  ['an internal method', '/** Spec. @internal */\n    _spec(): object;', ''],
  ['an internal constructor', '/** @internal */\n    constructor(name: string);', 'private constructor();'],
  [
    'an internal constructor for subclasses',
    '/** @internal */\n    protected constructor(name: string);',
    '/** @internal */\n    protected constructor(name: string);',
  ],
])('in a class, %s', (_, given, want) => {
  const inClass = (members: string): string => `export declare class A {${members && `\n    ${members}`}\n}\n`;
  const polished = polishDeclaration(inClass(given));
  expect(polished).toBe(inClass(want));
  // the step may run over its own output
  expect(polishDeclaration(polished)).toBe(polished);
});

test.each([
  ['an optional property', 'readonly a?: string;', 'readonly a?: string | undefined;'],
  ['an optional list', 'readonly a?: Disk[];', 'readonly a?: readonly Disk[] | undefined;'],
  ['an optional function', 'readonly a?: (b: string) => void;', 'readonly a?: ((b: string) => void) | undefined;'],
  ['a required property', 'readonly a: string;', 'readonly a: string;'],
  ['any value', 'readonly a?: any;', 'readonly a?: any;'],
])('in an interface, %s', (_, given, want) => {
  const inInterface = (member: string): string => `export interface A {\n    ${member}\n}\n`;
  const polished = polishDeclaration(inInterface(given));
  expect(polished).toBe(inInterface(want));
  expect(polishDeclaration(polished)).toBe(polished);
});
