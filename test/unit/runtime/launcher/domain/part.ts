/** One element of a whole domain as text, so that a table row shows what all concerns made of it together. */
import { renderDomain } from '../../../../../src/runtime/launcher/domain/render';
import { type Child, type Element, toXml } from '../../../../../src/runtime/launcher/domain/xml';
import { factsOf } from './facts';
import { type Fixture, vmiOf } from './fixture';

const isElement = (child: Child): child is Element => typeof child === 'object' && child !== null;

/** The domain's element of this name, without line breaks; undefined when it has none. */
export function part(name: string, fixture: Fixture): string | undefined {
  const vmi = vmiOf(fixture);
  const found = renderDomain(vmi, factsOf(vmi, fixture))
    .children.filter(isElement)
    .find((child) => child.name === name);
  return found && toXml(found).replaceAll(/\n\s*/g, '');
}
