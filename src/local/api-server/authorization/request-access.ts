import { RequestInfo } from '../http/request-info';
import { fieldTerms, FieldTerm } from '../registry/field-selector';
import { Access } from './authorizer';

const SELECTING = ['list', 'watch', 'deletecollection'];

/** Terms of a field selector; none if it is malformed, which then grants nothing. */
export function termsOf(selector: string): FieldTerm[] {
  try {
    return fieldTerms(selector);
  } catch {
    return [];
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Access that a request needs. A list or watch of `metadata.name=x` is one of the object x. */
export function accessOf(info: RequestInfo): Access {
  if (!info.isResource) return { ...info, path: decoded(info.path) };
  const selector = info.query.get('fieldSelector');
  if (!selector || !SELECTING.includes(info.verb)) return info;
  const fields = termsOf(selector);
  const pinned = fields.find(({ field, equal }) => field === 'metadata.name' && equal)?.value;
  const name = info.name || (info.verb === 'deletecollection' ? '' : (pinned ?? ''));
  return { ...info, name, fields };
}
