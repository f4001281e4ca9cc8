import { PATHS } from '../../links.js';
import { type App, sendText } from '../contract/operations.js';

/** Adds the style and the icon of all pages. */
export function addAssets(app: App): void {
  app.get(PATHS.style, async (_request, reply) => {
    const { STYLE } = await import('../../web/page/style.js');
    return sendText(reply, 'text/css;charset=UTF-8', STYLE);
  });
  app.get(PATHS.icon, async (_request, reply) => {
    const { ICON } = await import('../../web/page/style.js');
    return sendText(reply, 'image/svg+xml;charset=UTF-8', ICON);
  });
}
