import { SETTING_NAMES, type SettingName, type SettingValues } from '../line/settings.js';

type ServeSetting = Exclude<SettingName, 'jobs'>;

/** The names of the settings of `serve`: all but that of `import`. */
export const SERVE_SETTINGS = SETTING_NAMES.filter((name): name is ServeSetting => name !== 'jobs');

/** The values of the settings of `serve`. */
export type ServeSettings = SettingValues<ServeSetting>;
