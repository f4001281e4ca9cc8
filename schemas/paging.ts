/** Elements per page if the request gives no `size`. */
export const DEFAULT_PAGE_SIZE = 20;
/** The most elements per page; a larger `size` is treated as this. */
export const MAXIMUM_PAGE_SIZE = 1000;
/** Installations on a page when the request does not say. */
export const DEFAULT_INSTALLATIONS_SIZE = 100;
