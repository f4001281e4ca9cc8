/** Elements per page if the request gives no `size`. */
export const DEFAULT_PAGE_SIZE = 20;
/** The most elements per page; a larger `size` is treated as this. */
export const MAXIMUM_PAGE_SIZE = 1000;
