import { Type } from '@sinclair/typebox';

/** Elements on a page when the request does not say. */
export const DEFAULT_PAGE_SIZE = 20;
/** The most elements on a page: a larger `size` means this. */
export const MAXIMUM_PAGE_SIZE = 1000;

/** The query parameters of every paged collection. */
export const PagingParameters = {
  page: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Number of the page, from 0; 0 when left out.' })),
  size: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Elements on a page, ${DEFAULT_PAGE_SIZE} when left out; more than ${MAXIMUM_PAGE_SIZE} means ${MAXIMUM_PAGE_SIZE}.`,
    }),
  ),
};
