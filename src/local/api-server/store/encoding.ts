import { AnyObject } from '../types';

/** Text of a stored object: `apiVersion` and `kind` come first, so that lists can drop them without parsing. */
export function encode({ apiVersion, kind, metadata, ...rest }: AnyObject, rv: number): string {
  return JSON.stringify({ apiVersion, kind, metadata: { ...metadata, resourceVersion: String(rv) }, ...rest });
}

export const decode = (text: string): AnyObject => JSON.parse(text) as AnyObject;

/** Start of the text of each stored object of this version and kind. */
export const prefixOf = (apiVersion: string, kind: string): string =>
  `{"apiVersion":${JSON.stringify(apiVersion)},"kind":${JSON.stringify(kind)},`;
