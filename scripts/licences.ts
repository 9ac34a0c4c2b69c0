/**
 * Licences that parts of the package may have, and the parts that are not npm packages. scripts/sbom.ts enforces both
 * in every build.
 */

/**
 * SPDX ids of licences that are compatible with Apache-2.0: they permit use, change and redistribution with the licence
 * text.
 */
export const ALLOWED = new Set([
  ...['Apache-2.0', 'MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'Unlicense'],
  'Python-2.0',
]);

/** Part of a package that has a licence of its own. */
export interface Part {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly url: string;
  /** Reason why a licence that is not in the list above is acceptable here. */
  readonly reason?: string;
  /** Notice that the licence requires. */
  readonly notice: string;
}

const MIT_TEXT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to
use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom
the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** Licence texts of packages that do not bring one. */
export const TEXTS: Readonly<Record<string, string>> = {
  '@viz-js/viz': `Copyright (c) Michael Daines\n\n${MIT_TEXT}`,
  rfc6902: `Copyright 2014-2021 Christopher Brown\n\n${MIT_TEXT}`,
  '@bufbuild/protobuf':
    'Copyright Buf Technologies, Inc.; licensed under the Apache License 2.0 (the text is in LICENSE). Parts of it, in\n' +
    'wire/varint.ts: Copyright 2008 Google Inc. All rights reserved. Redistribution and use in source and binary forms,\n' +
    'with or without modification, are permitted provided that the conditions of the BSD 3-Clause license are met:\n' +
    'this notice and the disclaimer are retained, and the name of Google Inc. endorses nothing derived from it.\n' +
    'THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR IMPLIED WARRANTIES\n' +
    'ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR CONTRIBUTORS BE LIABLE FOR ANY DAMAGES.',
};

/** npm package -> what is compiled into it. */
export const PARTS: Readonly<Record<string, readonly Part[]>> = {
  '@viz-js/viz': [
    {
      name: 'graphviz',
      version: '16.1.0',
      licence: 'EPL-2.0',
      url: 'https://graphviz.org',
      reason:
        'a file of its own (viz.cjs in build/programs.br), unchanged; the licence requires nothing of the files beside it',
      notice:
        'Graphviz, unchanged, compiled to WebAssembly; Eclipse Public License 2.0, https://www.eclipse.org/legal/epl-2.0/.\n' +
        'Its source: https://gitlab.com/graphviz/graphviz/-/tree/16.1.0',
    },
    {
      name: 'expat',
      version: '2.8.5',
      licence: 'MIT',
      url: 'https://libexpat.github.io',
      notice:
        'Copyright (c) 1998-2000 Thai Open Source Software Center Ltd and Clark Cooper\n' +
        `Copyright (c) 2001-2025 Expat maintainers\n\n${MIT_TEXT}`,
    },
  ],
};

/** Works that our own files are derived from. */
export const SOURCES: readonly Part[] = [
  {
    name: 'cloud-init',
    version: '25.1.4',
    licence: 'Apache-2.0',
    url: 'https://cloud-init.io',
    notice: 'JSON schemas of cloud-config, reduced to what decides; of GPL-3 or Apache-2.0 used under the latter.',
  },
];

/** Deprecated or unmaintained packages that we keep nevertheless, with the reason. */
export const DEPRECATED: Readonly<Record<string, string>> = {};

/** Whether a licence expression is one of the allowed: all sides of AND, one side of OR. */
export function allowed(expression: string): boolean {
  const plain = expression.trim().replace(/^\((.*)\)$/, '$1');
  if (/ OR /.test(plain)) return plain.split(' OR ').some(allowed);
  return plain.split(' AND ').every((id) => ALLOWED.has(id.trim()));
}
