import { PATHS } from '../../links.js';
import { type App, Content } from '../contract/operations.js';

/** Adds the style and the icon of all pages. */
export function addAssets(app: App): void {
  app.get(PATHS.style, async () => {
    const { STYLE } = await import('../../web/page/style.js');
    return new Content('text/css;charset=UTF-8', STYLE);
  });
  app.get(PATHS.icon, async () => {
    const { ICON } = await import('../../web/page/style.js');
    return new Content('image/svg+xml;charset=UTF-8', ICON);
  });
}
