/** An XML element. Documents are built as a tree and never from text, so that nothing can be left unescaped. Pure. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text or child elements; `raw` is already XML. */
  readonly content: string | readonly XmlElement[] | { readonly raw: string };
}

/** Creates an element. `undefined` children are left out, so that optional parts can be written in place. */
export function element(
  name: string,
  content: string | number | boolean | readonly (XmlElement | undefined)[],
  attributes: Readonly<Record<string, string>> = {},
): XmlElement {
  if (typeof content !== 'object') return { name, attributes, content: String(content) };
  return { name, attributes, content: content.filter((child) => child !== undefined) };
}

/** Inserts XML that the user wrote. */
export function rawXml(raw: string): XmlElement {
  return { name: '', attributes: {}, content: { raw } };
}

/** Renders a document, indented by two spaces. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${render(root, '')}`;
}

function render({ name, attributes, content }: XmlElement, indent: string): string {
  if (typeof content === 'object' && 'raw' in content) {
    return `${content.raw
      .trim()
      .split('\n')
      .map((line) => `${indent}${line}`)
      .join('\n')}\n`;
  }
  const head = `${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}`;
  if (typeof content === 'string') return `${indent}<${head}>${escapeXml(content)}</${name}>\n`;
  if (content.length === 0) return `${indent}<${head}/>\n`;
  return `${indent}<${head}>\n${content.map((child) => render(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text. Earlier rules reject characters that XML 1.0 cannot represent. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character]);
}
