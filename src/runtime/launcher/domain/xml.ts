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

/** Whatever `escape` has work with: nearly no text has any of it. */
const SPECIAL = /[&<>"'\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

function escape(text: string): string {
  if (!SPECIAL.test(text)) return text;
  if (FORBIDDEN.test(text)) throw new Error(`XML cannot hold a control character, got ${JSON.stringify(text)}`);
  return text.replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

function startOf({ name, attributes }: Element): string {
  let start = `<${name}`;
  for (const key of Object.keys(attributes)) {
    const value = attributes[key];
    if (value !== undefined) start += ` ${key}='${escape(String(value))}'`;
  }
  return start;
}

/** The text of an element, two spaces per level; text content stays on its line. */
export function toXml(element: Element, indent = ''): string {
  const start = indent + startOf(element);
  let inner = '';
  let hasElements = false;
  for (const child of element.children) {
    if (!child) continue;
    if (typeof child === 'string') inner += escape(child);
    else {
      hasElements = true;
      inner += toXml(child, `${indent}  `);
    }
  }
  if (inner === '') return `${start}/>\n`;
  if (!hasElements) return `${start}>${inner}</${element.name}>\n`;
  return `${start}>\n${inner}${indent}</${element.name}>\n`;
}

/** libvirt's words for a boolean, where it wants 'yes' or 'no'. */
export const yesNo = (value: boolean): string => (value ? 'yes' : 'no');
/** libvirt's words for a boolean, where it wants 'on' or 'off'. */
export const onOff = (value: boolean): string => (value ? 'on' : 'off');
