/** What can be exported as a table. */
export const EXPORTS = ['sites', 'setups', 'installations', 'changes'] as const;
export type ExportName = (typeof EXPORTS)[number];
