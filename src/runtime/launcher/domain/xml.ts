/** A tree of XML elements as data, and its text. The only place where escaping happens. */

/** Attributes that are undefined are left out; numbers and booleans are written as text ('yes' is the caller's). */
export type Attributes = Record<string, string | number | undefined>;
/** Things that can stand where an element is expected; the falsy ones vanish. */
export type Child = Element | string | undefined | false | null;

export interface Element {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: readonly Child[];
}

/** `el('disk', { type: 'file' }, el('target', { dev: 'vda' }))` */
export function el(name: string, attributes: Attributes = {}, ...children: Child[]): Element {
  return { name, attributes, children };
}

/** Characters that XML 1.0 cannot hold at all, escaped or not. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function escape(text: string): string {
  if (FORBIDDEN.test(text)) throw new Error(`XML cannot hold a control character, got ${JSON.stringify(text)}`);
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

/** The text of an element, two spaces per level; text content stays on its line. */
export function toXml(element: Element, indent = ''): string {
  const attributes = Object.entries(element.attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}='${escape(String(value))}'`)
    .join('');
  const open = `${indent}<${element.name}${attributes}`;
  const children = element.children.filter((child): child is Element | string => Boolean(child));
  if (children.length === 0) return `${open}/>\n`;
  if (children.every((child) => typeof child === 'string')) {
    return `${open}>${escape(children.join(''))}</${element.name}>\n`;
  }
  const inner = children.map((child) => (typeof child === 'string' ? escape(child) : toXml(child, `${indent}  `)));
  return `${open}>\n${inner.join('')}${indent}</${element.name}>\n`;
}

/** libvirt's words for a boolean, where it wants 'yes' or 'no'. */
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
/** libvirt's words for a boolean, where it wants 'on' or 'off'. */
export const onOff = (value: boolean): string => (value ? 'on' : 'off');
