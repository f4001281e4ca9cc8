/** Elements on a page when the request does not say. */
export const DEFAULT_PAGE_SIZE = 20;
/** The most elements on a page: a larger `size` means this. */
export const MAXIMUM_PAGE_SIZE = 1000;
